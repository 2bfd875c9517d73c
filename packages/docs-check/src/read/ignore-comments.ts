import type { IgnoreComment, Opaque } from './page-facts.ts';
import { TextLines } from './text-lines.ts';

/**
 * `<!-- docent-ignore-… -->` and `{/* docent-ignore-… *\/}`; the length in between is limited, and so is the
 * time.
 */
const COMMENT = /(?:<!--|\{\s{0,20}\/\*)\s{0,20}docent-ignore\b([^]{0,2000}?)(?:-->|\*\/\s{0,20}\})/g;
const SCOPE = /^-(next-line|file|start)(?![\w-])/;
const MAX_COMMENTS = 1_000;

const HOW = 'write `docent-ignore-next-line missing-page: why this is intentional`';

/**
 * A page's comments about intentional problems: for the next non-empty line, for a block (`-start` to
 * `-end`), or for the whole file. Includes comments without a code or a reason, with the mistake.
 * @param opaque the page's comments, sorted: a comment in code does not count
 */
export function ignoreComments(text: string, opaque: readonly Opaque[]): IgnoreComment[] {
  if (!text.includes('docent-ignore')) return [];
  const lines = new TextLines(text);
  const last = lines.lineAt(text.length);
  const found: IgnoreComment[] = [];
  const open: IgnoreComment[] = [];
  let next = 0;
  for (const match of text.matchAll(COMMENT)) {
    if (found.length >= MAX_COMMENTS) break;
    const [{ length }, said = ''] = match;
    while (next < opaque.length && opaque[next]!.end <= match.index) next++;
    const around = opaque[next];
    if (around?.kind !== 'comment' || around.start > match.index) continue;
    const place = lines.placeOf(match.index);
    const endLine = lines.lineAt(match.index + length - 1);
    if (/^-end\s*$/.test(said)) {
      const started = open.pop();
      if (started) started.to = place.line;
      else found.push(invalid(place, 'no docent-ignore-start comes before it'));
      continue;
    }
    const comment = read(said.trimEnd(), place);
    found.push(comment);
    if (comment.problem !== undefined) continue;
    if (comment.scope === 'file') comment.to = last;
    else if (comment.scope === 'line') comment.from = comment.to = nextLine(text, match.index + length, endLine);
    else {
      comment.from = endLine;
      open.push(comment);
    }
  }
  for (const comment of open) comment.problem = 'no docent-ignore-end follows it';
  return found;
}

function read(said: string, place: { line: number; column: number }): IgnoreComment {
  const [{ length } = '', scope] = SCOPE.exec(said) ?? [];
  const [list = '', why] = split(said.slice(length), ':');
  if (scope === undefined || !/^[\w\s,-]*$/.test(list))
    return invalid(place, `its format is invalid: ${HOW}, or use -file, or -start and -end`);
  const codes = [...new Set(list.split(/[\s,]+/).filter(Boolean))];
  const reason = (why ?? '').replace(/\s+/g, ' ').trim();
  const SCOPES = { 'next-line': 'line', file: 'file', start: 'block' } as const;
  const comment: IgnoreComment = {
    scope: SCOPES[scope as keyof typeof SCOPES],
    codes,
    reason,
    ...place,
    from: 1,
    to: 1,
  };
  if (codes.length === 0) comment.problem = `it does not name problem codes: ${HOW}`;
  else if (reason === '') comment.problem = `it gives no reason: ${HOW}`;
  return comment;
}

/** In two, at the first mark. */
function split(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function invalid(place: { line: number; column: number }, problem: string): IgnoreComment {
  return { scope: 'line', codes: [], reason: '', ...place, from: 1, to: 1, problem };
}

/** The first line after the comment's that has something in it. */
function nextLine(text: string, end: number, endLine: number): number {
  let line = endLine;
  for (let at = text.indexOf('\n', end); at !== -1; at = text.indexOf('\n', at + 1)) {
    line += 1;
    const next = text.indexOf('\n', at + 1);
    if (text.slice(at + 1, next === -1 ? undefined : next).trim() !== '') return line;
  }
  return line;
}
