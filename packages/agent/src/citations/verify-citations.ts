import { createHash } from 'node:crypto';
import { pageFormatOf } from '@docent/docs-check/read/page-format';
import { commentsByPattern, VisibleText, visibleName, withoutInvisible } from '@docent/docs-check/read/visible-text';
import { queryWords } from '@docent/docs-check/search/query-words';
import { malformedPath } from '@docent/git/path-policy';
import { secretFileNoun } from '@docent/git/secret-files';
import type { Workspace } from '@docent/git/workspace';
import { excerpt } from '../tools/bounded-output.ts';
import { isWithin, linesOf, MAX_SHOWN_LINE, type Source } from '../sources/source.ts';
import type { CitedClaim } from './read-citations.ts';
import { whyUnsupported } from './supports.ts';

/** Lines of a source that the agent has read in the turn. */
export interface ReadLines {
  source: string;
  commit: string;
  path: string;
  first: number;
  last: number;
}

/** A citation that holds. */
export interface HeldCitation {
  page: string;
  /** The line of the page where the claim begins. */
  line: number;
  claim: string;
  source: string;
  repository: string;
  path: string;
  commit: string;
  fromLine: number;
  toLine: number;
  /** Hash of the cited lines, joined by line feeds, in hexadecimal. */
  sha256: string;
  /** The cited lines: {@link keptText}. */
  lines: string;
}

export type Verdict =
  | { ok: true; citation: HeldCitation }
  /** `onPage`: whether the page states the claim, so that it needs another source. */
  | { ok: false; reason: string; onPage: boolean };

const MAX_CLAIM = 500;
const LEAST_WORDS = 2;
/** A longer range supports anything. */
const MAX_CITED_LINES = 60;
/** So does a line of a minified file, which the agent saw in part. */
const MAX_CITED_CHARACTERS = 8_000;

/**
 * What citations are verified against: the pages with the turn's changes, its sources, and the lines that the
 * agent has read.
 */
export interface CitationContext {
  workspace: Workspace;
  sources: readonly Source[];
  reads: readonly ReadLines[];
}

/**
 * Whether a citation is valid: the page states the claim in that line. The lines exist at the turn's commit,
 * were read in the turn, and have the claim's numbers and names. Exact: nothing is guessed or completed.
 */
export function verifyCitation(cited: CitedClaim, context: CitationContext): Verdict {
  const line = statedIn(cited, context.workspace);
  if (typeof line === 'string') return { ok: false, reason: line, onPage: false };
  const found = citedLines(cited, context);
  if (typeof found === 'string') return { ok: false, reason: found, onPage: true };
  const { source, lines } = found;
  const unsupported = whyUnsupported(cited.claim, lines.join('\n'));
  if (unsupported !== null) return { ok: false, reason: unsupported, onPage: true };
  const { page, path, fromLine, toLine } = cited;
  const claim = collapsed(cited.claim);
  const { name, repository } = source;
  const at = { page, line, claim, source: name, repository, path, commit: source.commit!, fromLine, toLine };
  return { ok: true, citation: { ...at, sha256: hashOfLines(lines), lines: keptText(lines) } };
}

const MAX_KEPT = 4_000;

/** Lines as they are kept for people to see. */
export function keptText(lines: readonly string[]): string {
  return excerpt(lines.join('\n').replaceAll('\u0000', '\uFFFD'), MAX_KEPT);
}

/** The hash that identifies cited lines. */
export function hashOfLines(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

/** The line in which the page states the claim, or why it does not. */
function statedIn({ page, line, claim }: CitedClaim, workspace: Workspace): number | string {
  if (claim.length > MAX_CLAIM) return `The claim is longer than ${MAX_CLAIM} characters.`;
  if (withoutInvisible(claim) !== claim || /\p{C}/u.test(claim)) return 'The claim has invisible characters.';
  if (queryWords(claim).length < LEAST_WORDS)
    return 'The claim says too little: copy the whole statement from the page.';
  if (malformedPath(page) !== null || !pageFormatOf(page) || !workspace.inDocsDir(page)) {
    return `${JSON.stringify(visibleName(page))} is not a page of the docs.`;
  }
  const found = workspace.kind(page) === 'text' ? linesWithClaim(workspace.readText(page) ?? '', page, claim) : [];
  const [first] = found;
  if (!first) return 'The page does not have the claim word for word.';
  if (line === null) return first.start;
  const stated = found.find(({ start, end }) => line >= start && line <= end);
  return stated ? stated.start : `The page states the claim in line ${first.start}, not ${line}.`;
}

interface Stated {
  start: number;
  end: number;
}

/**
 * The lines where a page's visible text has the claim. White space counts as one space, and only whole words
 * match.
 */
export function linesWithClaim(raw: string, page: string, claim: string): Stated[] {
  const visible = new VisibleText(raw, commentsByPattern(raw, page));
  const wanted = collapsed(claim);
  let text = '';
  const begins: { at: number; line: number }[] = [];
  let offset = 0;
  for (const line of visible.text.split('\n')) {
    const own = collapsed(line);
    if (own !== '') {
      if (text !== '') text += ' ';
      begins.push({ at: text.length, line: visible.lineAt(offset) });
      text += own;
    }
    offset += line.length + 1;
  }
  const lineAt = (at: number) => begins.findLast((begin) => begin.at <= at)?.line ?? 1;
  const found: Stated[] = [];
  if (wanted === '') return found;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const isWhole = !joins(text[at - 1], wanted[0]) && !joins(wanted.at(-1), text[end]);
    if (isWhole) found.push({ start: lineAt(at), end: lineAt(end - 1) });
  }
  return found;
}

/** Whether two characters belong to one word. In scripts without spaces, none do. */
function joins(before: string | undefined, after: string | undefined): boolean {
  return isLetter(before) && isLetter(after);
}

function isLetter(one: string | undefined): boolean {
  return one !== undefined && /[\p{Script=Latin}\p{Script=Cyrillic}\p{N}_]/u.test(one);
}

function collapsed(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim();
}

function citedLines(
  cited: CitedClaim,
  { sources, reads }: CitationContext,
): { source: Source; lines: string[] } | string {
  const { path, fromLine, toLine } = cited;
  const source = sources.find(({ name }) => name === cited.source);
  if (!source?.base || source.commit === null)
    return `There is no source ${JSON.stringify(visibleName(cited.source))}.`;
  const { commit } = source;
  if (cited.commit !== null && (cited.commit.length < 7 || !commit.startsWith(cited.commit))) {
    return `The source ${source.name} was read at commit ${commit.slice(0, 12)}, not ${visibleName(cited.commit)}.`;
  }
  const where = `${source.name}:${visibleName(path)}`;
  const isReadable = malformedPath(path) === null && isWithin(source, path) && secretFileNoun(path) === null;
  const text = isReadable && source.base.file(path) ? source.base.readText(path) : null;
  if (text === null) return `There is no readable file ${where}.`;
  const all = linesOf(text);
  if (fromLine < 1 || toLine < fromLine || toLine > all.length) {
    return `${where} has ${all.length} lines: L${fromLine}-L${toLine} are not among them.`;
  }
  if (toLine - fromLine >= MAX_CITED_LINES) return `Cite at most ${MAX_CITED_LINES} lines: those that decide.`;
  const own = reads.filter((read) => read.source === source.name && read.commit === commit && read.path === path);
  for (let line = fromLine; line <= toLine; line++) {
    if (!own.some(({ first, last }) => line >= first && line <= last)) {
      return `You have not read line ${line} of ${where} in this turn.`;
    }
  }
  const lines = all.slice(fromLine - 1, toLine);
  const isShort =
    lines.join('\n').length <= MAX_CITED_CHARACTERS && lines.every(({ length }) => length <= MAX_SHOWN_LINE);
  return isShort ? { source, lines } : `The cited lines of ${where} are too long to prove a statement.`;
}
