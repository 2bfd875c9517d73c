import { compactProject } from '../../analytics/counts/compact.ts';
import { mergeShard, planSharedMerge, publishSharedMerge } from '../../analytics/counts/shared-merge.ts';
import { GRACE_MS, maintain, type Maintained, type MaintenanceOptions } from '../../analytics/upkeep/maintain.ts';
import { SteadyClock } from '../../analytics/upkeep/steady-clock.ts';
import type { StorageDeps } from '../../analytics/storage/storage.ts';
import { GarbageCollector } from '../../analytics/upkeep/garbage-collector.ts';
import { dueProjects } from '../../store/analytics-due.ts';
import { analyticsProjectIds } from '../../store/analytics-manifest.ts';
import { databaseNow } from '../../store/database.ts';
import { runActivity } from '../run-activity.ts';

export interface AnalyticsDeps extends Omit<MaintenanceOptions, 'clock'> {
  storage: StorageDeps;
}

/** What became of several projects. */
export interface MaintainedProjects {
  /** What was done, for people. */
  lines: string[];
  /** Those whose merge and compaction are left to the caller. */
  sharded: string[];
  failed: string[];
}

export type AnalyticsActivities = ReturnType<typeof createAnalyticsActivities>;

/** Upkeep of page views. Each may run twice, die anywhere, and run beside another one. */
export function createAnalyticsActivities({ storage, ...options }: AnalyticsDeps) {
  const { log, database } = storage;
  const clock = new SteadyClock();
  const collector = new GarbageCollector(storage);
  return {
    /**
     * Projects behind `after` whose page views need maintenance, where those `due` are asked for; else all that ever had a page view. Without a
     * place, all of them: runs that earlier builds began ask so.
     */
    async analyticsProjects(place?: { after: string; limit: number; due?: boolean }): Promise<string[]> {
      const { ids } = await runActivity(log, {}, async () => ({
        ids: place?.due
          ? await dueProjects(database.db, { ...place, graceMs: GRACE_MS })
          : await analyticsProjectIds(database.db, place),
      }));
      return ids;
    },

    /** Merges, lets go, compacts, deletes what nobody reads. Where there are shards, merge and compaction are left to the workflow. */
    async maintainProject({ projectId }: { projectId: string }): Promise<Maintained> {
      return runActivity(log, {}, () => maintain(storage, projectId, { ...options, clock }));
    },

    /** As {@link maintainProject}, project after project. One that fails holds up no other, and is named. */
    async maintainProjects({ projectIds }: { projectIds: string[] }): Promise<MaintainedProjects> {
      return runActivity(log, {}, async ({ signal, log: runLog }) => {
        const all: MaintainedProjects = { lines: [], sharded: [], failed: [] };
        for (const projectId of projectIds) {
          signal.throwIfAborted();
          try {
            const { words, shards } = await maintain(storage, projectId, { ...options, clock });
            all.lines.push(`- ${projectId}: ${words}`);
            if (shards > 1) all.sharded.push(projectId);
          } catch (err) {
            runLog.warn({ err, projectId }, 'a project could not be maintained');
            all.failed.push(projectId);
          }
        }
        return all;
      });
    },

    /** The next merge of a project's shards. An empty `merge` where there is nothing to merge, or somebody else is at it. */
    async planSharedMerge({ projectId }: { projectId: string }): Promise<{ merge: string; shards: number }> {
      return runActivity(log, {}, async () => {
        const planned = await planSharedMerge(storage, projectId);
        return { merge: planned?.id ?? '', shards: planned?.shards ?? 0 };
      });
    },

    /** Writes the counts of one shard for a merge that was planned; nothing, where that has ended. */
    async mergeShard(input: { projectId: string; merge: string; shard: number }): Promise<{ events: number }> {
      const { projectId, merge, shard } = input;
      return runActivity(log, {}, async () => ({ events: (await mergeShard(storage, projectId, merge, shard)) ?? 0 }));
    },

    /** Makes what all shards of a merge have written count. Null where the merge has ended, or somebody else is at the files. */
    async publishSharedMerge(input: { projectId: string; merge: string }): Promise<{ events: number | null }> {
      const { projectId, merge } = input;
      return runActivity(log, {}, async () => ({ events: await publishSharedMerge(storage, projectId, merge) }));
    },

    /** Puts small files together. */
    async compactProject({ projectId }: { projectId: string }): Promise<{ filesBefore: number; filesAfter: number }> {
      return runActivity(log, {}, async () => {
        const now = clock.now(await databaseNow(database.db)) ?? undefined;
        return (await compactProject(storage, projectId, now)) ?? { filesBefore: 0, filesAfter: 0 };
      });
    },

    /** Deletes what belongs to nobody. */
    async collectGarbage(): Promise<{ files: number }> {
      return runActivity(log, {}, async () => ({ files: await collector.collect() }));
    },
  };
}
