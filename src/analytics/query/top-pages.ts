import type { PageSums } from './cube-index.ts';
import { WIDTH } from './cube-layer.ts';
import type { Counts, CountsByPath, Paging, PathCounts } from './counts.ts';

/** Additions to a cube's counts. */
export type Extra = PathCounts;

/** Cube and extras added up, by place. */
interface Summed {
  /** By position; without the site's. */
  totals: Float64Array;
  site: Counts;
  rowAt(place: number): PathCounts;
}

/** @param extras each path once */
function sum({ pages, sums, placeOf }: PageSums, extras: readonly Extra[]): Summed {
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
  if (site !== null) totals[site] = 0;
  return { totals, site: siteTotals, rowAt };
}

/**
 * The requested rows, cube plus extras, most visitors first, then by path. Sorts only those.
 * @param extras each path once
 */
export function topPages(counted: PageSums, extras: readonly Extra[], paging: Paging): CountsByPath {
  const { totals, site, rowAt } = sum(counted, extras);
  const wanted = paging.offset + paging.limit;
  const least = leastOf(totals, wanted);
  const rows: PathCounts[] = [];
  let count = 0;
  for (let place = 0; place < totals.length; place += 1) {
    if (totals[place]! >= 1) count += 1;
    if (totals[place]! >= least) rows.push(rowAt(place));
  }
  rows.sort((a, b) => b.total - a.total || compareUtf8(a.path, b.path));
  return { totals: site, rows: rows.slice(paging.offset, wanted), count, hasMore: count > wanted };
}

/** One page's counts: cube and extras added up. @param extras each path once */
export function countsOfPage({ sums, placeOf }: PageSums, extras: readonly Extra[], path: string): Counts {
  const place = placeOf.get(path);
  const of = (kind: number) => (place === undefined ? 0 : sums[place * WIDTH + kind]!);
  const extra = extras.find((each) => each.path === path) ?? { human: 0, ai: 0, total: 0 };
  return { human: of(0) + extra.human, ai: of(1) + extra.ai, total: of(0) + of(1) + of(2) + extra.total };
}

/** Pages by column, in no order. */
export interface PageColumns {
  paths: string[];
  human: Float64Array<ArrayBuffer>;
  ai: Float64Array<ArrayBuffer>;
  total: Float64Array<ArrayBuffer>;
}

/** All rows of {@link topPages}, unsorted. @param extras each path once */
export function allPages(counted: PageSums, extras: readonly Extra[]): PageColumns {
  const { totals, rowAt } = sum(counted, extras);
  const count = totals.reduce((found, total) => found + (total >= 1 ? 1 : 0), 0);
  const columns = {
    paths: Array.from<string>({ length: count }),
    human: new Float64Array(count),
    ai: new Float64Array(count),
    total: new Float64Array(count),
  };
  let next = 0;
  for (let place = 0; place < totals.length; place += 1) {
    if (totals[place]! < 1) continue;
    const row = rowAt(place);
    columns.paths[next] = row.path;
    for (const kind of ['human', 'ai', 'total'] as const) columns[kind][next] = row[kind];
    next += 1;
  }
  return columns;
}

/** The smallest number, at least 1, among the `wanted` largest. */
function leastOf(numbers: Float64Array, wanted: number): number {
  return Math.max(1, numbers.toSorted().at(-wanted) ?? 0);
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

/** Halves of characters above U+FFFF sort after the characters from U+E000 on. */
const aboveSurrogates = (unit: number): number => (unit >= 0xe000 ? unit : unit + 0x1_0000);
