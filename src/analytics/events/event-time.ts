import { DAY_MS, dayOf } from './days.ts';

const EARLIEST = Date.UTC(2000, 0, 1);

/** Why an event of some time is not taken. */
export type Untimely = 'early' | 'future' | 'dropped';

/**
 * Null for an acceptable time of an event: from the year 2000 to a day from now, on a day that is kept.
 * @param floorDay the first day that is kept; null for all
 */
export function untimely(
  time: number,
  { now, floorDay }: { readonly now: number; readonly floorDay: number | null },
): Untimely | null {
  if (time < EARLIEST) return 'early';
  if (time > now + DAY_MS) return 'future';
  return floorDay !== null && dayOf(time) < floorDay ? 'dropped' : null;
}
