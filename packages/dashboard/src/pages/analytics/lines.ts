import type uPlot from 'uplot';
import type { Series } from './counted.ts';

export const KINDS = ['human', 'ai', 'total'] as const;

/** For each kind: the finished part, the comparison period, and the unfinished part. */
export function dataOf({ points, isOpen }: Series): uPlot.AlignedData {
  const last = isOpen ? points.length - 1 : points.length;
  return [
    points.map(({ at }) => at),
    ...KINDS.map((kind) => points.map(({ now }, i) => (i < last ? now[kind] : null))),
    points.map(({ before }) => before?.counts.total ?? null),
    ...KINDS.map((kind) => points.map(({ now }, i) => (isOpen && i >= last - 1 ? now[kind] : null))),
  ] as uPlot.AlignedData;
}
