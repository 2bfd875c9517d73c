import { similarity } from '@docent/docs-check/read/similar-text';
import type { VisibleText } from '@docent/docs-check/read/visible-text';
import { excerpt, listed } from './bounded-output.ts';
import { lineEnd, lineStart, numberedLine } from './line-bounds.ts';
import { findLoosely } from './loose-text.ts';

const MAX_LINES_SHOWN = 12;
/** Lines that are compared letter by letter: those that share most words. */
const MAX_COMPARED = 300;

/** The passages of a file that are most similar to a missing text, with line numbers; empty if none is. */
export function nearestPassage(visible: VisibleText, wanted: string): string {
  const loose = findLoosely(visible.text, wanted);
  if (loose) {
    const differences = loose.differences.length > 0 ? listed(loose.differences) : 'several ways at once';
    return (
      `It differs in ${differences} from this ` +
      `passage:\n${numberedLines(visible, loose.start, loose.end)}\nCopy the text exactly from there, ` +
      'without the line numbers.'
    );
  }
  const near = mostAlike(visible.text, wanted);
  if (!near) return '';
  return (
    `The nearest passage is:\n${numberedLines(visible, near.start, near.end)}\nCopy the text exactly as ` +
    'the file has it, without the line numbers.'
  );
}

/** Lines around the one most similar to the longest line of the wanted text: as many as that has. */
function mostAlike(text: string, wanted: string): { start: number; end: number } | null {
  const wantedLines = wanted.trim().split('\n');
  const longest = wantedLines.toSorted((a, b) => b.length - a.length)[0]!;
  const words = wordsOf(longest);
  const candidates: { shared: number; start: number; end: number }[] = [];
  for (let start = 0; start < text.length;) {
    const end = lineEnd(text, start);
    const shared = sharedWords(text.slice(start, end), words);
    if (shared > 0) candidates.push({ shared, start, end });
    start = end + 1;
  }
  let best: { score: number; start: number; end: number } | null = null;
  for (const { shared, start, end } of candidates.toSorted((a, b) => b.shared - a.shared).slice(0, MAX_COMPARED)) {
    const score = Math.max(similarity(text.slice(start, end).trim(), longest.trim()), shared * 0.9);
    if (!best || score > best.score) best = { score, start, end };
  }
  if (!best || best.score < 0.4) return null;
  const at = wantedLines.indexOf(longest);
  return { start: back(text, best.start, at), end: on(text, best.end, wantedLines.length - at - 1) };
}

/** The lines of a passage and one more on either side, with their numbers in the file. */
export function linesAround(visible: VisibleText, start: number, end: number): string {
  const { text } = visible;
  const last = lineEnd(text, Math.max(start, end - 1));
  return numberedLines(visible, back(text, lineStart(text, start), 1), on(text, last, 1));
}

/** The beginning of the line this many lines before. */
function back(text: string, start: number, lines: number): number {
  let at = start;
  for (let n = 0; n < lines && at > 0; n++) at = lineStart(text, at - 1);
  return at;
}

/** The end of the line this many lines after. */
function on(text: string, end: number, lines: number): number {
  let at = end;
  for (let n = 0; n < lines && at < text.length; n++) at = lineEnd(text, at + 1);
  return at;
}

/** How many of the words a line has, from 0 to 1. */
function sharedWords(line: string, words: ReadonlySet<string>): number {
  if (words.size === 0) return 0;
  const own = wordsOf(line);
  return [...words].filter((word) => own.has(word)).length / words.size;
}

function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 1),
  );
}

/** The lines that a part of the text touches, with their numbers in the file. */
export function numberedLines(visible: VisibleText, start: number, end: number): string {
  let from = lineStart(visible.text, start);
  const lines: string[] = [];
  while (from <= end && (from < visible.text.length || from === 0) && lines.length < MAX_LINES_SHOWN) {
    const stop = lineEnd(visible.text, from);
    lines.push(numberedLine(visible.lineAt(from), excerpt(visible.text.slice(from, stop), 500)));
    from = stop + 1;
  }
  return lines.join('\n');
}
