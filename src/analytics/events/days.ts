import { DAY_MS } from '@docent/base/time';

/* Days are counted from 1970-01-01, UTC. Instants are milliseconds since then. */

/** "On no earlier day": sorts below the year 1, and unlike NULL it can be compared. */
export const NEVER = -2_147_483_647;

export const dayOf = (instant: number): number => Math.floor(instant / DAY_MS);

/** `2026-11-21` */
export const dateText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Half-open: from <= instant < to. Null is not a bound. */
export interface Range {
  from: number | null;
  to: number | null;
}
