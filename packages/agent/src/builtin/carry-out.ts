import { visibleName } from '@docent/docs-check/read/visible-text';
import { MAX_TITLE } from '../commit-message.ts';
import { plural } from '@docent/base/plural';
import { someText } from '../tools/bounded-output.ts';
import { addPage, append, open, sectionText } from './add-text.ts';
import { addAttachment, amend, arrange, redirect, undo, unlist } from './change-parts.ts';
import { fixLinks } from './fix-links.ts';
import type { Instruction } from '@docent/recipes/instruction';
import { quoted } from './outcome.ts';
import { call, consequencesOf, dataOf, done, refusal, type Progress, type Results } from './progress.ts';
import { replace } from './replace.ts';
import { retitle } from './retitle.ts';

/**
 * Finds the progress of an instruction and its next calls. Pure: the same results give the same calls and
 * ids.
 * @param id prefix of its call ids
 * @param only the one file to carry it out on again
 */
export function carryOut(instruction: Instruction, id: string, results: Results, only: string | null): Progress {
  switch (instruction.kind) {
    case 'replace':
      return replace(instruction, id, results, only);
    case 'fix-links':
      return fixLinks(id, results, { all: true, ...within(only ?? instruction.within) });
    case 'add-page':
      return addPage(instruction, id, results);
    case 'append-section':
      return append(instruction, sectionText(instruction), `a section ${quoted(instruction.heading)}`, id, results);
    case 'append-text':
      if (instruction.at === 'top') return open(instruction, id, results);
      return append(instruction, instruction.text, 'text', id, results);
    case 'move':
      return move(instruction, id, results, only !== null);
    case 'retitle':
      return retitle(instruction, id, results);
    case 'delete':
      return remove(instruction, id, results);
    case 'describe':
    case 'rename-heading':
    case 'remove-section':
    case 'remove-text':
      return amend(instruction, id, results);
    case 'rename-group':
    case 'place':
      return arrange(instruction, id, results);
    case 'unlist':
      return unlist(instruction, id, results);
    case 'add-attachment':
      return addAttachment(instruction, id, results);
    case 'redirect':
      return redirect(instruction, id, results);
    case 'undo':
      return undo(id, results);
    case 'help':
      return {
        outcome: { kind: 'answered', summary: 'What the built-in editor carries out', details: [], changed: [] },
      };
    case 'review':
      return {
        outcome: {
          kind: 'nothing',
          summary: 'The docs checks reviewed the added lines',
          details: [REVIEW],
          changed: [],
        },
      };
    case 'go-on':
      return { outcome: { kind: 'nothing', summary: '', details: [], changed: [] } };
  }
}

const REVIEW = 'The built-in editor does not review texts. For that, set up a language model.';

function within(scope: string | null): { glob?: string } {
  return scope === null ? {} : { glob: scope };
}

function move(
  { from, to, what, into }: Extract<Instruction, { kind: 'move' }>,
  id: string,
  results: Results,
  again: boolean,
): Progress {
  if (into === 'unclear') {
    const hint = `“Below” can mean a folder or a place in the navigation. Write “into the folder ${to}”, or “after ${to} in the navigation”.`;
    return { outcome: { kind: 'refused', summary: `Could not move ${from}`, details: [hint], changed: [] } };
  }
  // "Under Reference" may name a group of the navigation, not a folder.
  if (into && /\s|^[A-Z][^/.]*$/.test(to)) {
    const hint = `${quoted(to)} looks like the name of a group; a page moves to a folder. Name the folder by its path, such as \`guides\`, or \`${to.replaceAll(' ', '-')}/\`.`;
    return { outcome: { kind: 'refused', summary: `Could not move ${from}`, details: [hint], changed: [] } };
  }
  const input = call(`${id}.1`, 'move', {
    from: what === 'folder' ? `${from.replace(/\/+$/, '')}/` : from,
    to: into ? inside(to, from) : to,
    ...(what === 'page' ? { page: true } : {}),
    ...(again ? { overwrite: true } : {}),
  });
  const moved = results.get(input.id);
  if (!moved) return { calls: [input], last: true };
  if (!moved.ok) return refusal(`Could not move ${from}`, moved);
  const data = dataOf(moved, 'move');
  const [old, now] = [visibleName(data.from), visibleName(data.to)];
  const folder = data.files === null ? now.slice(0, now.lastIndexOf('/') + 1) : `${now}/`;
  const short = `Moved ${baseName(old)} to ${baseName(old) === baseName(now) ? folder : baseName(now)}`;
  const whole =
    data.files === null
      ? `Moved ${old} to ${now}`
      : `Moved ${old}/ with its ${plural(data.files, 'file')} to ${folder}`;
  return done(whole.length <= MAX_TITLE ? whole : short, consequencesOf(data), [moved], short);
}

/** A name with spaces is a title: only the tool knows the file's own name. */
function inside(folder: string, from: string): string {
  const bare = folder.replace(/\/+$/, '');
  return /\s/.test(from) ? `${bare}/` : `${bare}/${baseName(from)}`;
}

function baseName(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) ?? path;
}

function remove(
  { page, what, redirectTo }: Extract<Instruction, { kind: 'delete' }>,
  id: string,
  results: Results,
): Progress {
  const input = call(`${id}.1`, 'delete', {
    path: what === 'folder' ? `${page.replace(/\/+$/, '')}/` : page,
    ...(what === 'page' ? { page: true } : {}),
    ...(redirectTo === null ? { unlink: true } : { redirectTo }),
  });
  const removed = results.get(input.id);
  if (!removed) return { calls: [input], last: true };
  if (!removed.ok) return refusal(`Could not delete ${page}`, removed);
  const data = dataOf(removed, 'delete');
  const file = visibleName(data.path);
  const { stillLinked } = data;
  const still = stillLinked.count > 0 ? [`Still linked from ${someText(stillLinked)}.`] : [];
  return done(`Deleted ${file}`, [...consequencesOf(data), ...still], [removed], `Deleted ${baseName(file)}`);
}
