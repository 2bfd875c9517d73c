import { AppError, Expected, isExpected } from '../../platform/errors.ts';
import { damageOf, undoDamage, type DamageRow } from '../../store/analytics/damage.ts';
import { addUnmerged } from '../../store/analytics/manifest-changes.ts';
import { type FileRow, type NewFile } from '../../store/analytics/manifest.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import { isMissing } from '../storage/durable-files.ts';
import type { Damaged } from '../storage/file-check.ts';
import { hasSum } from '../storage/file-sum.ts';
import type { StorageDeps } from '../storage/storage.ts';

/** Whether files of events are missing, and may still show: a second look is due. */
export const mayStillShow = (err: unknown): err is AppError =>
  err instanceof AppError && isExpected(err.cause, 'may_still_show');

/** How often an object that was found damaged is fetched again. */
const TRIED_AGAIN_MS = 10 * 60_000;

/** Since when each object of events is missing or damaged, by folder and file: `performance.now()`. */
const missed = new WeakMap<AnalyticsFolder, Map<string, number>>();

/**
 * Objects of events are lost if a second check finds the same: a bucket may show a new object late, or corrupt
 * one in transfer. A local folder does neither, and counts can be recomputed at once.
 * @param damaged the damage found just now in `files`
 * @throws AppError `unavailable`: see {@link mayStillShow}
 */
export function requireSecondCheck(
  folder: AnalyticsFolder,
  damaged: readonly Damaged[],
  files: readonly FileRow[],
): void {
  const { patienceMs } = folder;
  if (patienceMs === 0) return;
  const now = performance.now();
  const since = missed.get(folder) ?? new Map<string, number>();
  missed.set(folder, since);
  const missing = new Map(damaged.filter(({ file }) => hasEvents(file)).map(({ file }) => [file.id, file]));
  for (const { id } of files) if (!missing.has(id)) since.delete(id);
  for (const [id, at] of since) if (!missing.has(id) && now - at >= patienceMs * 10) since.delete(id);
  for (const id of missing.keys()) if (!since.has(id)) since.set(id, now);
  const waited = [...missing.values()].filter(({ id }) => now - since.get(id)! < patienceMs);
  const [file] = waited;
  if (!file) return;
  throw new AppError(
    'unavailable',
    `${waited.length} page-view files could not be located. Docent checks again in ` +
      `${Math.ceil(patienceMs / 1_000)} s before it treats them as lost. Try again then.`,
    { cause: new Expected('may_still_show', `${file.path} is missing`), retryAfterSeconds: 30 },
  );
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
