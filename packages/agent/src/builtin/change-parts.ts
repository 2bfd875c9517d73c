import { visibleName } from '@docent/docs-check/read/visible-text';
import { MAX_TITLE } from '../commit-message.ts';
import { someText } from '../tools/bounded-output.ts';
import type { ToolResult } from '@docent/models/conversation/tool-call';
import type { Instruction } from '@docent/recipes/instruction';
import { plural } from '@docent/base/plural';
import { quoted } from './outcome.ts';
import { call, changedBy, dataOf, done, refusal, upperFirst, type Progress, type Results } from './progress.ts';

type Of<Kind extends Instruction['kind']> = Extract<Instruction, { kind: Kind }>;

/** A change made by one call. Its results changed something, or found it done. */
function once(
  { id, name, input }: { id: string; name: string; input: Record<string, unknown> },
  results: Results,
  words: { failed: string; already: string; done: (result: ToolResult) => { summary: string; details?: string[] } },
): Progress {
  const made = call(`${id}.1`, name, input);
  const result = results.get(made.id);
  if (!result) return { calls: [made], last: true };
  if (!result.ok) return refusal(words.failed, result);
  if (result.changed.length === 0) {
    return { outcome: { kind: 'nothing', summary: words.already, details: [], changed: [] } };
  }
  const { summary, details = [] } = words.done(result);
  return done(summary, details, [result]);
}

export function amend(
  instruction: Of<'describe'> | Of<'rename-heading'> | Of<'remove-section'> | Of<'remove-text'>,
  id: string,
  results: Results,
): Progress {
  const { page } = instruction;
  const [input, what, didWhat, where] = partOf(instruction);
  const named = page === null ? {} : { path: page };
  return once({ id, name: 'amend', input: { ...named, ...input } }, results, {
    failed: `Could not ${what}${page === null ? '' : ` ${where} ${page}`}`,
    already: `${page ?? 'The page'} is already as requested`,
    done(result) {
      const { path, notes } = dataOf(result, 'amend');
      const pages = changedBy([result]).length;
      const names =
        'everywhere' in instruction && pages > 1 ? [plural(pages, 'page')] : [path, path.split('/').at(-1)!];
      const [whole = '', short = whole] = names.map((name) => `${didWhat} ${where} ${visibleName(name)}`);
      const details = notes.length > 0 ? [`${upperFirst(notes.join(', '))}.`] : [];
      return { summary: whole.length <= MAX_TITLE ? whole : short, details };
    },
  });
}

function partOf(
  instruction: Of<'describe'> | Of<'rename-heading'> | Of<'remove-section'> | Of<'remove-text'>,
): [input: Record<string, unknown>, what: string, didWhat: string, where: string] {
  switch (instruction.kind) {
    case 'describe':
      return [
        { part: 'description', text: instruction.text },
        'change the description',
        'Changed the description',
        'of',
      ];
    case 'rename-heading': {
      const { heading, text } = instruction;
      const short = `Renamed the heading ${quoted(heading, 16)} to ${quoted(text, 16)}`;
      return [{ part: 'heading', find: heading, text }, `rename the heading ${quoted(heading)}`, short, 'in'];
    }
    case 'remove-section': {
      const name = quoted(instruction.heading);
      return [
        { part: 'section', find: instruction.heading },
        `remove the section ${name}`,
        `Removed the section ${name}`,
        'from',
      ];
    }
    case 'remove-text': {
      const name = quoted(instruction.text);
      const input = { part: 'text', find: instruction.text, ...(instruction.everywhere ? { all: true } : {}) };
      return [input, `remove the text ${name}`, `Removed the text ${name}`, 'from'];
    }
  }
}

export function arrange(instruction: Of<'rename-group'> | Of<'place'>, id: string, results: Results): Progress {
  const isRename = instruction.kind === 'rename-group';
  const input = isRename
    ? { item: instruction.group, kind: 'group', rename: instruction.to }
    : {
        item: instruction.item.name,
        ...(instruction.item.what ? { kind: instruction.item.what } : {}),
        place: instruction.place,
        ...(instruction.beside ? { beside: instruction.beside.name } : {}),
        ...(instruction.beside?.what ? { besideKind: instruction.beside.what } : {}),
        ...(instruction.group === null ? {} : { group: instruction.group }),
      };
  const failed = isRename
    ? `Could not rename the group ${quoted(instruction.group)}`
    : `Could not move ${instruction.item.name}`;
  return once({ id, name: 'arrange', input }, results, {
    failed,
    already: 'The navigation is already as requested',
    done(result) {
      const { report } = dataOf(result, 'arrange');
      return { summary: report.length <= MAX_TITLE ? report : report.replace(/ in the navigation$/, '') };
    },
  });
}

export function unlist({ page }: Of<'unlist'>, id: string, results: Results): Progress {
  return once({ id, name: 'arrange', input: { item: page, kind: 'page', remove: true } }, results, {
    failed: `Could not take ${page} out of the navigation`,
    already: `${page} is not in the navigation`,
    done: (result) => ({ summary: dataOf(result, 'arrange').report, details: ['The page itself stays.'] }),
  });
}

export function redirect({ from, to }: Of<'redirect'>, id: string, results: Results): Progress {
  return once({ id, name: 'redirect', input: { from, to } }, results, {
    failed: `Could not add a redirect from ${from}`,
    already: `${from} already leads there`,
    done(result) {
      const data = dataOf(result, 'redirect');
      return {
        summary: `Added a redirect from ${visibleName(data.from)} to ${visibleName(data.to)}`,
        details: [`It is in ${visibleName(data.path)}.`],
      };
    },
  });
}

export function addAttachment({ name, path }: Of<'add-attachment'>, id: string, results: Results): Progress {
  return once({ id, name: 'place', input: { attachment: name, path } }, results, {
    failed: `Could not add ${name}`,
    already: `${name} is there already`,
    done(result) {
      const data = dataOf(result, 'place');
      const [whole, short] = [data.path, data.path.split('/').at(-1)!].map((at) => `Added ${visibleName(at)}`);
      return {
        summary: whole!.length <= MAX_TITLE ? whole! : short!,
        details: [`It is the attachment ${visibleName(data.name)}.`],
      };
    },
  });
}

export function undo(id: string, results: Results): Progress {
  return once({ id, name: 'undo', input: {} }, results, {
    failed: 'Could not undo the last change',
    already: 'The last change is already undone',
    done(result) {
      const { turn, files } = dataOf(result, 'undo');
      const summary = turn === null ? 'Undid what was not published yet' : `Undid the change of turn ${turn}`;
      return { summary, details: [`As before: ${someText(files)}.`] };
    },
  });
}
