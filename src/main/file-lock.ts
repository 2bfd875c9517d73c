import { DatabaseSync } from 'node:sqlite';

/**
 * A lock that the operating system frees when its holder ends, however it ends: an exclusive SQLite transaction that is
 * never committed. Portable, and without a stale state to clean up. Not for network file systems.
 */
export interface FileLock {
  /** May be called twice. */
  release(): void;
}

const SQLITE_BUSY = 5;

/**
 * Takes the lock, or returns null at once where another process holds it.
 * The file is created if need be, and stays; its folder must exist.
 */
export function tryLock(file: string): FileLock | null {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (err) {
    database.close();
    if (((err as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY) return null;
    throw err;
  }
  return {
    release: () => {
      if (database.isOpen) database.close();
    },
  };
}
