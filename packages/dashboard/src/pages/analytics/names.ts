import { addDays, type Span } from './range.ts';

const UTC = 'UTC';
const day = new Intl.DateTimeFormat(undefined, { timeZone: UTC, dateStyle: 'medium' });
const weekday = new Intl.DateTimeFormat(undefined, { timeZone: UTC, dateStyle: 'full' });
const shortDay = new Intl.DateTimeFormat(undefined, { timeZone: UTC, day: 'numeric', month: 'short' });
const hour = new Intl.DateTimeFormat(undefined, { timeZone: UTC, hour: '2-digit', minute: '2-digit' });

/** A day, or an hour of one, of UTC. @param at seconds since 1970 */
export function instantName(at: number, unit: 'day' | 'hour', form: 'short' | 'long' = 'long'): string {
  const date = new Date(at * 1_000);
  if (unit === 'hour')
    return form === 'short' ? hour.format(date) : `${shortDay.format(date)}, ${hour.format(date)} UTC`;
  return form === 'short' ? shortDay.format(date) : weekday.format(date);
}

/** From the first day to the last, both included. */
export function spanName({ from, to, until }: Span): string {
  const last = addDays(to, -1);
  if (until) return `${day.format(new Date(last))}, 00:00–${hour.format(new Date(until))}`;
  return from === null ? `… – ${day.format(new Date(last))}` : day.formatRange(new Date(from), new Date(last));
}
