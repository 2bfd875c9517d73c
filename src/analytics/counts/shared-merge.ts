import { faultPoint } from '../../platform/faults.ts';
import { withProjectLock } from '../../store/analytics-lock.ts';
import { findAnalytics, readManifest, VersionGone, type NewFile } from '../../store/analytics-manifest.ts';
import { ManifestConflict, replaceFiles } from '../../store/analytics-manifest-changes.ts';
import { findMerge, noteShard, planMerge, type PlannedMerge } from '../../store/analytics-merges.ts';
import { newId } from '../../store/ids.ts';
import { deleteIfPossible, namingFullDisk, writtenTogether, type StorageDeps } from '../storage/storage.ts';
import { absolutePaths, dayExpression, ofFamily, relation, rowsOf } from '../storage/tables.ts';
import { mayBeDamage, repairProject, withWholeFiles } from '../upkeep/repair.ts';
import { writeShardChanges } from './count-changes.ts';
import { nextUnmerged, withFreshEvents } from './merge.ts';
import { isOfShard, shardNumbers } from './shards.ts';

/*
 * A merge that several processes share: one plans it and writes its events, each shard's counts are written by whoever comes, and one
 * publishes all files in one step of the manifest. Until then nothing counts, and whatever else changes the project's counts ends it.
 */

/** What is to be carried out, shard by shard. */
export interface SharedMerge {
  id: string;
  shards: number;
}

/** How long publishing waits for whoever works on the project's files. */
const WAIT_MS = 120_000;

/**
 * Plans the merge of a project's next unmerged events and writes them as files of events, each once. One that was planned before ends.
 * Null where nothing is unmerged, visitors are not merged in shards, or another process is at it.
 */
export async function planSharedMerge(deps: StorageDeps, projectId: string): Promise<SharedMerge | null> {
  const { database, folder, duck } = deps;
  return withWholeFiles(deps, projectId, async () => {
    const head = await findAnalytics(database.db, projectId);
    if (!head || head.shards === 1) return null;
    const manifest = await readManifest(database.db, projectId);
    const unmerged = nextUnmerged(manifest);
    if (unmerged.length === 0) return null;
    const files = await writtenTogether(folder, (written) =>
      duck.use((session) => withFreshEvents(session, folder, manifest, unmerged, written, async () => written)),
    );
    faultPoint('shared-merge-events-written');
    const { version, shards } = manifest;
    const plan = { projectId, fence: head.fence, version, shards, unmerged: unmerged.map((file) => file.id) };
    const id = await database.db.transaction((tx) => planMerge(tx, plan, files));
    faultPoint('shared-merge-planned');
    return { id, shards };
  });
}

/**
 * Writes the counts of one shard's visitors for a planned merge. Idempotent. Needs no lock: only files of the version that was planned on are read.
 * @returns how many events; null where that was done before, or the merge has ended: another one changed the project's counts
 */
export async function mergeShard(
  deps: StorageDeps,
  projectId: string,
  mergeId: string,
  shard: number,
): Promise<number | null> {
  const merge = await currentMerge(deps, projectId, mergeId);
  if (!merge || merge.written.includes(shard) || !shardNumbers(merge.shards).includes(shard)) return null;
  try {
    return await namingFullDisk(() => writeShard(deps, merge, shard));
  } catch (err) {
    // What it reads goes away with the version, and with that the merge has ended.
    if (err instanceof VersionGone || !(await currentMerge(deps, projectId, mergeId))) return null;
    if (mayBeDamage(err) && (await repairProject(deps, projectId, 0))?.length) return null;
    throw err;
  }
}

async function writeShard(deps: StorageDeps, merge: PlannedMerge, shard: number): Promise<number | null> {
  const { database, folder, duck } = deps;
  const { projectId, version, shards } = merge;
  const manifest = await readManifest(database.db, projectId, version);
  const events = `shard_${newId()}`;
  const { files, count } = await writtenTogether(folder, (written) =>
    duck.use(async (session) => {
      const fresh = ofFamily(merge.files, 'events');
      try {
        await session.run(
          `CREATE TEMP TABLE ${events} AS
           SELECT visitor, path, class, agent, not_found, ${dayExpression('time')} AS day
           FROM ${relation('events', fresh, 'fresh')} WHERE ${isOfShard(shard, shards)}`,
          { fresh: absolutePaths(folder, fresh) },
        );
        const changes = { events, known: manifest.files, shard };
        return { files: written, count: await writeShardChanges(session, folder, manifest, changes, written) };
      } finally {
        await session.run(`DROP TABLE IF EXISTS ${events}`);
      }
    }),
  );
  faultPoint('shard-written');
  const isFirst = await database.db.transaction((tx) => noteShard(tx, merge.id, shard, files));
  faultPoint('shard-noted');
  if (isFirst) return count;
  await deleteIfPossible(folder, files);
  return null;
}

/**
 * Takes all that was written for a merge into the manifest, in one step. Idempotent: a merge that has ended is left alone. Its files are
 * then garbage, unless it was published.
 * @returns how many events count from then on; null where the merge had ended, or another process has been working on the files for minutes
 */
export async function publishSharedMerge(
  deps: StorageDeps,
  projectId: string,
  mergeId: string,
): Promise<number | null> {
  const { database, folder, log } = deps;
  return withProjectLock(
    database,
    projectId,
    async () => {
      const merge = await currentMerge(deps, projectId, mergeId);
      if (!merge || merge.written.length < merge.shards) return null;
      await folder.prove();
      faultPoint('shared-merge-due');
      const { fence, unmerged, files } = merge;
      try {
        // Not deleted where somebody else was faster: it may be just these files that were published.
        await database.db.transaction((tx) => replaceFiles(tx, { projectId, fence, remove: unmerged, add: files }));
      } catch (err) {
        if (err instanceof ManifestConflict) return null;
        throw err;
      }
      faultPoint('shared-merge-published');
      const events = eventsOf(files);
      log.info({ projectId, files: unmerged.length, events, shards: merge.shards }, 'events merged in shards');
      return events;
    },
    { waitMs: WAIT_MS },
  );
}

const eventsOf = (files: readonly NewFile[]): number => rowsOf(ofFamily(files, 'events'));

/** A merge that can still be published. */
async function currentMerge({ database }: StorageDeps, projectId: string, id: string): Promise<PlannedMerge | null> {
  const merge = await findMerge(database.db, projectId, id);
  const head = merge && (await findAnalytics(database.db, projectId));
  return head?.fence === merge?.fence ? merge : null;
}
