import { maintain, type MaintenanceOptions } from '../../analytics/upkeep/maintain.ts';
import { SteadyClock } from '../../analytics/upkeep/steady-clock.ts';
import type { StorageDeps } from '../../analytics/storage/storage.ts';
import { GarbageCollector } from '../../analytics/upkeep/garbage-collector.ts';
import { analyticsProjectIds } from '../../store/analytics-manifest.ts';
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

    /** Merges, lets go, compacts, deletes what nobody reads. */
    async maintainProject({ projectId }: { projectId: string }): Promise<{ words: string }> {
      return runActivity(log, {}, async () => ({ words: await maintain(storage, projectId, { ...options, clock }) }));
    },

    /** Deletes what belongs to nobody. */
    async collectGarbage(): Promise<{ files: number }> {
      return runActivity(log, {}, async () => ({ files: await collector.collect() }));
    },
  };
}
