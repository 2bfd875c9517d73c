import { z } from 'zod';
import { replaceString } from '@docent/docs-check/read/json-edits';
import { pageFormatOf } from '@docent/docs-check/read/page-format';
import { isMeta } from '@docent/docs-check/read/site';
import { applyTextEdits } from '@docent/docs-check/read/text-edits';
import { visibleName, withoutInvisible } from '@docent/docs-check/read/visible-text';
import { canonical } from '@docent/base/canonical';
import { plural } from '@docent/base/plural';
import { listed } from './bounded-output.ts';
import { hidden } from './call-form.ts';
import { nearestPassage } from './nearest-passage.ts';
import { resolveFile } from './page-reference.ts';
import { countOtherBlanks, keepFrontMatterValid, replaceText, type Replaced } from './replace-text.ts';
import { LEFT_REASONS, type LeftReason } from '@docent/models/conversation/tool-data';
import { guardedParts } from './replaceable.ts';
import { scope } from './search.ts';
import { defineTool, ToolRefusal, type ToolOutcome } from './tool.ts';
import type { DataOf } from '@docent/models/conversation/tool-data';
import type { ToolSession } from './tool-session.ts';

const schema = z.strictObject({
  path: z.string().max(2_000).optional().describe('The file to edit.'),
  glob: z
    .string()
    .max(500)
    .optional()
    .describe('Instead of path: all files that match, as one change. Needs replaceAll.'),
  oldText: z
    .string()
    .min(1)
    .max(200_000)
    .describe('The text to replace, exactly as the file has it: with all whitespace, and without line numbers.'),
  newText: z.string().max(1_000_000).describe('What to put in its place.'),
  replaceAll: z.boolean().optional().describe('Replace every occurrence; without it the text must be unique.'),
  outsideCode: z
    .boolean()
    .optional()
    .describe('Leave code fences, inline code, imports, expressions and tags alone, and in docs.json all but labels.'),
  /** As outsideCode, but code fences, inline code and comments are edited. */
  outsideMarkup: z.boolean().optional().meta(hidden),
  /** With one of these two: leave the targets of links and images alone too. */
  outsideLinks: z.boolean().optional().meta(hidden),
  wholeWords: z.boolean().optional().describe('Skip occurrences that are part of a longer word.'),
  /** With a glob: pages and folders to leave alone. */
  except: z.array(z.string().max(2_000)).max(50).optional().meta(hidden),
  /** Only the first occurrence in the file. */
  first: z.boolean().optional().meta(hidden),
  /** Only replace targets of links, images and imports that are exactly oldText. */
  linkTargets: z.boolean().optional().meta(hidden),
});

type Input = z.infer<typeof schema>;

export const editTool = defineTool({
  name: 'edit',
  description:
    'Replaces an exact text in a file. It must occur once there, unless replaceAll is given: include ' +
    'enough of the surrounding text. Everything else stays byte for byte the same.',
  schema,
  example: { path: 'guides/start.mdx', oldText: 'brew install acme', newText: 'brew install acme-cli' },
  run(input, session) {
    if ((input.path === undefined) === (input.glob === undefined)) throw new ToolRefusal('Give either path or glob.');
    if (input.oldText === input.newText) throw new ToolRefusal('oldText and newText are the same: nothing to change.');
    if (input.first) return editOne(input, requireFile(input.path ?? input.glob!, session), session);
    if (input.glob !== undefined && !input.replaceAll) throw new ToolRefusal('An edit by glob needs replaceAll: true.');
    return input.path === undefined
      ? editMany(input, session)
      : editOne(input, resolveFile(session, input.path), session);
  },
});

function requireFile(reference: string, session: ToolSession): string {
  if (reference === '**') throw new ToolRefusal('Name the page of which only the first occurrence is to be replaced.');
  return resolveFile(session, reference);
}

function editOne(input: Input, path: string, session: ToolSession): ToolOutcome {
  const name = visibleName(path);
  const given = replaceIn(input, path, session);
  const bare = given?.count === 0 && given.left.size === 0 ? withoutLineNumbers(input) : null;
  const replaced = (bare && replaceIn(bare, path, session)) ?? given;
  if (!replaced) throw new ToolRefusal(`${name} cannot be edited: it ${session.workspace.whyNoText(path)}.`);
  if (replaced.count === 0) throw absent(input, path, replaced, session);
  session.change({ write: new Map([[path, replaced.text]]) });
  const lines = replaced.lines.length > 0 ? ` (line ${listed(replaced.lines.map(String))})` : '';
  const what = input.linkTargets ? plural(replaced.count, 'link target') : plural(replaced.count, 'occurrence');
  return {
    text: `Replaced ${what} in ${name}${lines}.${leftAlone(replaced.left)}`,
    changed: [path],
    data: editData(replaced.count, replaced.left),
  };
}

function editMany(input: Input, session: ToolSession): ToolOutcome {
  const within = scope(session, input.glob);
  const spared = (input.except ?? []).map((one) => scope(session, one));
  const write = new Map<string, string>();
  const left = new Map<LeftReason, number>();
  const counts: string[] = [];
  const unread: string[] = [];
  let count = 0;
  for (const path of session.workspace.paths()) {
    if (
      !within(path) ||
      spared.some((isSpared) => isSpared(path)) ||
      !session.workspace.inDocsDir(path) ||
      /(^|\/)(\.[^/]+|node_modules)\//.test(path)
    )
      continue;
    if (session.workspace.kind(path) !== 'text') {
      if (pageFormatOf(path)) unread.push(`${visibleName(path)} ${session.workspace.whyNoText(path)}.`);
      continue;
    }
    if ((input.outsideCode || input.outsideMarkup) && isMeta(session.docs.site, path)) continue;
    const replaced = replaceIn(input, path, session, true);
    if (!replaced) continue;
    for (const [reason, number] of replaced.left) left.set(reason, (left.get(reason) ?? 0) + number);
    if (replaced.count === 0) continue;
    write.set(path, replaced.text);
    count += replaced.count;
    counts.push(`${visibleName(path)}: ${replaced.count}`);
  }
  const quoted = JSON.stringify(withoutInvisible(input.oldText));
  if (count === 0) {
    throw new ToolRefusal(`${quoted} does not occur in ${input.glob}.${leftAlone(left)}${notSearched(unread)}`, {
      data: editData(0, left, unread),
    });
  }
  session.change({ write });
  const summary = `Replaced ${plural(count, 'occurrence')} in ${plural(write.size, 'file')}.${leftAlone(left)}${notSearched(unread)}`;
  return {
    text: [summary, ...counts.slice(0, 200)].join('\n'),
    changed: [...write.keys()],
    data: editData(count, left, unread),
  };
}

/** Null if the file cannot take part: no text, or no prose in an edit that is for prose. */
function replaceIn(input: Input, path: string, session: ToolSession, many = false): Replaced | null {
  const visible = session.visible(path);
  if (!visible) return null;
  if (input.linkTargets) return replaceTargets(input, path, visible.raw, session);
  const oldText = canonical(withoutInvisible(input.oldText).replaceAll('\r\n', '\n'));
  const text = many ? canonical(visible.text) : null;
  if (text !== null && !text.includes(oldText)) {
    const spaced = countOtherBlanks(text, oldText);
    return { text: visible.raw, count: 0, lines: [], left: new Map(spaced > 0 ? [['other blanks', spaced]] : []) };
  }
  const prose = input.outsideCode || input.outsideMarkup;
  const guarded = prose
    ? guardedParts(session, path, visible.raw, { code: input.outsideCode ?? false, links: input.outsideLinks ?? false })
    : [];
  if (guarded === null && many) return null;
  const isConfig = prose && guarded && !pageFormatOf(path);
  const change = {
    oldText: input.oldText,
    newText: isConfig ? JSON.stringify(input.newText).slice(1, -1) : input.newText,
    all: input.replaceAll ?? false,
    first: input.first ?? false,
    wholeWords: input.wholeWords ?? false,
  };
  const replaced = replaceText(path, visible, change, guarded ?? []);
  if (prose) replaced.text = keepFrontMatterValid(visible.raw, replaced.text, session.docs.facts(path));
  return replaced;
}

function replaceTargets(input: Input, path: string, raw: string, session: ToolSession): Replaced | null {
  const { docs } = session;
  const { config } = docs.site;
  if (pageFormatOf(path)) {
    const links = docs.facts(path)?.links.filter((link) => link.kind !== 'autolink') ?? [];
    const same = links.filter(
      ({ target, start, end }) => isSame(target, input) || isSame(raw.slice(start, end), input),
    );
    const text = applyTextEdits(
      raw,
      same.map(({ start, end }) => ({ start, end, text: input.newText })),
    );
    return { text, count: same.length, lines: same.map(({ line }) => line), left: new Map() };
  }
  const links = config?.links.filter(({ source, value }) => source.path === path && isSame(value, input));
  if (!links || links.length === 0) return null;
  const text = applyTextEdits(
    raw,
    links.map(({ node }) => replaceString(node, input.newText)),
  );
  return { text, count: links.length, lines: [], left: new Map() };
}

function isSame(target: string, { oldText }: Input): boolean {
  return canonical(target) === canonical(oldText) || canonical(withoutInvisible(target)) === canonical(oldText);
}

function absent(input: Input, path: string, { left }: Replaced, session: ToolSession): ToolRefusal {
  const name = visibleName(path);
  const data = editData(0, left);
  if (input.linkTargets) {
    return new ToolRefusal(`No link in ${name} has exactly the target ${JSON.stringify(input.oldText)}.`, { data });
  }
  if (left.size > 0) {
    return new ToolRefusal(`The text does not occur in the prose of ${name}.${leftAlone(left)}`, { data });
  }
  const visible = session.visible(path)!;
  const near = nearestPassage(visible, withoutLineNumbers(input)?.oldText ?? input.oldText);
  const made = input.newText.trim() === '' ? -1 : visible.text.indexOf(input.newText.replaceAll('\r\n', '\n'));
  const there = made === -1 ? '' : ` The new text is already there, in line ${visible.lineAt(made)}.`;
  const hint = ` ${near || 'Read the file and copy the text from there.'}`;
  return new ToolRefusal(`The text does not occur in ${name}.${there}`, { hint, data });
}

const NUMBERED = /^ *\d+\t/;

/** The edit without copied line numbers of `read`; null if it has none. */
function withoutLineNumbers(input: Input): Input | null {
  const oldText = bareOf(input.oldText);
  return oldText ? { ...input, oldText, newText: bareOf(input.newText) ?? input.newText } : null;
}

function bareOf(text: string): string | null {
  const lines = text.split('\n');
  const own = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  if (own.length === 0 || !own.every((line) => NUMBERED.test(line))) return null;
  return lines.map((line) => line.replace(NUMBERED, '')).join('\n');
}

/** Unread pages that are named. */
const MOST_UNREAD = 3;

function editData(
  replaced: number,
  left: ReadonlyMap<LeftReason, number>,
  unread: readonly string[] = [],
): DataOf<'edit'> {
  const some = unread.length > 0 ? { unread: unread.slice(0, MOST_UNREAD) } : {};
  return { tool: 'edit', replaced, left: Object.fromEntries(left), ...some };
}

const notSearched = (unread: readonly string[]): string =>
  unread.length === 0
    ? ''
    : ` ${plural(unread.length, 'page')} could not be searched: ${unread.slice(0, MOST_UNREAD).join(' ')}`;

function leftAlone(left: ReadonlyMap<LeftReason, number>): string {
  if (left.size === 0) return '';
  const parts = LEFT_REASONS.filter((reason) => left.has(reason)).map((reason) => `${left.get(reason)} in ${reason}`);
  return ` Left alone: ${parts.join(', ')}.`;
}
