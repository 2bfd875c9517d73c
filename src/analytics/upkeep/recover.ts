import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { faultPoint } from '../../platform/faults.ts';
import { addUnmerged } from '../../store/analytics-manifest-changes.ts';
import { analyticsFilePaths, ensureAnalytics, readManifest, type NewFile } from '../../store/analytics-manifest.ts';
import { withProjectLock } from '../../store/analytics-lock.ts';
import { pendingDeletions } from '../../store/analytics-deletions.ts';
import { listLostWriter } from '../../store/analytics-writers.ts';
import { newId } from '../../store/ids.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import { bringObjectsBack } from '../storage/bucket/objects-aside.ts';
import { recomputeCounts } from '../counts/recompute.ts';
import { syncFolder } from '../storage/durable-files.ts';
import type { DuckSession } from '../storage/duck.ts';
import { findDamage } from '../storage/file-check.ts';
import { sumOf } from '../storage/file-sum.ts';
import { mergeLocked } from '../counts/merge.ts';
import { takeBack } from './lost-files.ts';
import { summaryOf, type Summary } from '../storage/parquet-writer.ts';
import { commit, type StorageDeps } from '../storage/storage.ts';
import { filesBelow } from '../storage/files-below.ts';

export interface Recovered {
  /** Files of events that the database did not know, and that count now. */
  files: number;
  /** Events of theirs, or that waited to be merged, that were not there yet. */
  events: number;
  /** Files that the database knew and that are gone or damaged. Their events count as far as other files hold them. */
  gone: string[];
  /** Files that cannot be read, or do not hold what they say of themselves. They are left where they are. */
  unreadable: { path: string; reason: string }[];
  /** Event logs that the database did not know. The next server takes them over. */
  logs: number;
}

const WAIT_MS = 120_000;
const FAMILIES = ['events', 'unmerged'] as const;
type EventFamily = (typeof FAMILIES)[number];

/**
 * Brings the manifest in line with the files, after the database was lost or restored from a backup. Every file of events that
 * it does not know comes in unmerged, where each id counts once a day: files that stand for others, and the others that
 * are still there, count once. Counts are recomputed where they are gone. Idempotent. Null when another process is at
 * the files for minutes, or for a project that does not exist.
 */
export async function recoverProject(deps: StorageDeps, projectId: string): Promise<Recovered | null> {
  const { database } = deps;
  const head = await ensureAnalytics(database.db, projectId);
  if (!head) return null;
  return withProjectLock(
    database,
    projectId,
    async () => {
      await deps.folder.prove();
      const back = await takeBack(deps, projectId);
      const gone = await letGoOfLost(deps, projectId);
      const { found, unreadable } = await unknownFiles(deps, projectId);
      await database.db.transaction(async (tx) => {
        for (const { file } of found) await addUnmerged(tx, projectId, [file], `recovered/${file.id}`);
      });
      faultPoint('recover-listed');
      const { events } = await mergeLocked(deps, projectId);
      const logs = await lostLogs(deps);
      const recovered = { files: back + found.length, events, gone, unreadable, logs };
      deps.log.info({ projectId, ...recovered }, 'the manifest was brought in line with the files');
      return recovered;
    },
    { waitMs: WAIT_MS },
  );
}

/** Takes files out of the manifest that are not there, or damaged. @returns their paths */
async function letGoOfLost(deps: StorageDeps, projectId: string): Promise<string[]> {
  const { database, folder } = deps;
  const head = await ensureAnalytics(database.db, projectId);
  const manifest = await readManifest(database.db, projectId);
  const damaged = await findDamage(folder, manifest.files, 0);
  if (!head || damaged.length === 0) return [];
  const bad = new Set(damaged.map(({ file }) => file.id));
  const files = manifest.files.filter(({ id }) => !bad.has(id));
  const { remove, add } = await recomputeCounts(deps, { ...manifest, files }, {});
  const lost = [...bad].map((id) => ({ id, reason: null }));
  await commit(database, folder, { projectId, fence: head.fence, remove, add, lost });
  return damaged.map(({ file }) => file.path);
}

interface Found {
  file: NewFile;
  written: string;
}

/** Files of events that the manifest does not name: the newest of those that were merged, and rewritten since, first. */
async function unknownFiles(
  { database, folder, duck, log }: StorageDeps,
  projectId: string,
): Promise<{ found: Found[]; unreadable: Recovered['unreadable'] }> {
  // What was let go of on purpose, and is still there, does not come back.
  const known = new Set([
    ...(await analyticsFilePaths(database.db, projectId)),
    ...(await pendingDeletions(database.db)),
  ]);
  const found = new Map<EventFamily, Found[]>(FAMILIES.map((family) => [family, []]));
  const unreadable: Recovered['unreadable'] = [];
  for (const family of FAMILIES) {
    await bringBack(folder, projectId, family);
    for (const relative of await namesOf(folder, projectId, family)) {
      if (known.has(relative) || !relative.endsWith('.parquet')) continue;
      const read = await withCopy(folder, relative, (name) =>
        duck.use((session) => readUnknown(session, { name, relative, projectId, family })),
      );
      if ('reason' in read) {
        unreadable.push({ path: relative, reason: read.reason });
        log.error({ projectId, file: relative, reason: read.reason }, 'a file of page views cannot be taken in');
      } else {
        found.get(family)?.push(read);
      }
    }
  }
  const byTime = (a: Found, b: Found) => (a.written < b.written ? -1 : 1);
  const events = (found.get('events') ?? []).toSorted((a, b) => byTime(b, a));
  return { found: [...events, ...(found.get('unmerged') ?? []).toSorted(byTime)], unreadable };
}

/** Files that lie where a project's do, as a manifest would name them. */
async function namesOf(folder: AnalyticsFolder, projectId: string, family: EventFamily): Promise<string[]> {
  const top = path.posix.dirname(folder.nameOf(projectId, family, ''));
  if (folder.bucketFiles) return (await folder.bucketFiles.list(`${top}/`)).map(({ name }) => name);
  return (await filesBelow(folder.fileOf(top))).map((file) =>
    path.relative(folder.root, file).split(path.sep).join('/'),
  );
}

/** Lends a file that no manifest names. */
async function withCopy<T>(folder: AnalyticsFolder, name: string, work: (file: string) => Promise<T>): Promise<T> {
  const { bucketFiles } = folder;
  if (!bucketFiles) return work(folder.fileOf(name));
  const copy = path.join(folder.temporaryFolder, `${newId()}.parquet`);
  try {
    await bucketFiles.ask(() => bucketFiles.bucket.get(name, copy));
    return await work(copy);
  } finally {
    await rm(copy, { force: true });
  }
}

async function readUnknown(
  session: DuckSession,
  about: { name: string; relative: string; projectId: string; family: EventFamily },
): Promise<Found | { reason: string }> {
  const { name, relative, projectId, family } = about;
  let metadata: Map<string, string>;
  let summary: Summary;
  try {
    const pairs = await session.all<{ key: string; value: string }>(
      'SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata($name)',
      { name },
    );
    metadata = new Map(pairs.map(({ key, value }) => [key, value]));
    summary = await session.one<Summary>(`SELECT ${summaryOf(family)} FROM read_parquet($name)`, { name });
  } catch {
    return { reason: 'cannot be read as Parquet' };
  }
  if (metadata.get('docent') !== '1' || metadata.get('project') !== projectId) {
    return { reason: 'is no file of this project' };
  }
  const [sum, sumVersion] = metadata.get('sum')?.split(' ') ?? [];
  const isOther = metadata.get('rows') !== String(summary.rows);
  if (isOther || (sumVersion === session.libraryVersion && sum !== String(summary.sum))) {
    return { reason: 'holds other rows than were written' };
  }
  const file: NewFile = {
    id: path.basename(relative, '.parquet'),
    family: 'unmerged',
    path: relative,
    rows: Number(summary.rows),
    minDay: summary.first ?? 0,
    maxDay: summary.last ?? 0,
    ...(await sumOf(name)),
  };
  return { file, written: metadata.get('written') ?? '' };
}

/** Files that were cleared away because no manifest named them. */
async function bringBack(folder: AnalyticsFolder, projectId: string, family: EventFamily): Promise<void> {
  if (folder.bucketFiles) await bringObjectsBack(folder.bucketFiles, folder.temporaryFolder, projectId, family);
  const target = path.dirname(folder.fileOf(folder.nameOf(projectId, family, '')));
  const away = await filesBelow(path.join(folder.unnamedFolder, projectId, family));
  if (away.length === 0) return;
  await mkdir(target, { recursive: true, mode: 0o700 });
  for (const file of away) {
    const name = folder.nameOf(projectId, family, path.basename(file, '.parquet'));
    await folder.bucketFiles?.ask(async () => folder.bucketFiles?.bucket.put(name, file, await sumOf(file)), 'store');
    await rename(file, folder.fileOf(name));
  }
  await syncFolder(target);
}

async function lostLogs({ database, folder }: StorageDeps): Promise<number> {
  let logs = 0;
  for (const id of await folder.writerIds()) {
    if (await listLostWriter(database.db, id)) logs += 1;
  }
  return logs;
}
