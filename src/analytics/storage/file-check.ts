import { stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../platform/errors.ts';
import type { FileRow } from '../../store/analytics/manifest.ts';
import type { AnalyticsFolder } from './analytics-folder.ts';
import type { BucketFiles } from './bucket/bucket-files.ts';
import { isMissing } from './durable-files.ts';
import { sha256Of } from './file-sum.ts';
import { MISSING } from './files-damaged.ts';

/** A file of the manifest that differs from the written one. */
export interface Damaged {
  file: FileRow;
  /** The problem, for people. */
  reason: string;
}

/** When files were last found whole by this process, by folder and file: `performance.now()`. */
const found = new WeakMap<AnalyticsFolder, Map<string, number>>();

const foundIn = (folder: AnalyticsFolder): Map<string, number> => {
  let times = found.get(folder);
  if (!times) found.set(folder, (times = new Map()));
  return times;
};

/** Notes that this process has just written a file, and read it back. */
export function noteWhole(folder: AnalyticsFolder, id: string): void {
  foundIn(folder).set(id, performance.now());
}

/**
 * Compares files with the manifest: they exist, and have the same length and SHA-256. DuckDB alone would not
 * notice: most flipped bits in a compressed column give other values, and no error. Files in a bucket are
 * compared whenever they are fetched, so here they are only listed, and not at all if the age does not
 * matter.
 * @param maxAgeMs files that this process verified within this time are not read again
 * @throws AppError `unavailable` if the whole folder is missing or another one: an unmounted disk is no
 *   damage
 */
export async function findDamage(
  folder: AnalyticsFolder,
  files: readonly FileRow[],
  maxAgeMs: number,
): Promise<Damaged[]> {
  const times = foundIn(folder);
  const damaged: Damaged[] = [];
  const due = files.filter(({ id }) => {
    const checkedAt = times.get(id);
    return checkedAt === undefined || performance.now() - checkedAt > maxAgeMs;
  });
  if (folder.bucketFiles && (maxAgeMs === Infinity || due.length === 0)) return [];
  const reasonOf = folder.bucketFiles
    ? await reasonsIn(folder.bucketFiles, due)
    : (file: FileRow) => damageOf(folder, file);
  for (const file of due) {
    const reason = await reasonOf(file);
    if (reason === null) {
      times.delete(file.id);
      times.set(file.id, performance.now());
    } else {
      times.delete(file.id);
      damaged.push({ file, reason });
    }
  }
  if (damaged.length > 0) await folder.verifyAll();
  for (const id of times.keys()) {
    if (times.size <= MAX_KNOWN) break;
    times.delete(id);
  }
  return damaged;
}

const MAX_KNOWN = 100_000;

async function reasonsIn(bucket: BucketFiles, files: readonly FileRow[]): Promise<(file: FileRow) => string | null> {
  const found = await bucket.findDamage(files);
  return ({ id }) => (found.has(id) ? (found.get(id) ?? MISSING) : null);
}

/** Whether a file matches the manifest. @throws as {@link findDamage} */
export async function isWhole(folder: AnalyticsFolder, file: FileRow): Promise<boolean> {
  if (folder.bucketFiles) return folder.bucketFiles.isWhole(file);
  return (await damageOf(folder, file)) === null;
}

async function damageOf(folder: AnalyticsFolder, file: FileRow): Promise<string | null> {
  const name = folder.fileOf(file.path);
  try {
    const { size } = await stat(name);
    if (size !== file.bytes) return `has ${size} bytes instead of ${file.bytes}`;
    return (await sha256Of(name)).equals(file.sha256) ? null : 'holds other bytes than were written';
  } catch (err) {
    if (isMissing(err)) {
      await requireProjectFolder(folder, file);
      return MISSING;
    }
    if ((err as NodeJS.ErrnoException).code === 'EIO') return 'cannot be read from the disk';
    throw err;
  }
}

async function requireProjectFolder(folder: AnalyticsFolder, file: FileRow): Promise<void> {
  const projectFolder = path.join(folder.filesFolder, file.projectId);
  try {
    await stat(projectFolder);
  } catch (err) {
    if (!isMissing(err)) throw err;
    throw new AppError(
      'unavailable',
      'The page-view folder does not exist. Check that its disk is mounted and that DOCENT_ANALYTICS_DIR is right.',
      { cause: err, retryAfterSeconds: 30 },
    );
  }
}
