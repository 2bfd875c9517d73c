import { DAY_MS } from '@docent/base/time';
import { DEFAULT_SALTS, type SaltSchedule } from '../../store/analytics-settings.ts';
import { dateText } from './days.ts';

/** Days after the end of a period in which its late events are still accepted. Then its salt is destroyed. */
export const LATE_DAYS = 7;

/** A range of days whose visitors share one salt. */
export interface SaltPeriod {
  /** Names the salt: empty or `from 2026-11-21` (fixed), `2026-11` (monthly), `2026-11-21` (daily). */
  key: string;
  /** The first day after it (since 1970, UTC); null for one that does not end. */
  endDay: number | null;
}

/** The salts of days, by a project's schedule of policies. */
export class SaltCalendar {
  readonly #schedule: SaltSchedule;
  #last: { day: number; period: SaltPeriod } | null = null;

  constructor(schedule: SaltSchedule = DEFAULT_SALTS) {
    this.#schedule = schedule;
  }

  periodOf(day: number): SaltPeriod {
    if (this.#last?.day !== day) this.#last = { day, period: this.#find(day) };
    return this.#last.period;
  }

  /** The end of the salt's period: null if it does not end, or there is no such period. */
  endOf(key: string): number | null {
    const first = /^(?:from )?(\d{4}-\d\d(?:-\d\d)?)$/.exec(key)?.[1];
    if (first && !key.startsWith('from '))
      return first.length === 7 ? monthEnd(dayFrom(`${first}-01`)) : dayFrom(first) + 1;
    const fromDay = first ? dayFrom(first) : null;
    const at = this.#schedule.findIndex((change) => change.policy === 'fixed' && change.fromDay === fromDay);
    return this.#schedule[at + 1]?.fromDay ?? null;
  }

  #find(day: number): SaltPeriod {
    const at = this.#schedule.findLastIndex(({ fromDay }) => fromDay === null || fromDay <= day);
    const { policy, fromDay } = this.#schedule[at] ?? DEFAULT_SALTS[0]!;
    if (policy === 'fixed') {
      const key = fromDay === null ? '' : `from ${dateText(fromDay)}`;
      return { key, endDay: this.#schedule[at + 1]?.fromDay ?? null };
    }
    const date = dateText(day);
    if (policy === 'daily') return { key: date, endDay: day + 1 };
    return { key: date.slice(0, 7), endDay: monthEnd(day) };
  }
}

/** Whether a period is closed for events, and its salt to be destroyed. @param today as a day since 1970 */
export function isClosed({ endDay }: Pick<SaltPeriod, 'endDay'>, today: number): boolean {
  return endDay !== null && endDay + LATE_DAYS <= today;
}

const dayFrom = (date: string): number => Date.parse(date) / DAY_MS;

/** The first day of the month after a day's. */
function monthEnd(day: number): number {
  const date = new Date(day * DAY_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / DAY_MS;
}
