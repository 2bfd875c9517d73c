import { compactProject } from '../../analytics/counts/compact.ts';
import { mergeShard, planSharedMerge, publishSharedMerge } from '../../analytics/counts/shared-merge.ts';
import { maintain, type Maintained, type MaintenanceOptions } from '../../analytics/upkeep/maintain.ts';
import { SteadyClock } from '../../analytics/upkeep/steady-clock.ts';
import type { StorageDeps } from '../../analytics/storage/storage.ts';
import { GarbageCollector } from '../../analytics/upkeep/garbage-collector.ts';
import { analyticsProjectIds } from '../../store/analytics-manifest.ts';
import { databaseNow } from '../../store/database.ts';
import { runActivity } from '../run-activity.ts';

export interface AnalyticsDeps extends Omit<MaintenanceOptions, 'clock'> {
  storage: StorageDeps;
}

export type AnalyticsActivities = ReturnType<typeof createAnalyticsActivities>;

/** Upkeep of page views. Each may run twice, die anywhere, and run beside another one. */
export function createAnalyticsActivities({ storage, ...options }: AnalyticsDeps) {
  const { log, database } = storage;
  const clock = new SteadyClock();
  const collector = new GarbageCollector(storage);
  return {
    /** Projects that ever had a page view, those behind `after`. Without a place, all of them: runs that earlier builds began ask so. */
    async analyticsProjects(place?: { after: string; limit: number }): Promise<string[]> {
      const { ids } = await runActivity(log, {}, async () => ({ ids: await analyticsProjectIds(database.db, place) }));
      return ids;
    },

    /** Merges, lets go, compacts, deletes what nobody reads. Where there are shards, merge and compaction are left to the workflow. */
    async maintainProject({ projectId }: { projectId: string }): Promise<Maintained> {
      return runActivity(log, {}, () => maintain(storage, projectId, { ...options, clock }));
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
