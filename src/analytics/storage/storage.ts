import { rm } from 'node:fs/promises';
import { AppError, isExpected } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/faults.ts';
import type { Logger } from '../../platform/log.ts';
import { forgetDeletions } from '../../store/analytics/deletions.ts';
import { replaceFiles } from '../../store/analytics/manifest-changes.ts';
import type { NewFile } from '../../store/analytics/manifest.ts';
import type { Database } from '../../store/database.ts';
import type { AnalyticsFolder } from './analytics-folder.ts';
import { indexOf } from './index-of.ts';
import { isStorageFull } from './durable-files.ts';
import type { Duck } from './duck.ts';

export interface StorageDeps {
  database: Database;
  folder: AnalyticsFolder;
  duck: Duck;
  log: Logger;
}

/** Commits. On a conflict, deletes the new files, because no manifest names them. */
export async function commit(
  database: Database,
  folder: AnalyticsFolder,
  change: Parameters<typeof replaceFiles>[1],
): Promise<number> {
  try {
    return await database.db.transaction((tx) => replaceFiles(tx, change));
  } catch (err) {
    // After other errors the commit may have succeeded: garbage collection deletes what no manifest names.
    if (isExpected(err, 'manifest_conflict')) await deleteIfPossible(folder, change.add);
    throw err;
  }
}

/**
 * Writes files for one commit, and deletes the written ones if the work fails.
 * @param work gets the list to pass on to each write
 */
export async function writtenTogether<T>(
  folder: AnalyticsFolder,
  work: (written: NewFile[]) => Promise<T>,
): Promise<T> {
  const written: NewFile[] = [];
  try {
    return await work(written);
  } catch (err) {
    await deleteIfPossible(folder, written);
    throw err;
  }
}

/** What stays is orphaned: garbage collection finds it. */
export async function deleteIfPossible(folder: AnalyticsFolder, files: readonly { path: string }[]): Promise<void> {
  const { bucketFiles } = folder;
  if (!bucketFiles) return deleteFiles(folder, files);
  for (const file of files) await bucketFiles.dropCopy(file.path);
  if (bucketFiles.problem !== null) return;
  await deleteFiles(folder, files).catch(() => {});
}

/** Adds what to do to errors of a full disk. @throws AppError `storage_full` */
export async function namingFullDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (err) {
    if (err instanceof AppError || !isStorageFull(err)) throw err;
    throw new AppError(
      'storage_full',
      'The disk for page views is full. No data was lost or partially counted. Free some space, and try ' +
        'again. Background tasks retry automatically.',
      { cause: err, retryAfterSeconds: 30 },
    );
  }
}

/**
 * Deletes noted files. In an unavailable folder, the note stays for garbage collection.
 * @throws AppError `unavailable`
 */
export async function deleteNoted(
  database: Database,
  folder: AnalyticsFolder,
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return;
  faultPoint('deletions-noted');
  await folder.verify();
  await deleteFiles(
    folder,
    paths.map((path) => ({ path })),
  );
  faultPoint('files-deleted');
  await folder.verify();
  await forgetDeletions(database.db, paths);
}

/** Deletes files of the manifest, with their derived files. */
export async function deleteFiles(folder: AnalyticsFolder, files: readonly { path: string }[]): Promise<void> {
  if (folder.bucketFiles) await folder.bucketFiles.remove(files.map((file) => file.path));
  for (const file of files) {
    const name = folder.fileOf(file.path);
    for (const one of [indexOf(name), name]) await rm(one, { force: true });
  }
}
