import { stat } from 'node:fs/promises';
import type { backup, DatabaseSync } from 'node:sqlite';
import path from 'node:path';
import { isMissing } from '../../analytics/storage/durable-files.ts';

interface Sqlite {
  backup?: typeof backup;
  DatabaseSync: typeof DatabaseSync;
}

/** Copies all pages in one step: writes would restart several. */
const ALL_PAGES = 2 ** 30;

/**
 * Copies the embedded Temporal's SQLite file while it runs.
 * @param folder the target
 * @returns the copy; null if it fails: it is not essential for a backup
 */
export async function copyOfTemporal(home: string, folder: string): Promise<string | null> {
  const file = path.join(home, 'temporal', 'temporal.db');
  try {
    await stat(file);
  } catch (err) {
    if (isMissing(err)) return null;
    throw err;
  }
  // Older versions of Node lack it.
  const sqlite: Sqlite = await import('node:sqlite');
  if (!sqlite.backup) return null;
  const copy = path.join(folder, 'temporal.db');
  try {
    const database = new sqlite.DatabaseSync(file, { readOnly: true, timeout: 10_000 });
    try {
      await sqlite.backup(database, copy, { rate: ALL_PAGES });
    } finally {
      database.close();
    }
    return copy;
  } catch {
    return null;
  }
}
