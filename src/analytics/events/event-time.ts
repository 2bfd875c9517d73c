import { DAY_MS } from '@docent/base/time';
import { dayOf } from './days.ts';

const EARLIEST = Date.UTC(2000, 0, 1);

/** Why an event of some time is not taken. */
export type Untimely = 'early' | 'future' | 'dropped';

/**
 * Null for an acceptable time: from 2000 to one day ahead, on a kept day.
 * @param floorDay the first kept day; null: all
 */
export function untimely(
  time: number,
  { now, floorDay }: { readonly now: number; readonly floorDay: number | null },
): Untimely | null {
  if (time < EARLIEST) return 'early';
  if (time > now + DAY_MS) return 'future';
  return floorDay !== null && dayOf(time) < floorDay ? 'dropped' : null;
}
