import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { codeOf } from './thrown.ts';

/** An exclusive SQLite transaction, freed when its holder ends. Not for network file systems. */
export interface FileLock {
  /** May be called twice. */
  release(): void;
}

const SQLITE_BUSY = 5;

/** Locks that are held, so that garbage collection closes none of them. */
const held = new Set<DatabaseSync>();

/** Takes the lock, or returns null if another process has it. Creates the file, but not its folder. */
export function tryLock(file: string): FileLock | null {
  makeOnce(file);
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // Nothing is ever written, and a journal file would remain.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (err) {
    database.close();
    if (err instanceof Error && 'errcode' in err && Number(err.errcode) % 256 === SQLITE_BUSY) return null;
    throw err;
  }
  held.add(database);
  return {
    release: () => {
      held.delete(database);
      if (database.isOpen) database.close();
    },
  };
}

/** Private: readers could lock it. Not opened if it exists, as closing it drops our lock (POSIX). */
function makeOnce(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (err) {
    if (codeOf(err) !== 'EEXIST') throw err;
  }
}
