import { similarity } from '../content/similar-text.ts';
import type { VisibleText } from '../visible-text.ts';
import { excerpt } from './bounded-output.ts';

const MAX_LINES_SHOWN = 12;

/** Says what in a file comes nearest to a text that is not in it, with line numbers; empty where nothing does. */
export function nearestPassage(visible: VisibleText, wanted: string): string {
  const loose = looseMatch(visible.text, wanted);
  if (loose) {
    return `It differs in ${loose.difference} from this passage:\n${numbered(visible, loose.start, loose.end)}`;
  }
  const near = mostAlike(visible.text, wanted);
  return near ? `The nearest passage is:\n${numbered(visible, near.start, near.end)}` : '';
}

function looseMatch(text: string, wanted: string): { start: number; end: number; difference: string } | null {
  const lower = text.toLowerCase();
  const at = lower.length === text.length ? lower.indexOf(wanted.toLowerCase()) : -1;
  if (at !== -1) return { start: at, end: at + wanted.length, difference: 'upper and lower case' };
  const squeezed = squeeze(text);
  const short = squeeze(wanted).text.trim();
  const found = short === '' ? -1 : squeezed.text.indexOf(short);
  if (found === -1) return null;
  const end = squeezed.offsets[found + short.length - 1]! + 1;
  return { start: squeezed.offsets[found]!, end, difference: 'blanks or line breaks' };
}

/** A text with every run of blanks as one, and where each of its characters came from. */
function squeeze(text: string): { text: string; offsets: number[] } {
  const offsets: number[] = [];
  let squeezed = '';
  for (let i = 0; i < text.length; i++) {
    const blank = /\s/.test(text[i]!);
    if (blank && squeezed.endsWith(' ')) continue;
    squeezed += blank ? ' ' : text[i]!;
    offsets.push(i);
  }
  return { text: squeezed, offsets };
}

/** The lines around the one that is most like the longest line of the wanted text. */
function mostAlike(text: string, wanted: string): { start: number; end: number } | null {
  const wantedLines = wanted.trim().split('\n');
  const longest = wantedLines.toSorted((a, b) => b.length - a.length)[0]!.trim();
  const words = wordsOf(longest);
  let best: { score: number; start: number; end: number } | null = null;
  for (let start = 0; start < text.length;) {
    const stop = text.indexOf('\n', start);
    const end = stop === -1 ? text.length : stop;
    const line = text.slice(start, end).trim();
    const shared = line === '' ? 0 : sharedWords(line, words);
    // Comparing letter by letter is for lines that share a word.
    if (shared > 0) {
      const score = Math.max(similarity(line, longest), shared * 0.9);
      if (!best || score > best.score) best = { score, start, end };
    }
    start = end + 1;
  }
  return best && best.score >= 0.4 ? best : null;
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

function numbered(visible: VisibleText, start: number, end: number): string {
  let from = visible.text.lastIndexOf('\n', start - 1) + 1;
  const lines: string[] = [];
  while (from <= end && lines.length < MAX_LINES_SHOWN) {
    const stop = visible.text.indexOf('\n', from);
    const lineEnd = stop === -1 ? visible.text.length : stop;
    lines.push(`${String(visible.lineAt(from)).padStart(5)}\t${excerpt(visible.text.slice(from, lineEnd), 500)}`);
    from = lineEnd + 1;
  }
  return lines.join('\n');
}
