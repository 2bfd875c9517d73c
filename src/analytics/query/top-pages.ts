import type { PageSums } from './cube-index.ts';
import { WIDTH } from './cube-layer.ts';
import type { CountsByPath, Paging, PathCounts } from './counts.ts';

/** What is to be added to a cube's counts. */
export type Extra = PathCounts;

/**
 * The rows that are asked for: cube and extras added up, most visitors first, then by path. Sorts what is shown and not the rest.
 * @param extras each path once
 */
export function topPages({ pages, sums, placeOf }: PageSums, extras: readonly Extra[], paging: Paging): CountsByPath {
  const extraAt = new Map<number, Extra>();
  const others: PathCounts[] = [];
  for (const extra of extras) {
    const place = placeOf.get(extra.path);
    if (place === undefined) others.push(extra);
    else extraAt.set(place, extra);
  }
  const totals = new Float64Array(pages.length + others.length);
  for (let place = 0; place < pages.length; place += 1) {
    const at = place * WIDTH;
    totals[place] = sums[at]! + sums[at + 1]! + sums[at + 2]! + (extraAt.get(place)?.total ?? 0);
  }
  for (const [i, other] of others.entries()) totals[pages.length + i] = other.total;

  const rowAt = (place: number): PathCounts => {
    if (place >= pages.length) return others[place - pages.length]!;
    const extra = extraAt.get(place);
    return {
      path: pages[place]!,
      human: sums[place * WIDTH]! + (extra?.human ?? 0),
      ai: sums[place * WIDTH + 1]! + (extra?.ai ?? 0),
      total: totals[place]!,
    };
  };
  const site =
    placeOf.get('') ??
    (others.some(({ path }) => path === '') ? others.findIndex(({ path }) => path === '') + pages.length : null);
  const { path: _, ...siteTotals } = site === null ? { path: '', human: 0, ai: 0, total: 0 } : rowAt(site);

  const wanted = paging.offset + paging.limit + 1;
  if (site !== null) totals[site] = 0;
  const least = leastOf(totals, wanted);
  const rows: PathCounts[] = [];
  for (let place = 0; place < totals.length; place += 1) {
    if (totals[place]! >= least) rows.push(rowAt(place));
  }
  rows.sort((a, b) => b.total - a.total || compareUtf8(a.path, b.path));
  return {
    totals: siteTotals,
    rows: rows.slice(paging.offset, paging.offset + paging.limit),
    hasMore: rows.length > paging.offset + paging.limit,
  };
}

/** The least number, at least 1, that is among the `wanted` largest. */
function leastOf(numbers: Float64Array, wanted: number): number {
  if (numbers.length <= wanted) return 1;
  return Math.max(1, numbers.toSorted().at(-wanted) ?? 1);
}

/** Compares as the bytes of UTF-8 do: by code points, where JavaScript compares halves of them. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (x !== y) return x >= 0xd800 && y >= 0xd800 ? aboveSurrogates(x) - aboveSurrogates(y) : x - y;
  }
  return a.length - b.length;
}

/** Halves of characters above U+FFFF sort behind the characters from U+E000 on. */
const aboveSurrogates = (unit: number): number => (unit >= 0xe000 ? unit : unit + 0x1_0000);
