import { CronExpressionParser, type CronExpression } from 'cron-parser';
import cronstrue from 'cronstrue';
import { AppError } from '../platform/errors.ts';
import type { Trigger } from '../store/automations/automation-schema.ts';

export type ScheduleTrigger = Extract<Trigger, { type: 'schedule' }>;

/** The shortest time between two real occurrences. */
const SHORTEST_MINUTES = 15;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** How many future occurrences are compared. Those of a rare schedule span decades. */
const COMPARED = 100;
/** The days around a change of the clock are compared too, of this many years. */
const CLOCK_CHANGE_YEARS = 2;
/** An occurrence that is later than this was missed. */
const LATE_MS = 10 * MINUTE_MS;

/**
 * Rejects a schedule that Docent cannot keep.
 * @throws AppError `bad_request`: not five fields, an unknown time zone, no occurrence, or two occurrences
 *   less than 15 minutes apart
 */
export function assertSchedule(schedule: ScheduleTrigger, now = new Date()): void {
  if (!isTimeZone(schedule.timezone)) {
    throw refused('timezone', `${JSON.stringify(schedule.timezone)} is no time zone. Use an IANA name: Europe/Berlin`);
  }
  const starts = [now, ...clockChanges(schedule.timezone, now).map((change) => new Date(change.getTime() - DAY_MS))];
  for (const [i, start] of starts.entries()) {
    const until = i === 0 ? Infinity : start.getTime() + 3 * DAY_MS;
    let before: Date | null = null;
    const times = parsed(schedule, start);
    for (let n = 0; n < COMPARED * (i === 0 ? 1 : 3); n++) {
      const time = nextOf(times);
      if (!time && n === 0) throw refused('cron', 'This schedule never occurs. Choose days that exist.');
      if (!time || time.getTime() > until) break;
      if (before && time.getTime() - before.getTime() < SHORTEST_MINUTES * MINUTE_MS) {
        throw refused(
          'cron',
          `${before.toISOString()} and ${time.toISOString()} are less than 15 minutes apart. Use fewer occurrences.`,
        );
      }
      before = time;
    }
  }
}

/** The schedule in words, such as "At 09:00 AM, only on Monday (Europe/Berlin)". */
export function scheduleText({ cron, timezone }: ScheduleTrigger): string {
  return `${cronstrue.toString(cron)} (${timezone})`;
}

/** The next occurrence after `now`, before the jitter; null if there is none within the searched years. */
export function nextOccurrence(schedule: Pick<ScheduleTrigger, 'cron' | 'timezone'>, now = new Date()): Date | null {
  return nextOf(parsed(schedule, now));
}

/** Whether the schedule occurs at this instant. */
export function occursAt(schedule: ScheduleTrigger, at: Date): boolean {
  const next = nextOf(parsed(schedule, new Date(at.getTime() - 1_000)));
  return next?.getTime() === at.getTime();
}

/** An occurrence's key. With fixed hours, the local time, so that a repeated hour counts once. */
export function occurrenceKey(schedule: ScheduleTrigger, at: Date): string {
  if (parsed(schedule, at).fields.hour.isWildcard) return at.toISOString();
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: schedule.timezone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return format.format(at);
}

/** Whether an occurrence was missed; with `catchUp: one`, the newest missed one runs after a downtime. */
export function isMissed(schedule: ScheduleTrigger, at: Date, now: Date): boolean {
  const jitterMs = schedule.jitterMinutes * MINUTE_MS;
  if (now.getTime() - at.getTime() <= jitterMs + LATE_MS) return false;
  if (schedule.catchUp === 'none') return true;
  const next = nextOf(parsed(schedule, at));
  return next !== null && next.getTime() + jitterMs <= now.getTime();
}

/** How late an occurrence may come and still run. */
export function catchUpMs({ catchUp, jitterMinutes }: ScheduleTrigger): number {
  return catchUp === 'none' ? jitterMinutes * MINUTE_MS + LATE_MS : 365 * DAY_MS;
}

/** Numbers of one field of a calendar. */
type Numbers = number[];
export interface Calendar {
  minute: Numbers;
  hour: Numbers;
  month: Numbers;
  dayOfMonth?: Numbers;
  dayOfWeek?: Numbers;
}

/** Calendars, of which one must match: as in cron, days of month and week are alternatives. */
export function calendarsOf(schedule: ScheduleTrigger): Calendar[] {
  const { minute, hour, month, dayOfMonth, dayOfWeek } = parsed(schedule, new Date()).fields;
  const at = { minute: numbers(minute), hour: numbers(hour), month: numbers(month) };
  const [days, weekdays] = [numbers(dayOfMonth), [...new Set(numbers(dayOfWeek).map((day) => day % 7))]];
  const calendars = [
    ...(dayOfMonth.isWildcard ? [] : [{ ...at, dayOfMonth: days }]),
    ...(dayOfWeek.isWildcard ? [] : [{ ...at, dayOfWeek: weekdays }]),
  ];
  return calendars.length > 0 ? calendars : [at];
}

function numbers({ values }: { values: readonly unknown[] }): number[] {
  return values.map(Number);
}

function parsed({ cron, timezone }: Pick<ScheduleTrigger, 'cron' | 'timezone'>, currentDate: Date): CronExpression {
  // Extensions of some programs are rejected: nicknames, seconds, L, W, #, ? and H.
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5 || !fields.every((field) => /^[\d*/,-]+$|^[\d*/,A-Za-z-]{3,}$/.test(field))) {
    throw refused('cron', 'A schedule has five fields: minute, hour, day of the month, month, day of the week.');
  }
  try {
    return CronExpressionParser.parse(fields.join(' '), { tz: timezone, currentDate });
  } catch (err) {
    throw refused('cron', `${JSON.stringify(cron)} is not a valid schedule. Use five fields such as "0 9 * * 1".`, err);
  }
}

/** Null where there is none within the years that the library searches. */
function nextOf(times: CronExpression): Date | null {
  try {
    return times.next().toDate();
  } catch {
    return null;
  }
}

/** When the zone's clocks change, to a day. */
function clockChanges(timezone: string, from: Date): Date[] {
  const offsetAt = (at: Date) => format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' });
  const found: Date[] = [];
  for (let day = 1; day <= CLOCK_CHANGE_YEARS * 366; day++) {
    const at = new Date(from.getTime() + day * DAY_MS);
    if (offsetAt(at) !== offsetAt(new Date(at.getTime() - DAY_MS))) found.push(at);
  }
  return found;
}

function isTimeZone(timezone: string): boolean {
  try {
    // Offsets such as "+02:00" are no names: they know no change of the clock.
    return /^[A-Za-z]/.test(timezone) && Boolean(new Intl.DateTimeFormat('en-US', { timeZone: timezone }));
  } catch {
    return false;
  }
}

function refused(field: 'cron' | 'timezone', sentence: string, cause?: unknown): AppError {
  return new AppError('bad_request', `\`trigger.${field}\`: ${sentence}`, { cause, param: `trigger.${field}` });
}
