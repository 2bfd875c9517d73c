import { readdir } from 'node:fs/promises';
import { codeOf } from '@docent/base/thrown';
import { basename, dirname, join } from 'node:path';

/**
 * `access.log`, `access.log.1`, `access.log-20261120.gz`: the name of the log, and which of its files it is.
 */
const NAME = /^(.*?)(?:[.-](\d{1,14}))?(?:\.(?:gz|bz2|xz|zst))?$/;
/** Longer numbers are dates, which grow; shorter ones count backwards. */
const COUNT_DIGITS = 5;

interface Rotation {
  log: string;
  /** Grows with the age of the file: 0 for the one that is written to. */
  age: number;
}

function rotationOf(path: string): Rotation {
  const [, log = path, digits] = NAME.exec(path) ?? [];
  if (digits === undefined) return { log, age: 0 };
  return { log, age: digits.length <= COUNT_DIGITS ? Number(digits) : 1e15 - Number(digits) };
}

/** The files grouped by log, the oldest first. Logs keep the order of their first file. */
export function oldestFirst(paths: readonly string[]): string[] {
  const groups = Map.groupBy(paths, (path) => rotationOf(path).log);
  return [...groups.values()].flatMap((group) => group.toSorted((a, b) => rotationOf(b).age - rotationOf(a).age));
}

/** Whether a file continues the other one, by their names. */
export function isContinued(older: string, newer: string): boolean {
  const [a, b] = [rotationOf(older), rotationOf(newer)];
  return a.log === b.log && a.age > b.age;
}

/** The file beside this one that the log was written to just before; null if there is none. */
export async function fileBefore(path: string): Promise<string | null> {
  const folder = dirname(path);
  const names = await readdir(folder).catch((err: unknown) => {
    if (/^(?:ENOENT|ENOTDIR|EACCES|EPERM)$/.test(String(codeOf(err)))) return [];
    throw err;
  });
  const older = names
    .map((name) => join(folder, name))
    .filter((other) => isContinued(other, join(folder, basename(path))));
  return oldestFirst(older).at(-1) ?? null;
}
