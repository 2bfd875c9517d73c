import { rm } from 'node:fs/promises';
import type { Logger } from '../log.ts';
import { ManifestConflict, replaceFiles } from '../store/analytics-manifest.ts';
import type { Database } from '../store/database.ts';
import type { AnalyticsFolder } from './analytics-folder.ts';
import type { Duck } from './duck.ts';

export interface StorageDeps {
  database: Database;
  folder: AnalyticsFolder;
  duck: Duck;
  log: Logger;
}

/** Commits, or deletes the files that nobody will ever name. */
export async function commit(
  database: Database,
  folder: AnalyticsFolder,
  change: Parameters<typeof replaceFiles>[1],
): Promise<number> {
  try {
    return await database.db.transaction((tx) => replaceFiles(tx, change));
  } catch (err) {
    // Of another error nobody knows whether the commit went through: the sweep deletes what is in no manifest.
    if (err instanceof ManifestConflict) await deleteFiles(folder, change.add);
    throw err;
  }
}

export async function deleteFiles(folder: AnalyticsFolder, files: readonly { path: string }[]): Promise<void> {
  for (const file of files) await rm(folder.fileOf(file.path), { force: true });
}
