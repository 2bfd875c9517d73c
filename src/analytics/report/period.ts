import { DAY_MS } from '@docent/base/time';
import { offsetAt } from '../../platform/time-zone.ts';

export type ReportEvery = 'week' | 'month';

/** Instants in milliseconds since 1970; half-open. */
export interface Period {
  /** Names it among all of the project: its first day in the zone. */
  key: string;
  from: number;
  to: number;
  /** Where the period before begins. */
  before: number;
}

/** Late page views, such as logs that are imported at night, are in the report. */
const AFTER_MS = 8 * 3_600_000;

/**
 * The last period that is due: the week (from Monday) or month in the zone that ended 8 hours ago or earlier.
 */
export function lastPeriod(every: ReportEvery, zone: string, now: number): Period {
  const at = now - AFTER_MS;
  const today = new Date(at + offsetAt(zone, at));
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
  const sinceMonday = (today.getUTCDay() + 6) % 7;
  const startOf = (ago: number) =>
    every === 'month' ? Date.UTC(year, month - ago) : Date.UTC(year, month, day - sinceMonday - 7 * ago);
  const [to = 0, from = 0, before = 0] = [0, 1, 2].map((ago) => midnight(startOf(ago), zone));
  return { key: new Date(startOf(1)).toISOString().slice(0, 10), from, to, before };
}

/** The instant at which a day begins in the zone. @param day midnight of that day as if it were UTC */
function midnight(day: number, zone: string): number {
  // Where clocks skip midnight, the day begins with the change.
  const candidates = [day - DAY_MS, day + DAY_MS].map((near) => day - offsetAt(zone, near));
  return candidates.find((at) => at + offsetAt(zone, at) === day) ?? Math.max(...candidates);
}
