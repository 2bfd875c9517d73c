import type { Opaque } from './page-facts.ts';

/** Sorts and joins; in overlaps, code and comments win over markup. */
export function mergedOpaque(opaque: readonly Opaque[]): Opaque[] {
  const strong = joined(opaque.filter(({ kind }) => kind !== 'markup'));
  const weak = joined(opaque.filter(({ kind }) => kind === 'markup'));
  const left: Opaque[] = [];
  let next = 0;
  for (const range of weak) {
    while (next < strong.length && strong[next]!.end <= range.start) next++;
    let from = range.start;
    for (let i = next; i < strong.length && strong[i]!.start < range.end; i++) {
      if (strong[i]!.start > from) left.push({ ...range, start: from, end: strong[i]!.start });
      from = strong[i]!.end;
    }
    if (from < range.end) left.push({ ...range, start: from });
  }
  return [...strong, ...left].toSorted((a, b) => a.start - b.start);
}

function joined(ranges: readonly Opaque[]): Opaque[] {
  const result: Opaque[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (!last || range.start >= last.end) result.push({ ...range });
    else last.end = Math.max(last.end, range.end);
  }
  return result;
}
