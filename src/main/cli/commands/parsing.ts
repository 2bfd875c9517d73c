import path from 'node:path';
import { InvalidArgumentError } from 'commander';

/** How the words of a command line become values. Each throws what commander shows as a usage error. */

/** `90d` → 90; or `never`: a word, for commander makes null an empty string. */
export function days(value: string): number | 'never' {
  if (value === 'never') return value;
  const number = /^(\d{1,4})d$/.exec(value)?.[1];
  if (number === undefined || Number(number) < 1 || Number(number) > 3_650)
    throw new InvalidArgumentError('It must be a number of days from 1d to 3650d, or never.');
  return Number(number);
}

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** `90s`, `15m`, `24h`, `7d` → seconds. */
export function duration(from: number, to: number): (value: string) => number {
  return (value) => {
    const [, number, unit = ''] = /^(\d{1,7})([smhd])$/.exec(value) ?? [];
    const seconds = Number(number) * (SECONDS[unit] ?? NaN);
    if (!(seconds >= from && seconds <= to))
      throw new InvalidArgumentError(`It must be a time such as 90s, 15m, 24h or 7d, from ${from} to ${to} seconds.`);
    return seconds;
  };
}

export function wholeNumber(from: number, to: number): (value: string) => number {
  return (value) => {
    if (!/^\d{1,9}$/.test(value) || Number(value) < from || Number(value) > to)
      throw new InvalidArgumentError(`It must be a whole number from ${from} to ${to}.`);
    return Number(value);
  };
}

/** For options that may be repeated; commas separate values too. */
export function several(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), ...value.split(',').filter(Boolean)];
}

/** A path is made absolute, for the server works elsewhere; a URL stays as it is. */
export function repository(value: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : path.resolve(value);
}
