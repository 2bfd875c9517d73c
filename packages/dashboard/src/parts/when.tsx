import { signal } from '@preact/signals';
import { text } from '../text.ts';

/** The current minute: texts such as "5 minutes ago" follow it. */
const now = signal(Date.now());
setInterval(() => (now.value = Date.now()), 30_000);

const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const shortDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];
const FAR_MS = 30 * 86_400_000;

/**
 * A moment in the reader's zone: how long ago or ahead, or the day if that is far; the exact time with its
 * zone, and UTC, on hover.
 */
export function When({ at, as = 'relative' }: { at: string; as?: 'relative' | 'exact' | 'day' }) {
  const date = new Date(at);
  const text = as === 'exact' ? whole.format(date) : as === 'day' ? shortDay.format(date) : sinceNow(date);
  return (
    <time
      dateTime={at}
      title={`${whole.format(date)}\n${date
        .toISOString()
        .replace('T', ' ')
        .replace(/\.\d+Z/, '')} UTC`}
    >
      {text}
    </time>
  );
}

function sinceNow(date: Date): string {
  const ms = date.getTime() - now.value;
  if (Math.abs(ms) > FAR_MS) return shortDay.format(date);
  for (const [unit, size] of UNITS) {
    if (Math.abs(ms) >= size) return relative.format(Math.round(ms / size), unit);
  }
  return text.common.justNow;
}

/** How long something took, in its two largest units. */
export function durationOf(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
