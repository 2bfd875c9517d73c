import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { InvalidArgumentError } from 'commander';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { messageOf } from '@docent/base/thrown';
import { withoutMargins } from '@docent/base/net/header-value';

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

/** The same, if only some words make sense. */
export function severalOf<Word extends string>(words: readonly Word[]) {
  const isWord = (value: string): value is Word => words.some((word) => word === value);
  return (value: string, before: Word[] | undefined): Word[] => {
    const given = several(value, undefined);
    if (given.length === 0 || !given.every(isWord))
      throw new InvalidArgumentError(`Allowed choices are ${words.join(', ')}.`);
    return [...(before ?? []), ...given.filter(isWord)];
  };
}

/** `ticket=DOC-17`, for options that may be repeated; the value may be empty or contain `=`. */
export function keyValue(value: string, before: Record<string, string> | undefined): Record<string, string> {
  const at = value.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be a name and a value: ticket=DOC-17.');
  return Object.fromEntries([...Object.entries(before ?? {}), [value.slice(0, at), value.slice(at + 1)]]);
}

/** US dollars. */
export function dollars(value: string): number {
  if (!/^\d{1,7}(\.\d{1,9})?$/.test(value) || Number(value) === 0)
    throw new InvalidArgumentError('It must be an amount in US dollars, such as 2 or 0.50.');
  return Number(value);
}

/** A path is made absolute, for the server works elsewhere; a URL stays as it is. */
export function repository(value: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : path.resolve(value);
}

/** As shells complete it: `./docs/` is `docs`, and `.` the whole repository. */
export function folderIn(docsDir: string | undefined): string | undefined {
  return docsDir?.replace(/^(?:\.\/+)+/, '').replace(/^\.?\/*$|\/+$/g, '');
}

/**
 * Reads a secret from a file, which process lists do not show.
 * @param what names it in errors
 * @param file `-`: standard input
 * @throws CliFailure
 */
export function readSecretFile(what: string, file: string): string {
  try {
    return withoutMargins(readFileSync(file === '-' ? 0 : file, 'utf8'));
  } catch (err) {
    throw new CliFailure(`The ${what} cannot be read: ${messageOf(err)}`, EXIT.usage);
  }
}

/** The text itself, or standard input for `-`. */
export async function textOrInput(given: string): Promise<string> {
  return given === '-' ? readAll(process.stdin) : given;
}

/** @throws CliFailure with the message if the body of a change has no fields */
export function assertChange(body: object, message: string): void {
  if (Object.values(body).every((value) => value === undefined)) throw new CliFailure(message, EXIT.usage);
}
