import { codeOf } from './thrown.ts';
import { Failure } from './failure.ts';

/** Temporary shortages of a machine. Once there is room, work continues automatically. */
export type ShortOf = 'disk' | 'handles';

const CODES: Readonly<Record<string, ShortOf>> = {
  ENOSPC: 'disk',
  EDQUOT: 'disk',
  EMFILE: 'handles',
  ENFILE: 'handles',
  EAGAIN: 'handles', // Of fork(2): no process may be added.
};

/** As the C library, git and PostgreSQL write it; SQLite, DuckDB and Node have their own texts. */
const WORDS: readonly [RegExp, ShortOf][] = [
  [
    /No space left on device|Disk quota exceeded|database or disk is full|max_temp_directory_size|\b(?:ENOSPC|EDQUOT)\b/i,
    'disk',
  ],
  [/Too many open files|\b(?:EMFILE|ENFILE)\b|fork.*Resource temporarily unavailable/i, 'handles'],
];

/** Work failed for lack of resources and is retried. `message` is for the person who can free some. */
export class Shortage extends Failure {
  override readonly name = 'Shortage';
  readonly of: ShortOf;

  constructor(of: ShortOf, message: string, options: { cause?: unknown } = {}) {
    super(message, { code: 'Shortage', attempts: Infinity }, options);
    this.of = of;
  }
}

/** The shortage named in a program's output, if any. */
export function shortageIn(words: string): ShortOf | null {
  return WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

/** The shortage behind an error, however deep it is wrapped; null for other errors. */
export function shortageOf(err: unknown): ShortOf | null {
  for (let current = err; current instanceof Error; current = current.cause) {
    if (current instanceof Shortage) return current.of;
    const found = CODES[codeOf(current) ?? ''] ?? shortageIn(current.message);
    if (found) return found;
  }
  return null;
}

/** A failing disk: often only until its mount is back. */
const FAILING_DISK =
  /Read-only file system|Input\/output error|Stale (?:NFS )?file handle|Transport endpoint is not connected|\b(?:EROFS|EIO|ESTALE)\b/i;

/** Whether a message reports a failing disk, which may need a person: retried, but not endlessly. */
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
