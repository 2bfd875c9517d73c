import { copyFile, link, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError, isExpected } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/faults.ts';
import { endOldVersions } from '../../store/analytics/damage.ts';
import { findAnalytics, readManifest, type FileRow } from '../../store/analytics/manifest.ts';
import { withProjectLock } from '../../store/analytics/lock.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import { recomputeCounts } from '../counts/recompute.ts';
import { dateText } from '../events/days.ts';
import { isMissing, isStorageFull } from '../storage/durable-files.ts';
import { isOutOfMemory } from '../storage/duck.ts';
import { findDamage, isWhole, type Damaged } from '../storage/file-check.ts';
import { hasEvents, requireSecondCheck, takeBack } from './lost-files.ts';
import { commit, deleteFiles, namingFullDisk, type StorageDeps } from '../storage/storage.ts';

/** Each process that works on files reads all of them again this often, to find damage on the disk. */
export const RECHECK_MS = 6 * 3_600_000;
/** How long to wait for a process that works on the files. */
const WAIT_MS = 120_000;

/**
 * Runs `work` under the project's lock on whole files: sets damaged ones aside first, and runs `work` again
 * if damage shows. Null if another process is at it.
 * @throws AppError `storage_full`
 */
export async function withWholeFiles<T>(
  deps: StorageDeps,
  projectId: string,
  work: () => Promise<T>,
  options: { waitMs?: number } = {},
): Promise<T | null> {
  const onWholeFiles = async () => {
    await repairLocked(deps, projectId, RECHECK_MS);
    try {
      return await work();
    } catch (err) {
      if (!mayBeDamage(err) || (await repairLocked(deps, projectId, 0)).length === 0) throw err;
      return work();
    }
  };
  return withProjectLock(deps.database, projectId, () => namingFullDisk(onWholeFiles), options);
}

/**
 * Sets a project's damaged files aside. Idempotent.
 * @param maxAgeMs trusts files found whole within this time
 * @param version an unreadable version: ends if a file of it is damaged
 * @returns the result; null if another process is busy for minutes
 * @throws AppError `storage_full`
 */
export async function repairProject(
  deps: StorageDeps,
  projectId: string,
  maxAgeMs: number,
  version?: number,
): Promise<Damaged[] | null> {
  return withProjectLock(
    deps.database,
    projectId,
    async () => {
      const damaged = await namingFullDisk(() => repairLocked(deps, projectId, maxAgeMs));
      if (damaged.length > 0 || version === undefined) return damaged;
      return endDamagedVersions(deps, projectId, version);
    },
    { waitMs: WAIT_MS },
  );
}

/** Whether an error may come from a damaged file. */
export function mayBeDamage(err: unknown): boolean {
  const isOther = err instanceof AppError || isExpected(err, 'manifest_conflict', 'version_gone');
  return !isOther && !isStorageFull(err) && !isOutOfMemory(err);
}

/** Recomputes counts without lost events, which count again when they come back. */
async function repairLocked(deps: StorageDeps, projectId: string, maxAgeMs: number): Promise<Damaged[]> {
  const { database, folder, log } = deps;
  const head = await findAnalytics(database.db, projectId);
  if (!head) return [];
  await folder.verify();
  await takeBack(deps, projectId);
  const manifest = await readManifest(database.db, projectId);
  const damaged = await findDamage(folder, manifest.files, maxAgeMs);
  requireSecondCheck(folder, damaged, manifest.files);
  if (damaged.length === 0) return [];
  const kept: FileRow[] = [];
  for (const { file, reason } of damaged) {
    const copy = await setAside(folder, file);
    if (copy !== null) kept.push(file);
    const days = `${dateText(file.minDay)} to ${dateText(file.maxDay)}`;
    log.error(
      { projectId, file: file.path, family: file.family, rows: file.rows, days, reason, copy },
      hasEvents(file)
        ? 'a file of page views is damaged and set aside: its events do not count any more'
        : 'a file of counts is damaged and set aside: it is recomputed from the events',
    );
  }
  const bad = new Set(damaged.map(({ file }) => file.id));
  const whole = { ...manifest, files: manifest.files.filter((file) => !bad.has(file.id)) };
  const recomputed = damaged.some(({ file }) => file.family !== 'unmerged')
    ? await recomputeCounts(deps, whole, {})
    : { remove: [], add: [] };
  faultPoint('repair-written');
  await commit(database, folder, {
    projectId,
    fence: head.fence,
    remove: recomputed.remove,
    add: recomputed.add,
    lost: damaged.map(({ file, reason }) => ({ id: file.id, reason })),
  });
  faultPoint('repair-committed');
  // Frees their names for copies from a backup, unless there is one. What could not be kept is not deleted.
  for (const file of kept) if (!(await isWhole(folder, file))) await deleteFiles(folder, [file]);
  log.warn({ projectId, files: damaged.length }, 'queries continue without the damaged files');
  return damaged;
}

/** The file no longer counts, but an earlier answer with its version cannot be repeated. */
async function endDamagedVersions(deps: StorageDeps, projectId: string, version: number): Promise<Damaged[]> {
  const { database, folder, log } = deps;
  const { files } = await readManifest(database.db, projectId, version);
  const damaged = await findDamage(folder, files, 0);
  if (damaged.length === 0) return [];
  await endOldVersions(database.db, projectId);
  log.warn({ projectId, version, files: damaged.map(({ file }) => file.path) }, 'replaced files are damaged');
  return damaged;
}

/** Keeps the rest of a damaged file for a person. @returns where, or null if there is nothing */
async function setAside(folder: AnalyticsFolder, file: FileRow): Promise<string | null> {
  const target = path.join(folder.setAsideFolder, 'damaged', file.projectId, file.family);
  await mkdir(target, { recursive: true, mode: 0o700 });
  const copy = path.join(target, path.basename(file.path));
  try {
    await link(folder.fileOf(file.path), copy);
  } catch (err) {
    if (isMissing(err)) return null;
    if ((err as NodeJS.ErrnoException).code === 'EEXIST') return copy;
    if (isStorageFull(err)) throw err;
    try {
      // A file system without hard links.
      await copyFile(folder.fileOf(file.path), copy);
    } catch (cause) {
      if (isStorageFull(cause)) throw cause;
      return null; // It cannot be read, which is why it is here.
    }
  }
  return copy;
}
