import { literalPattern } from './literal-pattern.ts';
import { RE2JS } from 're2js';
import { z } from 'zod';
import { secretFileNoun } from '@docent/git/secret-files';
import { pageFormatOf } from '@docent/docs-check/read/page-format';
import { visibleName, type VisibleText } from '@docent/docs-check/read/visible-text';
import { queryWords } from '@docent/docs-check/search/query-words';
import { occurrencesOf } from '@docent/base/canonical';
import { plural } from '@docent/base/plural';
import { boundedLines, excerpt, listed } from './bounded-output.ts';
import { lineEnd, lineStart } from './line-bounds.ts';
import { matching } from './list.ts';
import { findFile, findFolder } from './page-reference.ts';
import { rankedSearch, type RankedAnswer, type RankedQuery } from './ranked-search.ts';
import { defineTool, ToolRefusal, type ToolOutcome } from './tool.ts';
import type { DataOf } from '@docent/models/conversation/tool-data';
import { versionOf, type ToolSession } from './tool-session.ts';

const MAX_MATCHES = 2_000;
/** Matches that are kept as data, beside the text. */
const MAX_HITS = 200;
const MAX_SECONDS = 10;
/** A longer text could be compared almost to its end at each position. */
const MAX_BUILT_IN = 200;
/** A longer text is a passage. */
const MAX_QUESTION = 300;
const SEVERAL_WORDS = /\s|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{4}/u;

const schema = z.strictObject({
  query: z.string().min(1).max(2_000).describe('Text to look for, a regular expression, or a question.'),
  regex: z
    .boolean()
    .optional()
    .describe('The query is a regular expression (RE2 syntax: no lookaround, no back-references).'),
  ranked: z
    .boolean()
    .optional()
    .describe('Rank pages by how well they fit the query: a question or a subject in words. Default: exact text.'),
  ignoreCase: z.boolean().optional(),
  path: z.string().max(2_000).optional().describe('Only in this file or folder.'),
  glob: z.string().max(500).optional().describe('Only in files that match, e.g. *.mdx or guides/**.'),
  context: z.number().int().min(0).max(10).optional().describe('Lines to show before and after each match; default 0.'),
  outsideCode: z.boolean().optional().describe('Skip code fences and inline code.'),
  limit: z
    .number()
    .int()
    .min(1)
    .max(MAX_MATCHES)
    .optional()
    .describe('Matching lines to show, default 200; with ranked, pages, default 10.'),
  offset: z.number().int().min(1).optional().describe('First match to show, from 1, to continue after a limit.'),
});

export const searchTool = defineTool({
  name: 'search',
  description:
    'Searches all files, or some. Finds exact text or a regular expression, and shows path:line: text, ' +
    'one line per line that matches; lines of context have a - before their text. Finds pages for a ' +
    'question or subject with ranked: true ("how do I set up a custom domain"), best first, with the ' +
    'lines to read; it does so too where a query of several words does not occur exactly.',
  schema,
  example: { query: 'retry', path: 'guides', ignoreCase: true },
  readOnly: true,
  run(input, session) {
    if (input.ranked) return ranked(input, session);
    const find = finder(input.query, input.regex ?? false, input.ignoreCase ?? false);
    const [inPath, inGlob] = [scope(session, input.path), scope(session, input.glob)];
    const [first, limit] = [input.offset ?? 1, input.limit ?? 200];
    const deadline = performance.now() + MAX_SECONDS * 1_000;
    const shown: string[] = [];
    const hits: NonNullable<DataOf<'search'>['hits']> = [];
    let [matches, files, kept, late] = [0, 0, 0, false];
    for (const path of session.workspace.paths()) {
      if (!inPath(path) || !inGlob(path) || session.workspace.kind(path) !== 'text') continue;
      if (performance.now() > deadline) {
        late = true;
        break;
      }
      const file = session.visible(path);
      const found = file ? matchesIn(session, path, file, find, input.outsideCode ?? false) : [];
      if (!file || found.length === 0) continue;
      const wanted = found.slice(Math.max(0, first - 1 - matches), Math.max(0, first - 1 + limit - matches));
      files++;
      matches += found.length;
      if (wanted.length === 0) continue;
      shown.push(...passages(path, file, wanted, input.context ?? 0));
      const lines = wanted.slice(0, MAX_HITS - kept).map(({ at }) => file.lineAt(at));
      kept += lines.length;
      if (lines.length > 0) hits.push({ path, version: versionOf(session, path), lines });
    }
    const secrets = input.path === undefined && input.glob === undefined ? [] : notSearched(session, inPath, inGlob);
    const stopped = (late ? slow() : '') + secretsLine(secrets);
    const data = { tool: 'search', matches, files, hits } as const;
    if (matches === 0)
      return late || !isQuestion(input) ? { text: nothing(input) + stopped, data } : fallback(input, session);
    if (first > matches) {
      return { text: `There are only ${plural(matches, 'matching line')}: nothing from ${first} on.${stopped}`, data };
    }
    const last = Math.min(matches, first - 1 + limit);
    const summary = `${plural(matches, 'line')} in ${plural(files, 'file')}.${someOf(first, last, matches)}${stopped}`;
    const rest = (left: number) => `… ${plural(left, 'more line')}: narrow the query or give a glob. ${summary}`;
    return { text: boundedLines([...shown, summary], rest), data };
  },
});

type Input = z.infer<typeof schema>;

function ranked(input: Input, session: ToolSession): ToolOutcome {
  if (input.regex) throw new ToolRefusal('A regular expression is not ranked. Give regex or ranked, not both.');
  const { text, pages } = rankedSearch(session, rankedQuery(input, session));
  const ignored = (['context', 'outsideCode'] as const).filter((name) => input[name]);
  const note = ignored.length === 0 ? '' : ` A ranked search takes no ${ignored.join(' and no ')}.`;
  return { text: text + note, data: rankedData(pages) };
}

/** A text of several words without a match may be a question. A search outside code wants the exact text. */
function isQuestion({ query, regex, outsideCode, offset }: Input): boolean {
  if (regex || outsideCode || offset !== undefined || query.length > MAX_QUESTION) return false;
  return SEVERAL_WORDS.test(query.trim()) && queryWords(query).length >= 2;
}

function fallback(input: Input, session: ToolSession): ToolOutcome {
  const { text, pages } = rankedSearch(session, rankedQuery({ ...input, limit: undefined }, session));
  return { text: `${nothing(input)}\n${text}`, data: rankedData(pages) };
}

/** No page counts as a match: some always rank best, so an agent that only rephrases has found nothing. */
function rankedData(ranked: RankedAnswer['pages']): DataOf<'search'> {
  return { tool: 'search', matches: 0, files: 0, hits: [], ranked };
}

function rankedQuery({ query, path, glob, offset, limit }: Input, session: ToolSession): RankedQuery {
  const [inPath, inGlob] = [scope(session, path), scope(session, glob)];
  const scoped = path !== undefined || glob !== undefined;
  return {
    query,
    inScope: scoped ? (one) => inPath(one) && inGlob(one) : null,
    first: offset ?? 1,
    pages: limit,
    deadline: performance.now() + MAX_SECONDS * 1_000,
  };
}

function someOf(first: number, last: number, all: number): string {
  if (first === 1 && last === all) return '';
  const more = last < all ? ` Continue with offset ${last + 1}, narrow the query or give a glob.` : '';
  return first === 1 ? ` The first ${last} are shown.${more}` : ` ${first} to ${last} are shown.${more}`;
}

/** Models give up after an empty result, so it explains possible causes. */
function nothing({ query, regex, ignoreCase }: Input): string {
  const hints = [
    ...(!regex && /[.\w)\]][*+]|\\[bdsw]|[^|]\|[^|]|^\^|\$$/.test(query)
      ? ['It was treated as plain text; for a regular expression give regex: true.']
      : []),
    ...(!ignoreCase && /\p{L}/u.test(query) ? ['Case matters unless you pass ignoreCase: true.'] : []),
  ];
  return [`No match for ${JSON.stringify(query)}.`, ...hints].join(' ');
}

function slow(): string {
  return ` The search was stopped after ${MAX_SECONDS} seconds and is not complete; give a narrower glob.`;
}

/** If such a file is named, the answer explains why nothing is found in it. */
function notSearched({ workspace }: ToolSession, ...scopes: ((path: string) => boolean)[]): string[] {
  return workspace.paths().filter((path) => scopes.every((has) => has(path)) && secretFileNoun(path) !== null);
}

function secretsLine(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  return ` Not searched, because files with such names hold secrets: ${listed(paths.map(visibleName))}.`;
}

type Find = (text: string) => Iterable<number>;

/** Offsets of matches. Both kinds take time in proportion to the text. */
function finder(query: string, regex: boolean, ignoreCase: boolean): Find {
  const flags = RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  let expression: RE2JS;
  if (!regex && !ignoreCase) return (text) => starts(text, query);
  // Without repetition there is no backtracking, and the built-in engine is ten times as fast.
  if (!regex && query.length <= MAX_BUILT_IN) return literalFinder(query);
  try {
    expression = RE2JS.compile(regex ? query : RE2JS.quote(query), flags);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new ToolRefusal(
      `${JSON.stringify(query)} is not a regular expression that RE2 supports: ${reason}. Without regex it is plain text.`,
    );
  }
  return (text) => (expression.test(text) ? expressionMatches(expression, text) : []);
}

function literalFinder(query: string): Find {
  const forms = new Set([query, query.normalize('NFC'), query.normalize('NFD')]);
  const expression = new RegExp([...forms].map(literalPattern).join('|'), 'giu');
  return function* (text) {
    expression.lastIndex = 0;
    for (let match = expression.exec(text); match; match = expression.exec(text)) yield match.index;
  };
}

function* starts(text: string, query: string): Generator<number> {
  for (const [start] of occurrencesOf(text, query)) yield start;
}

function* expressionMatches(expression: RE2JS, text: string): Generator<number> {
  const matcher = expression.matcher(text);
  while (matcher.find()) yield matcher.start();
}

/** The files of a glob, a file or a folder. */
export function scope(session: ToolSession, glob: string | undefined): (path: string) => boolean {
  if (glob === undefined) return () => true;
  if (!/[*?[{]/.test(glob)) {
    const folder = findFolder(session, glob);
    if (folder !== null) return (path) => folder === '' || path.startsWith(`${folder}/`);
    const file = findFile(session, glob);
    if (file !== null) return (path) => path === file;
    throw new ToolRefusal(`There is no file or folder ${visibleName(glob)}.`);
  }
  return matching(session, glob);
}

/** The starts of lines with a match, and the first match in each. */
interface Match {
  start: number;
  at: number;
}

function matchesIn(
  session: ToolSession,
  path: string,
  visible: VisibleText,
  find: Find,
  outsideCode: boolean,
): Match[] {
  let code: ReturnType<typeof codeOf> | null = null;
  const found: Match[] = [];
  let end = -1;
  for (const at of find(visible.text)) {
    if (at <= end) continue;
    if (outsideCode) {
      code ??= codeOf(session, path);
      if (inCode(visible, at, code)) continue;
    }
    end = lineEnd(visible.text, at);
    found.push({ start: lineStart(visible.text, at), at });
  }
  return found;
}

function codeOf(session: ToolSession, path: string): readonly { kind: string; start: number; end: number }[] {
  return pageFormatOf(path) ? (session.docs.facts(path)?.opaque ?? []) : [];
}

/** The matching lines as `path:line: text`, and the requested context as `path:line- text`. */
function passages(path: string, visible: VisibleText, matches: readonly Match[], context: number): string[] {
  const name = visibleName(path);
  const lines: string[] = [];
  let behind = 0;
  for (const [i, { start, at }] of matches.entries()) {
    const before = linesBefore(visible.text, start, context).filter((line) => line >= behind);
    if (context > 0 && lines.length > 0 && (before[0] ?? start) > behind) lines.push('--');
    for (const line of before) lines.push(entry(name, visible, line, '-'));
    lines.push(entry(name, visible, start, ':', { at, trim: context === 0 }));
    behind = nextLine(visible.text, start);
    const next = matches[i + 1]?.start ?? Infinity;
    for (let n = 0; n < context && behind < Math.min(next, visible.text.length); n++) {
      lines.push(entry(name, visible, behind, '-'));
      behind = nextLine(visible.text, behind);
    }
  }
  return lines;
}

/** Indentation is kept if context is shown: that is for edits, where spaces count. */
function entry(
  name: string,
  visible: VisibleText,
  start: number,
  mark: ':' | '-',
  { at, trim } = { at: start, trim: false },
): string {
  const text = visible.text.slice(start, nextLine(visible.text, start) - 1);
  return `${name}:${visible.lineAt(at)}${mark} ${excerpt(trim ? text.trim() : text, 300, at - start)}`.trimEnd();
}

function linesBefore(text: string, start: number, count: number): number[] {
  const starts: number[] = [];
  for (let at = start; at > 0 && starts.length < count;) {
    at = lineStart(text, at - 1);
    starts.unshift(at);
  }
  return starts;
}

/** The start of the next line; without one, the position after the text's end and a missing line break. */
function nextLine(text: string, start: number): number {
  return lineEnd(text, start) + 1;
}

function inCode(
  visible: VisibleText,
  at: number,
  code: readonly { kind: string; start: number; end: number }[],
): boolean {
  const [raw] = visible.rawRange(at, at);
  return code.some(({ kind, start, end }) => kind === 'code' && raw >= start && raw < end);
}
