import type { DiffLine } from '@docent/client';
import { diffWordsWithSpace } from 'diff';

/** From and to, in characters of a line. */
export type Range = readonly [from: number, to: number];

/** A line beside what it replaces. `left` and `right` are the same line if nothing changed. */
export interface Pair {
  left: DiffLine | null;
  right: DiffLine | null;
}

/** Longer lines are marked as a whole: comparing words takes quadratic time. */
const MAX_LINE = 1_500;

/** Lines side by side: removed ones beside their replacements. */
export function pairsOf(lines: readonly DiffLine[]): Pair[] {
  const pairs: Pair[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = () => {
    for (let i = 0; i < Math.max(removed.length, added.length); i++)
      pairs.push({ left: removed[i] ?? null, right: added[i] ?? null });
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === 'del') {
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.kind === 'add') added.push(line);
    else if (line.kind === 'same') {
      flush();
      pairs.push({ left: line, right: line });
    }
  }
  flush();
  return pairs;
}

/**
 * The changes within lines that replace one another. Lines with little in common have no entry: they changed
 * completely.
 */
export function changedWords(lines: readonly DiffLine[]): Map<DiffLine, Range[]> {
  const found = new Map<DiffLine, Range[]>();
  for (const { left, right } of pairsOf(lines)) {
    if (!left || !right || left === right) continue;
    if (left.text.length > MAX_LINE || right.text.length > MAX_LINE) continue;
    const [removed, added]: [Range[], Range[]] = [[], []];
    let [at, to, common] = [0, 0, 0];
    for (const part of diffWordsWithSpace(left.text, right.text)) {
      const { length } = part.value;
      if (part.added) {
        added.push([to, to + length]);
        to += length;
      } else if (part.removed) {
        removed.push([at, at + length]);
        at += length;
      } else {
        at += length;
        to += length;
        common += part.value.trim().length;
      }
    }
    if (common * 3 < Math.max(left.text.trim().length, right.text.trim().length)) continue;
    found.set(left, removed);
    found.set(right, added);
  }
  return found;
}
