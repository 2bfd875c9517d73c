import { codeOf } from '@docent/base/thrown';
import { Failure } from './errors.ts';

/**
 * What a machine may be short of for a while: room on a disk, handles of files or processes. Whoever makes
 * room there makes it pass; no one has to repeat anything.
 */
export type ShortOf = 'disk' | 'handles';

const CODES: Readonly<Record<string, ShortOf>> = {
  ENOSPC: 'disk',
  EDQUOT: 'disk',
  EMFILE: 'handles',
  ENFILE: 'handles',
  EAGAIN: 'handles', // Of fork(2): no process may be added.
};

/**
 * As the C library says it, and with it git and PostgreSQL; SQLite, DuckDB and Node have words of their own.
 */
const WORDS: readonly [RegExp, ShortOf][] = [
  [
    /No space left on device|Disk quota exceeded|database or disk is full|max_temp_directory_size|\b(?:ENOSPC|EDQUOT)\b/i,
    'disk',
  ],
  [/Too many open files|\b(?:EMFILE|ENFILE)\b|fork.*Resource temporarily unavailable/i, 'handles'],
];

/**
 * Work failed because something is short, here or where a repository is kept. Passing: the work is repeated
 * until there is enough again. `message` is a sentence for the person who can make room.
 */
export class Shortage extends Failure {
  override readonly name = 'Shortage';
  readonly of: ShortOf;

  constructor(of: ShortOf, message: string, options: { cause?: unknown } = {}) {
    super(message, { code: 'Shortage', attempts: Infinity }, options);
    this.of = of;
  }
}

/** What the words of a program say is short, if anything. */
export function shortageIn(words: string): ShortOf | null {
  return WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

/** What is short according to an error, however deep it is wrapped; null for every other error. */
export function shortageOf(err: unknown): ShortOf | null {
  for (let current = err; current instanceof Error; current = current.cause) {
    if (current instanceof Shortage) return current.of;
    const found = CODES[codeOf(current) ?? ''] ?? shortageIn(current.message);
    if (found) return found;
  }
  return null;
}

/**
 * A disk that does not take or give what it should: often for a while alone, until what it is mounted from is
 * back.
 */
const FAILING_DISK =
  /Read-only file system|Input\/output error|Stale (?:NFS )?file handle|Transport endpoint is not connected|\b(?:EROFS|EIO|ESTALE)\b/i;

/**
 * Whether the words of a program say that a disk fails. It may pass, or need a person: to be tried again, not
 * without end.
 */
export function diskFailsIn(words: string): boolean {
  return FAILING_DISK.test(words);
}

export function isDiskFailing(err: unknown): boolean {
  for (let current = err; current instanceof Error; current = current.cause) {
    if (diskFailsIn(`${codeOf(current) ?? ''} ${current.message}`)) return true;
  }
  return false;
}

/** What to do about it, as the end of a sentence. */
export const REMEDY: Readonly<Record<ShortOf, string>> = {
  disk: 'its disk is full, or a quota of it is used up. Docent goes on by itself once there is room.',
  handles: 'too many files or processes are open there. Docent goes on by itself once there are fewer.',
};
