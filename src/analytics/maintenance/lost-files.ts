import { AppError, Expected, isExpected } from '../../platform/errors.ts';
import { damageOf, undoDamage, type DamageRow } from '../../store/analytics/damage.ts';
import { addUnmerged } from '../../store/analytics/manifest-changes.ts';
import { type FileRow, type NewFile } from '../../store/analytics/manifest.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import { isMissing } from '../storage/durable-files.ts';
import type { Damaged } from '../storage/file-check.ts';
import { isMissingFile } from '../storage/files-damaged.ts';
import { hasSum } from '../storage/file-sum.ts';
import type { StorageDeps } from '../storage/storage.ts';

/** Whether files of events are missing, and may still show: a second look is due. */
export const mayStillShow = (err: unknown): err is AppError =>
  err instanceof AppError && isExpected(err.cause, 'may_still_show');

/** How often an object that was found damaged is fetched again. */
const TRIED_AGAIN_MS = 10 * 60_000;

/** When files of events were first missed by this process, by folder and file: `performance.now()`. */
const missed = new WeakMap<AnalyticsFolder, Map<string, number>>();

/**
 * Files of events are lost if still missing later, when a network file system would show them. Counts can be
 * recomputed at once.
 * @param damaged the damage found just now
 * @throws AppError `unavailable`: see {@link mayStillShow}
 */
export function requireSecondCheck(folder: AnalyticsFolder, damaged: readonly Damaged[]): void {
  const now = performance.now();
  const before = missed.get(folder) ?? new Map<string, number>();
  // An object of a bucket may have been corrupted in transfer.
  const mayBeNone = (one: Damaged) => isMissingFile(one) || folder.bucketFiles !== null;
  const missing = damaged.filter((one) => mayBeNone(one) && hasEvents(one.file)).map(({ file }) => file);
  const since = new Map(missing.map(({ id }) => [id, before.get(id) ?? now]));
  for (const [id, at] of before) if (!since.has(id) && now - at < folder.patienceMs * 10) since.set(id, at);
  missed.set(folder, since);
  const waited = missing.filter(({ id }) => now - (since.get(id) ?? now) < folder.patienceMs);
  const [file] = waited;
  if (!file) return;
  throw new AppError(
    'unavailable',
    `${waited.length} page-view files could not be located. Docent checks again in ` +
      `${Math.ceil(folder.patienceMs / 1_000)} s before it treats them as lost. Try again then.`,
    { cause: new Expected('may_still_show', `${file.path} is missing`), retryAfterSeconds: 30 },
  );
}

/** Files that this process found where they belong: if they disappear, that is a first check again. */
export function noteSeen(folder: AnalyticsFolder, damaged: readonly Damaged[], files: readonly FileRow[]): void {
  const times = missed.get(folder);
  if (!times) return;
  const bad = new Set(damaged.map(({ file }) => file.id));
  for (const { id } of files) if (!bad.has(id)) times.delete(id);
}

/**
 * Adds lost files of events that are back. Each event counts once. The caller holds the project's lock.
 * Idempotent.
 * @returns their ids
 */
export async function takeBack({ database, folder, log }: StorageDeps, projectId: string): Promise<string[]> {
  const back: string[] = [];
  for (const row of await damageOf(database.db, projectId)) {
    const file = await asItWas(folder, row);
    if (!file) continue;
    const isIn = await database.db.transaction(async (tx) => {
      if (!(await undoDamage(tx, row.id))) return false;
      await addUnmerged(tx, projectId, [file], `taken-back/${row.id}`);
      return true;
    });
    if (!isIn) continue;
    back.push(row.id);
    log.info(
      { projectId, file: row.path, rows: row.rows },
      'a lost page-view file is back: its events are counted again',
    );
  }
  return back;
}

async function asItWas(folder: AnalyticsFolder, row: DamageRow): Promise<NewFile | null> {
  const { id, path, rows, bytes, minDay, maxDay, sha256 } = row;
  if (!hasEvents(row) || sha256 === null) return null;
  const asNew: NewFile = { id, family: 'unmerged', path, rows, bytes, minDay, maxDay, sha256 };
  if (folder.bucketFiles) return (await folder.bucketFiles.isWhole(asNew, TRIED_AGAIN_MS)) ? asNew : null;
  const name = folder.fileOf(path);
  try {
    if (!(await hasSum(name, asNew))) return null;
  } catch (err) {
    if (isMissing(err) || (err as NodeJS.ErrnoException).code === 'EIO') return null;
    throw err;
  }
  return asNew;
}

export const hasEvents = ({ family }: Pick<FileRow, 'family'>): boolean => family === 'events' || family === 'unmerged';
