import { MINUTE_MS } from '@docent/base/time';

const clocks = new Map<string, Intl.DateTimeFormat>();

/** How far the zone's clock is ahead of UTC at an instant, in milliseconds. */
export function offsetAt(timezone: string, instant: number): number {
  let clock = clocks.get(timezone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' });
    clocks.set(timezone, clock);
  }
  const name = clock.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = 0, minutes = 0] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

/**
 * Whether it is an IANA name. Offsets such as "+02:00" are not names: they have no daylight
 * saving time.
 */
export function isTimeZone(timezone: string): boolean {
  try {
    return /^[A-Za-z]/.test(timezone) && Boolean(new Intl.DateTimeFormat('en-US', { timeZone: timezone }));
  } catch {
    return false;
  }
}
