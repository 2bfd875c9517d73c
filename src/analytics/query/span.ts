import { DAY_MS } from '@docent/base/time';
import type { Manifest } from '../../store/analytics/manifest.ts';
import { dayOf, type Range } from '../events/days.ts';

/** A range as whole days [wholeFrom, wholeTo) and pieces of days. Bounds are instants. */
export interface Span {
  from: number;
  to: number;
  wholeFrom: number;
  wholeTo: number;
  /** The piece of the day `day` from the instant `from` (included) or up to `to` (excluded). */
  left: { day: number; from: number } | null;
  right: { day: number; to: number } | null;
  /** The range is a part of this one day. */
  inside: { day: number } | null;
}

/** Cuts a range to the days that have files. Null if there are none in it. */
export function spanOf(manifest: Manifest, range: Range): Span | null {
  const { files, floorDay } = manifest;
  if (files.length === 0) return null;
  const first = Math.max(Math.min(...files.map((file) => file.minDay)), floorDay ?? -Infinity);
  const last = Math.max(...files.map((file) => file.maxDay));
  const from = Math.max(range.from ?? -Infinity, first * DAY_MS);
  const to = Math.min(range.to ?? Infinity, (last + 1) * DAY_MS);
  if (from >= to) return null;
  const wholeFrom = Math.ceil(from / DAY_MS);
  const wholeTo = dayOf(to);
  const span = { from, to, wholeFrom, wholeTo, left: null, right: null, inside: null };
  if (wholeFrom > wholeTo) return { ...span, wholeTo: wholeFrom, inside: { day: dayOf(from) } };
  return {
    ...span,
    left: from < wholeFrom * DAY_MS ? { day: wholeFrom - 1, from } : null,
    right: to > wholeTo * DAY_MS ? { day: wholeTo, to } : null,
  };
}
