import { slugger } from '../../content/heading-slug.ts';
import type { ToolCall, ToolResult } from '../../transcript.ts';
import type { Instruction } from './instruction.ts';
import { count, quoted, type Outcome } from './outcome.ts';
import { newPageText, parsableAsMdx, retitledLine, titleFromPath } from './page-text.ts';
import {
  readChanged,
  readLines,
  readProblems,
  readReplacements,
  readSiteLine,
  type ReportedProblem,
} from './tool-answers.ts';

/** How far an instruction is: the calls that it needs next, or what became of it. */
export type Progress =
  /** `last`: their results only need to be reported, so that what follows may go into the same answer. */
  { calls: ToolCall[]; last: boolean } | { outcome: Outcome };

/** Results that the transcript shows, by call id. */
export interface Results {
  get(callId: string): ToolResult | undefined;
}

/** Link targets mended in one answer, and answers of this kind at most. */
const TARGETS_A_STEP = 90;
const MENDING_STEPS = 5;

const LINK_PROBLEMS = new Set([
  'missing-page',
  'missing-file',
  'missing-image',
  'missing-import',
  'missing-anchor',
  'redirected-link',
]);

/**
 * Looks up how far an instruction is and says what is next. Pure: the same results give the same calls, with the same ids.
 * @param id prefix of its call ids
 * @param only the one file for which it is carried out again
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
      return append(instruction, instruction.text, 'text', id, results);
    case 'move':
      return move(instruction, id, results, only !== null);
    case 'retitle':
      return retitle(instruction, id, results);
    case 'delete':
      return remove(instruction, id, results);
    case 'go-on':
      return { outcome: { kind: 'nothing', summary: '', details: [], changed: [] } };
  }
}

function within(scope: string | null): { glob?: string } {
  return scope === null ? {} : { glob: scope };
}

function call(id: string, name: string, input: Record<string, unknown>): ToolCall {
  return { id, name, input };
}

function refusal(summary: string, result: ToolResult): Progress {
  const reason = result.output.replace(/ Nothing was changed\.$/, '');
  return { outcome: { kind: 'refused', summary, details: [reason], changed: [] } };
}

function done(summary: string, details: string[], outcomes: readonly ToolResult[]): Progress {
  const changed = [...new Set(outcomes.flatMap(({ output }) => readChanged(output)))];
  return { outcome: { kind: 'done', summary, details, changed } };
}

/** The first line of an answer: what happened, for the reader. */
function firstLine({ output }: ToolResult): string {
  return output.split('\n')[0] ?? '';
}

function replace(
  { from, to, within: scopes, inCode, inWords }: Extract<Instruction, { kind: 'replace' }>,
  id: string,
  results: Results,
  only: string | null,
): Progress {
  const places = only !== null ? [only] : scopes.length > 0 ? scopes : ['**'];
  const calls = places.map((place, i) => {
    const isFile = only !== null || (/\.\w+$/.test(place) && !/[*?[{]/.test(place));
    return call(`${id}.${i + 1}`, 'edit', {
      ...(isFile ? { path: place } : { glob: place }),
      oldText: from,
      newText: to,
      replaceAll: true,
      ...(inCode ? { outsideMarkup: true } : { outsideCode: true }),
      ...(isAddress(from) ? {} : { outsideLinks: true }),
      ...(inWords ? {} : { wholeWords: true }),
    });
  });
  if (from === to)
    return {
      outcome: { kind: 'nothing', summary: `Replaced nothing: ${quoted(from)} is the same`, details: [], changed: [] },
    };
  const answers = calls.map(({ id: callId }) => results.get(callId));
  if (answers.some((answer) => answer === undefined)) return { calls, last: true };
  return replaced(from, to, answers as ToolResult[]);
}

/** Replacing an address or a path means links too; replacing a word does not. */
function isAddress(text: string): boolean {
  return /[/:#@]|\w\.[a-z]{2}/i.test(text);
}

function replaced(from: string, to: string, answers: readonly ToolResult[]): Progress {
  const good = answers.filter(({ isError }) => !isError);
  const numbers = answers.map(({ output }) => readReplacements(output));
  const left = new Map<string, number>();
  for (const one of numbers) for (const [where, n] of one.left) left.set(where, (left.get(where) ?? 0) + n);
  const notes = leftNotes(left);
  const [files, places] = [sum(numbers.map((one) => one.files)), sum(numbers.map((one) => one.count))];
  if (good.length === 0) {
    const absent = answers.every(({ output }) => /does not occur/.test(output));
    if (!absent)
      return refusal(
        `Could not replace ${quoted(from)}`,
        answers.find(({ output }) => !/does not occur/.test(output))!,
      );
    const details =
      notes.length > 0 ? notes : ['The text is nowhere in the pages that were searched; upper and lower case count.'];
    return { outcome: { kind: 'nothing', summary: `Found no ${quoted(from)} to replace`, details, changed: [] } };
  }
  const failed = answers.filter(({ isError, output }) => isError && !/does not occur/.test(output)).map(firstLine);
  const details = [`${quoted(from, 60)} became ${quoted(to, 60)} in ${count(places, 'place')}.`, ...notes, ...failed];
  return done(`Replaced ${quoted(from)} with ${quoted(to)} in ${count(files, 'file')}`, details, good);
}

function leftNotes(left: ReadonlyMap<string, number>): string[] {
  const notes: [string, (n: number) => string][] = [
    ['code', (n) => `Left ${count(n, 'occurrence')} in code alone; say “in code too” to change these.`],
    [
      'longer words',
      (n) => `Left ${count(n, 'occurrence')} inside longer words alone; say “also inside words” to change these.`,
    ],
    ['links', (n) => `Left ${count(n, 'occurrence')} in link targets alone, which would break.`],
    ['markup', (n) => `Left ${count(n, 'occurrence')} in tags, imports and settings alone.`],
  ];
  return notes.flatMap(([where, note]) => (left.has(where) ? [note(left.get(where)!)] : []));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Checks, then mends what has one clear answer; large numbers in several answers. */
export function fixLinks(id: string, results: Results, check: Record<string, unknown>): Progress {
  const checked = results.get(`${id}.1`);
  if (!checked) return { calls: [call(`${id}.1`, 'check', check)], last: false };
  if (checked.isError) return refusal('Could not check the links', checked);
  const broken = readProblems(checked.output).filter(({ code }) => LINK_PROBLEMS.has(code));
  const fixable = distinct(broken.filter(({ suggestion, target }) => suggestion !== null && target !== null));
  const calls = fixable.slice(0, TARGETS_A_STEP * MENDING_STEPS).map(({ path, target, suggestion }, i) =>
    call(`${id}.2.${i + 1}`, 'edit', {
      path,
      oldText: target,
      newText: suggestion,
      linkTargets: true,
      replaceAll: true,
    }),
  );
  const open = calls.filter(({ id: callId }) => !results.get(callId));
  if (open.length > 0) return { calls: open.slice(0, TARGETS_A_STEP), last: open.length <= TARGETS_A_STEP };
  const answers = calls.map(({ id: callId }) => results.get(callId)!);
  return mended(broken, fixable.slice(calls.length), answers);
}

function mended(
  broken: readonly ReportedProblem[],
  beyond: readonly ReportedProblem[],
  answers: readonly ToolResult[],
): Progress {
  const good = answers.filter(({ isError }) => !isError);
  const fixed = sum(good.map(({ output }) => readReplacements(output).count));
  const unsure = broken.filter(({ code, suggestion }) => suggestion === null && code !== 'redirected-link');
  const details = answers.filter(({ isError }) => isError).map(firstLine);
  if (unsure.length > 0) {
    const shown = unsure.slice(0, 10).map(({ path, target }) => `\`${target}\` in ${path}`);
    const more = unsure.length > shown.length ? ` and ${unsure.length - shown.length} more` : '';
    details.push(`Found no clear target for ${count(unsure.length, 'broken link')}: ${shown.join(', ')}${more}.`);
  }
  if (beyond.length > 0) details.push(`${count(beyond.length, 'more link')} can be fixed by asking again.`);
  if (good.length > 0) {
    const files = new Set(good.flatMap(({ output }) => readChanged(output))).size;
    return done(`Fixed ${count(fixed, 'broken link')} in ${count(files, 'file')}`, details, good);
  }
  const summary =
    unsure.length === 0 ? 'Found no broken links' : `Fixed none of ${count(unsure.length, 'broken link')}`;
  return { outcome: { kind: 'nothing', summary, details, changed: [] } };
}

function distinct(problems: readonly ReportedProblem[]): ReportedProblem[] {
  return [...new Map(problems.map((problem) => [`${problem.path}\n${problem.target}`, problem])).values()];
}

function addPage(
  { title, path, group, text }: Extract<Instruction, { kind: 'add-page' }>,
  id: string,
  results: Results,
): Progress {
  const place = path ?? slugger()(title!);
  const name = title ?? titleFromPath(place);
  const listed = results.get(`${id}.1`);
  if (!listed) return { calls: [call(`${id}.1`, 'list', { glob: `${globName(place)}*` })], last: false };
  const site = readSiteLine(listed.output);
  if (listed.isError || !site) return refusal(`Could not add the page ${quoted(name)}`, listed);
  const extension = /\.\w+$/.exec(place)?.[0] ?? site.extension;
  const write = call(`${id}.2`, 'write', {
    path: place,
    content: newPageText(name, text, { ...site, extension }),
    mode: 'create',
    ...(site.configured ? { navigation: true } : {}),
    ...(group === null ? {} : { group }),
  });
  const written = results.get(write.id);
  if (!written) return { calls: [write], last: true };
  if (written.isError) return refusal(`Could not add the page ${quoted(name)}`, written);
  return done(`Added the page ${quoted(name, 40)}`, [firstLine(written)], [written]);
}

/** The last part of a path as a glob that means it literally. */
function globName(path: string): string {
  const name = path
    .replace(/\/+$/, '')
    .split('/')
    .at(-1)!
    .replace(/\.\w+$/, '');
  return name.replace(/[^\p{L}\p{N}._-]/gu, '?').slice(0, 100);
}

function sectionText({ heading, text }: { heading: string; text: string | null }): string {
  return text === null ? `## ${heading}` : `## ${heading}\n\n${text.trim()}`;
}

function append({ page }: { page: string }, text: string, what: string, id: string, results: Results): Progress {
  const asMdx = parsableAsMdx(text);
  let content = text;
  if (asMdx !== text && !/\.(md|markdown)$/i.test(page)) {
    // Only MDX needs the escapes, and the page's name may not tell.
    const listed = results.get(`${id}.0`);
    if (!listed && !/\.mdx$/i.test(page))
      return { calls: [call(`${id}.0`, 'list', { glob: `${globName(page)}.mdx` })], last: false };
    if (!listed || /^[1-9]\d* files? match /m.test(listed.output)) content = asMdx;
  }
  const write = call(`${id}.1`, 'write', { path: page, content, mode: 'append' });
  const written = results.get(write.id);
  if (!written) return { calls: [write], last: true };
  if (written.isError) return refusal(`Could not add ${what} to ${page}`, written);
  const [file = page] = readChanged(written.output);
  return done(`Added ${what} to ${file}`, [firstLine(written)], [written]);
}

function move(
  { from, to }: Extract<Instruction, { kind: 'move' }>,
  id: string,
  results: Results,
  again: boolean,
): Progress {
  const input = call(`${id}.1`, 'move', { from, to, ...(again ? { overwrite: true } : {}) });
  const moved = results.get(input.id);
  if (!moved) return { calls: [input], last: true };
  if (moved.isError) return refusal(`Could not move ${from}`, moved);
  const [, source = from, target = to] = /^(?:Moved|Already moved:) (.*?) to (.*?):/.exec(firstLine(moved)) ?? [];
  const short = `Moved ${source} to ${target}`;
  return done(
    short.length <= 72 ? short : `Moved ${baseName(source)} to ${baseName(target)}`,
    [firstLine(moved)],
    [moved],
  );
}

function baseName(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) ?? path;
}

function retitle({ page, title }: Extract<Instruction, { kind: 'retitle' }>, id: string, results: Results): Progress {
  const read = results.get(`${id}.1`);
  if (!read) return { calls: [call(`${id}.1`, 'read', { path: page, limit: 200 })], last: false };
  const summary = `Changed the title of ${page} to ${quoted(title, 30)}`;
  if (read.isError) return refusal(`Could not change the title of ${page}`, read);
  const [file = page] = read.output.split('\n');
  const edits = titleEdits(readLines(read.output), title);
  if (edits === null) {
    return {
      outcome: {
        kind: 'refused',
        summary: `Could not change the title of ${page}`,
        details: [`${file} has no title line in its front matter and no heading.`],
        changed: [],
      },
    };
  }
  if (edits.length === 0)
    return { outcome: { kind: 'nothing', summary: `${page} has this title already`, details: [], changed: [] } };
  const calls = edits.map(([oldText, newText], i) =>
    call(`${id}.2.${i + 1}`, 'edit', { path: file, oldText, newText }),
  );
  const answers = calls.map(({ id: callId }) => results.get(callId));
  if (answers.some((answer) => !answer)) return { calls, last: true };
  const failed = answers.find((answer) => answer!.isError);
  if (failed) return refusal(`Could not change the title of ${page}`, failed);
  return done(summary, [], answers as ToolResult[]);
}

/** Edits of the front matter's title and of a first heading that repeats it. Null where the page has neither. */
function titleEdits(lines: readonly string[], title: string): [oldText: string, newText: string][] | null {
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  const inFront = end === -1 ? -1 : lines.findIndex((line, i) => i > 0 && i < end && line.startsWith('title:'));
  const oldTitle = inFront === -1 ? null : lines[inFront]!.replace(/^title:\s*["']?|["']?\s*$/g, '');
  const heading = lines.findIndex((line, i) => i > end && line.startsWith('# '));
  const headingText = heading === -1 ? null : lines[heading]!.replace(/^# +| *#* *$/g, '');
  const found: [number, string | null][] = [];
  if (inFront !== -1) found.push([inFront, retitledLine(lines[inFront]!, title)]);
  if (heading !== -1 && (inFront === -1 || headingText === oldTitle)) found.push([heading, `# ${title}`]);
  if (found.length === 0 || found.some(([, line]) => line === null)) return null;
  return found
    .filter(([at, line]) => lines[at] !== line)
    .map(([at, line]) => {
      // With the lines around it, a short title is still found in one place only.
      const [before, after] = [lines.slice(Math.max(0, at - 1), at), lines.slice(at + 1, at + 2)];
      return [[...before, lines[at], ...after].join('\n'), [...before, line, ...after].join('\n')];
    });
}

function remove(
  { page, redirectTo }: Extract<Instruction, { kind: 'delete' }>,
  id: string,
  results: Results,
): Progress {
  const input = call(`${id}.1`, 'delete', { path: page, ...(redirectTo === null ? { unlink: true } : { redirectTo }) });
  const removed = results.get(input.id);
  if (!removed) return { calls: [input], last: true };
  if (removed.isError) return refusal(`Could not delete ${page}`, removed);
  const [, file = page] = /^(?:Deleted|Already deleted:) (.*?)[:.](?: |$)/.exec(firstLine(removed)) ?? [];
  const still = /^Still linked from .*$/m.exec(removed.output)?.[0];
  return done(`Deleted ${file}`, [firstLine(removed), ...(still ? [still] : [])], [removed]);
}
