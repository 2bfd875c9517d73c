import { CronExpressionParser, type CronFieldCollection } from 'cron-parser';
import cronstrue from 'cronstrue';
import { DAY_MS, MINUTE_MS } from '@docent/base/time';
import { AppError } from '../platform/errors.ts';
import { isTimeZone, offsetAt } from '../platform/time-zone.ts';
import type { Trigger } from '../store/automations/automation-schema.ts';

export type ScheduleTrigger = Extract<Trigger, { type: 'schedule' }>;

/** The shortest time between two real occurrences. */
const SHORTEST_MINUTES = 15;
/** How many future occurrences are compared. Those of a rare schedule span decades. */
const COMPARED = 100;
/** The days around a change of the clock are compared too, of this many years. */
const CLOCK_CHANGE_YEARS = 2;
/** From one February 29 to the next, if a century has none. */
const LONGEST_PAUSE_DAYS = 8 * 366;
/** An occurrence that is later than this was missed. */
const LATE_MS = 10 * MINUTE_MS;

/**
 * Rejects a schedule that Docent cannot keep.
 * @throws AppError `bad_request`: not five fields, an unknown time zone, no occurrence, or two occurrences
 *   less than 15 minutes apart
 */
export function assertSchedule(schedule: ScheduleTrigger, now = new Date()): void {
  if (!isTimeZone(schedule.timezone)) {
    throw refused(
      'timezone',
      `${JSON.stringify(schedule.timezone)} is not a time zone. Use an IANA name: Europe/Berlin`,
    );
  }
  const starts = [now, ...clockChanges(schedule.timezone, now).map((change) => new Date(change.getTime() - DAY_MS))];
  for (const [i, start] of starts.entries()) {
    const until = i === 0 ? Infinity : start.getTime() + 3 * DAY_MS;
    let before: Date | null = null;
    let compared = 0;
    for (const time of occurrences(schedule, start)) {
      if (time.getTime() > until || (i === 0 && compared++ > COMPARED)) break;
      if (before && time.getTime() - before.getTime() < SHORTEST_MINUTES * MINUTE_MS) {
        throw refused(
          'cron',
          `${before.toISOString()} and ${time.toISOString()} are less than 15 minutes apart. Use fewer occurrences.`,
        );
      }
      before = time;
    }
    if (i === 0 && !before) throw refused('cron', 'This schedule never occurs. Choose days that exist.');
  }
}

/** The schedule for people, such as "At 09:00 AM, only on Monday (Europe/Berlin)". */
export function scheduleText({ cron, timezone }: ScheduleTrigger): string {
  return `${cronstrue.toString(cron)} (${timezone})`;
}

/**
 * The occurrences after `from`, each once, before the jitter. cron-parser's own iterator omits some where
 * clocks change by half an hour or at an odd minute, and moves those that a clock skips.
 */
export function* occurrences(
  schedule: Pick<ScheduleTrigger, 'cron' | 'timezone'>,
  from: Date,
): Generator<Date, undefined> {
  const days = daysOf(schedule);
  let emptyDays = 0;
  for (let day = days.at(from) - DAY_MS; emptyDays <= LONGEST_PAUSE_DAYS; day += DAY_MS) {
    const times = days.times(day).filter((time) => time > from.getTime());
    emptyDays = times.length > 0 ? 0 : emptyDays + 1;
    for (const time of times) yield new Date(time);
  }
}

/** The newest occurrence after `after` and up to `until`; null without one. */
export function lastOccurrence(schedule: ScheduleTrigger, { after, until }: { after: Date; until: Date }): Date | null {
  const days = daysOf(schedule);
  const first = days.at(after) - DAY_MS;
  for (let day = days.at(until) + DAY_MS; day >= first; day -= DAY_MS) {
    const found = days.times(day).findLast((time) => time <= until.getTime());
    if (found !== undefined) return found > after.getTime() ? new Date(found) : null;
  }
  return null;
}

/** Whether the clock on the wall shows a time of the schedule at this instant. */
export function occursAt(schedule: ScheduleTrigger, at: Date): boolean {
  if (at.getTime() % MINUTE_MS !== 0) return false;
  const wall = at.getTime() + offsetAt(schedule.timezone, at.getTime());
  const midnight = Math.floor(wall / DAY_MS) * DAY_MS;
  return minutesOf(calendarsOf(schedule), midnight).includes((wall - midnight) / MINUTE_MS);
}

/** An occurrence's key. With fixed hours, the local time, so that a repeated hour counts once. */
export function occurrenceKey(schedule: ScheduleTrigger, at: Date): string {
  if (isEveryHour(fieldsOf(schedule))) return at.toISOString();
  const wall = new Date(at.getTime() + offsetAt(schedule.timezone, at.getTime()));
  return wall.toISOString().slice(0, 16).replace('T', ' ');
}

/** Whether an occurrence was missed; with `catchUp: one`, the newest missed one runs after a downtime. */
export function isMissed(schedule: ScheduleTrigger, at: Date, now: Date): boolean {
  const jitterMs = schedule.jitterMinutes * MINUTE_MS;
  if (now.getTime() - at.getTime() <= jitterMs + LATE_MS) return false;
  if (schedule.catchUp === 'none') return true;
  const next = occurrences(schedule, at).next().value;
  return next !== undefined && next.getTime() + jitterMs <= now.getTime();
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
export function calendarsOf(schedule: Pick<ScheduleTrigger, 'cron'>): Calendar[] {
  const { minute, hour, month, dayOfMonth, dayOfWeek } = fieldsOf(schedule);
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

function isEveryHour({ hour }: CronFieldCollection): boolean {
  return hour.values.length === 24;
}

function fieldsOf({ cron }: Pick<ScheduleTrigger, 'cron'>): CronFieldCollection {
  // Extensions of some programs are rejected: nicknames, seconds, L, W, #, ? and H.
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5 || !fields.every((field) => /^[\d*/,-]+$|^[\d*/,A-Za-z-]{3,}$/.test(field))) {
    throw refused('cron', 'A schedule has five fields: minute, hour, day of the month, month, day of the week.');
  }
  try {
    return CronExpressionParser.parse(fields.join(' ')).fields;
  } catch (err) {
    throw refused('cron', `${JSON.stringify(cron)} is not a valid schedule. Use five fields such as "0 9 * * 1".`, err);
  }
}

/** Days are midnights on the wall as if it were UTC's. */
function daysOf(schedule: Pick<ScheduleTrigger, 'cron' | 'timezone'>) {
  const { timezone } = schedule;
  const calendars = calendarsOf(schedule);
  const isRepeated = isEveryHour(fieldsOf(schedule));
  return {
    at: (instant: Date) => Math.floor((instant.getTime() + offsetAt(timezone, instant.getTime())) / DAY_MS) * DAY_MS,
    /** In order. Skipped times have none; repeated ones have two if every hour counts. */
    times: (midnight: number) => {
      const minutes = minutesOf(calendars, midnight);
      if (minutes.length === 0) return [];
      const offsets = [...new Set([midnight - DAY_MS, midnight + 2 * DAY_MS].map((at) => offsetAt(timezone, at)))];
      const instantsOf = (minute: number) => {
        const wall = midnight + minute * MINUTE_MS;
        const instants = offsets.map((offset) => wall - offset).toSorted((a, b) => a - b);
        if (offsets.length === 1) return instants;
        const shown = instants.filter((instant) => instant + offsetAt(timezone, instant) === wall);
        return isRepeated ? shown : shown.slice(0, 1);
      };
      return minutes.flatMap(instantsOf).toSorted((a, b) => a - b);
    },
  };
}

/** The minutes of a day that any calendar has. */
function minutesOf(calendars: readonly Calendar[], midnight: number): number[] {
  const date = new Date(midnight);
  const ofDay = calendars.filter(
    ({ month, dayOfMonth, dayOfWeek }) =>
      month.includes(date.getUTCMonth() + 1) &&
      (dayOfMonth?.includes(date.getUTCDate()) ?? true) &&
      (dayOfWeek?.includes(date.getUTCDay()) ?? true),
  );
  // They have the same hours and minutes.
  const [first] = ofDay;
  return first ? first.hour.flatMap((hour) => first.minute.map((minute) => hour * 60 + minute)) : [];
}

/** When the zone's clocks change, to a day. */
function clockChanges(timezone: string, from: Date): Date[] {
  const days = Array.from({ length: CLOCK_CHANGE_YEARS * 366 }, (_, day) => from.getTime() + (day + 1) * DAY_MS);
  return days.filter((at) => offsetAt(timezone, at) !== offsetAt(timezone, at - DAY_MS)).map((at) => new Date(at));
}

function refused(field: 'cron' | 'timezone', sentence: string, cause?: unknown): AppError {
  return new AppError('bad_request', `\`trigger.${field}\`: ${sentence}`, { cause, param: `trigger.${field}` });
}
