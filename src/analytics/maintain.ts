import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { analyticsFilePaths, analyticsProjectIds, findAnalytics } from '../store/analytics-manifest.ts';
import { forgetOldPages } from '../store/analytics-pages.ts';
import { destroySalts } from '../store/analytics-salts.ts';
import { isSameMapping, mappingAt, wantedMapping } from '../store/analytics-settings.ts';
import { findProject } from '../store/projects.ts';
import { compactProject } from './compact.ts';
import { dayOf } from './days.ts';
import { isMissing } from './durable-files.ts';
import { deleteRemoved, dropBefore } from './erase.ts';
import { foldProject } from './fold.ts';
import { rebuildProject } from './rebuild.ts';
import { isClosed, SaltCalendar } from './salt-calendar.ts';
import type { StorageDeps } from './storage.ts';

export interface MaintenanceOptions {
  /** Days that page views are kept, where the project has no number of its own; null for ever. */
  retentionDays: number | null;
}

/** Files stay this long after they were replaced: answers name versions, and listings go on. */
const GRACE_MS = 15 * 60_000;
/** What is in no manifest and has not changed for this long is left over from a death. */
const ORPHAN_MS = 60 * 60_000;

/** All upkeep of one project. Idempotent. @returns what was done, for people */
export async function maintain(
  deps: StorageDeps,
  projectId: string,
  { retentionDays }: MaintenanceOptions,
  now = Date.now(),
): Promise<string> {
  const head = await findAnalytics(deps.database.db, projectId);
  const project = await findProject(deps.database.db, projectId);
  if (!head || !project) return 'gone';
  const { settings } = project;
  const today = dayOf(now);
  const days = settings.analyticsRetentionDays ?? retentionDays;
  if (days) await dropBefore(deps, projectId, today - days);
  const destroyed = await destroySalts(deps.database, projectId, (period, schedule) =>
    isClosed({ endDay: new SaltCalendar(schedule).endOf(period) }, today),
  );
  if (destroyed.length > 0) deps.log.info({ projectId, periods: destroyed }, 'salts of past periods were destroyed');
  if (!isSameMapping(mappingAt(head.mappings, head.version), wantedMapping(settings))) {
    await rebuildProject(deps, projectId, {});
  }
  const folded = await foldProject(deps, projectId);
  const compacted = await compactProject(deps, projectId, now);
  const deleted = await deleteRemoved(deps, projectId, new Date(now - GRACE_MS));
  if (!folded || !compacted) return 'another process is at it';
  return `${folded.events} events folded, ${folded.repeats} repeats left out, ${compacted.filesBefore} files put together to ${compacted.filesAfter}, ${deleted} deleted`;
}

/** Deletes files that are in no manifest, and forgets old listings. Idempotent. @returns how many files */
export async function sweep({ database, folder, log }: StorageDeps, now = Date.now()): Promise<number> {
  await forgetOldPages(database.db);
  const known = new Set(await analyticsProjectIds(database.db));
  let deleted = 0;
  const sweepFolder = async (target: string, isKnown: (file: string) => boolean) => {
    for (const file of await filesBelow(target)) {
      if (isKnown(file) || now - (await modified(file)) < ORPHAN_MS) continue;
      await rm(file, { force: true });
      deleted += 1;
    }
  };
  await sweepFolder(folder.temporaryFolder, () => false);
  for (const projectId of await entriesOf(folder.filesFolder)) {
    const paths = known.has(projectId) ? await analyticsFilePaths(database.db, projectId) : [];
    const named = new Set(paths.map((name) => folder.fileOf(name)));
    await sweepFolder(path.join(folder.filesFolder, projectId), (file) => named.has(file));
  }
  if (deleted > 0) log.info({ files: deleted }, 'files that belonged to nobody were deleted');
  return deleted;
}

async function filesBelow(target: string): Promise<string[]> {
  try {
    const entries = await readdir(target, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  } catch (err) {
    if (isMissing(err)) return [];
    throw err;
  }
}

async function entriesOf(target: string): Promise<string[]> {
  return (await readdir(target)).toSorted();
}

async function modified(file: string): Promise<number> {
  try {
    return (await stat(file)).mtimeMs;
  } catch (err) {
    if (isMissing(err)) return Infinity;
    throw err;
  }
}
