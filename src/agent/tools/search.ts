import { RE2JS } from 're2js';
import { z } from 'zod';
import { pageFormatOf } from '../content/page-format.ts';
import { visibleName, type VisibleText } from '../visible-text.ts';
import { boundedLines, excerpt, plural } from './bounded-output.ts';
import { globTest } from './list.ts';
import { findFile, findFolder } from './page-reference.ts';
import { defineTool, ToolRefusal } from './tool.ts';
import type { ToolSession } from './tool-session.ts';

const MAX_MATCHES = 2_000;
const MAX_SECONDS = 10;

const schema = z.strictObject({
  query: z.string().min(1).max(2_000).describe('Text to look for, or a regular expression.'),
  regex: z
    .boolean()
    .optional()
    .describe('The query is a regular expression (RE2 syntax: no lookaround, no back-references).'),
  ignoreCase: z.boolean().optional(),
  glob: z.string().max(500).optional().describe('Only in files that match, or in this file or folder.'),
  outsideCode: z.boolean().optional().describe('Leave out what stands in code fences and inline code.'),
  limit: z.number().int().min(1).max(MAX_MATCHES).optional().describe('Lines to show; default 200.'),
});

export const searchTool = defineTool({
  name: 'search',
  description:
    'Searches all text files, or those that match a glob. Shows path:line: text, one line per line that matches.',
  schema,
  run(input, session) {
    const find = finder(input.query, input.regex ?? false, input.ignoreCase ?? false);
    const within = scope(session, input.glob);
    const limit = input.limit ?? 200;
    const deadline = performance.now() + MAX_SECONDS * 1_000;
    const lines: string[] = [];
    let [matches, files, late] = [0, 0, false];
    for (const path of session.workspace.paths()) {
      if (!within(path) || session.workspace.kind(path) !== 'text') continue;
      if (performance.now() > deadline) {
        late = true;
        break;
      }
      const found = matchesIn(session, path, find, input.outsideCode ?? false);
      if (found.length === 0) continue;
      files++;
      matches += found.length;
      if (lines.length < limit) lines.push(...found.slice(0, limit - lines.length));
    }
    if (matches === 0) return `No match for ${JSON.stringify(input.query)}.${late ? slow() : ''}`;
    const cut = matches > lines.length ? ` The first ${lines.length} are shown; narrow the query or give a glob.` : '';
    const summary = `${plural(matches, 'line')} in ${plural(files, 'file')}.${cut}${late ? slow() : ''}`;
    const rest = (left: number) => `… ${plural(left, 'more line')}: narrow the query or give a glob. ${summary}`;
    return boundedLines([...lines, summary], rest);
  },
});

function slow(): string {
  return ` The search was stopped after ${MAX_SECONDS} seconds and is not complete; give a narrower glob.`;
}

type Find = (text: string) => Iterable<number>;

/** Offsets of matches. Both kinds take time in proportion to the text. */
function finder(query: string, regex: boolean, ignoreCase: boolean): Find {
  const flags = RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  let expression: RE2JS;
  if (!regex && !ignoreCase) return (text) => occurrences(text, query);
  try {
    expression = RE2JS.compile(regex ? query : RE2JS.quote(query), flags);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new ToolRefusal(
      `${JSON.stringify(query)} is not a regular expression that RE2 takes: ${reason}. Without regex it is plain text.`,
    );
  }
  return (text) => (expression.test(text) ? expressionMatches(expression, text) : []);
}

function* occurrences(text: string, query: string): Generator<number> {
  for (let at = text.indexOf(query); at !== -1; at = text.indexOf(query, at + query.length)) yield at;
}

function* expressionMatches(expression: RE2JS, text: string): Generator<number> {
  const matcher = expression.matcher(text);
  while (matcher.find()) yield matcher.start();
}

/** Which files a glob, a file or a folder means. */
export function scope(session: ToolSession, glob: string | undefined): (path: string) => boolean {
  if (glob === undefined) return () => true;
  if (!/[*?[{]/.test(glob)) {
    const folder = findFolder(session, glob);
    if (folder !== null) return (path) => folder === '' || path.startsWith(`${folder}/`);
    const file = findFile(session, glob);
    if (file !== null) return (path) => path === file;
    throw new ToolRefusal(`There is no file or folder ${visibleName(glob)}.`);
  }
  const { root } = session.docs.site;
  const test = globTest(glob);
  return (path) => test(path) || (root !== '' && path.startsWith(`${root}/`) && test(path.slice(root.length + 1)));
}

function matchesIn(session: ToolSession, path: string, find: Find, outsideCode: boolean): string[] {
  const visible = session.visible(path);
  if (!visible) return [];
  const code = outsideCode && pageFormatOf(path) ? (session.docs.facts(path)?.opaque ?? []) : [];
  const lines: string[] = [];
  let lineEnd = -1;
  for (const at of find(visible.text)) {
    if (at <= lineEnd || (code.length > 0 && inCode(visible, at, code))) continue;
    const start = visible.text.lastIndexOf('\n', at - 1) + 1;
    const end = visible.text.indexOf('\n', at);
    lineEnd = end === -1 ? visible.text.length : end;
    const line = visible.text.slice(start, lineEnd);
    lines.push(`${visibleName(path)}:${visible.lineAt(at)}: ${excerpt(line.trim(), 300, at - start)}`);
  }
  return lines;
}

function inCode(
  visible: VisibleText,
  at: number,
  code: readonly { kind: string; start: number; end: number }[],
): boolean {
  const [raw] = visible.rawRange(at, at);
  return code.some(({ kind, start, end }) => kind === 'code' && raw >= start && raw < end);
}
