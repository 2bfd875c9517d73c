import { faultPoint } from '../../platform/faults.ts';
import { addUnmerged } from '../../store/analytics/manifest-changes.ts';
import { ensureAnalytics, readManifest } from '../../store/analytics/manifest.ts';
import { withProjectLock } from '../../store/analytics/lock.ts';
import { recoveredSource } from '../../store/analytics/recovered.ts';
import { recomputeCounts } from '../counts/recompute.ts';
import { findDamage } from '../storage/file-check.ts';
import { mergeLocked } from './merge.ts';
import { takeBack } from './lost-files.ts';
import { listLostLogs } from './take-in.ts';
import { commit, type StorageDeps } from '../storage/storage.ts';
import { newestFirst, unknownFiles, type UnreadableFile } from './unknown-files.ts';

export interface Recovered {
  /** Files of events that the database did not know, and that count now. */
  files: number;
  /** Events of theirs that did not count before. */
  events: number;
  /** Known files that are gone or damaged. Their events count as far as other files hold them. */
  gone: string[];
  /** Files that are unreadable or inconsistent. They are not moved. */
  unreadable: UnreadableFile[];
  /** Event logs that the database did not know. The next server takes them over. */
  logs: number;
}

const WAIT_MS = 120_000;

/**
 * Restores the manifest from the files, after the database was lost or restored from a backup. Every unknown
 * event file becomes unmerged, where each id counts once a day: so files and the files that they replaced
 * count once. Missing counts are recomputed. Idempotent. Null when another process is working on the files
 * for minutes, or for a project that does not exist.
 */
export async function recoverProject(deps: StorageDeps, projectId: string): Promise<Recovered | null> {
  const { database } = deps;
  const head = await ensureAnalytics(database.db, projectId);
  if (!head) return null;
  return withProjectLock(
    database,
    projectId,
    async () => {
      await deps.folder.verify();
      const gone = await letGoOfLost(deps, projectId);
      // Events that only waited to be merged are not missing.
      await mergeLocked(deps, projectId);
      const back = await takeBack(deps, projectId);
      const events = await unknownFiles(deps, projectId, 'events');
      const unmerged = await unknownFiles(deps, projectId, 'unmerged');
      const found = newestFirst([...events.found, ...unmerged.found]);
      await database.db.transaction(async (tx) => {
        for (const { file } of found) await addUnmerged(tx, projectId, [file], recoveredSource(file.id));
      });
      faultPoint('recover-listed');
      const merged = await mergeLocked(deps, projectId, new Set([...back, ...found.map(({ file }) => file.id)]));
      const logs = await listLostLogs(deps);
      const unreadable = [...events.unreadable, ...unmerged.unreadable];
      const recovered = { files: back.length + found.length, events: merged.events, gone, unreadable, logs };
      deps.log.info({ projectId, ...recovered }, 'updated the manifest to match the files');
      return recovered;
    },
    { waitMs: WAIT_MS },
  );
}

/** Takes missing and damaged files out of the manifest. @returns their paths */
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
