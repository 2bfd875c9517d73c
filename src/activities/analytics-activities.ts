import { maintain, sweep, type MaintenanceOptions } from '../analytics/maintain.ts';
import type { StorageDeps } from '../analytics/storage.ts';
import { analyticsProjectIds } from '../store/analytics-manifest.ts';
import { runActivity } from './run-activity.ts';

export interface AnalyticsDeps extends MaintenanceOptions {
  storage: StorageDeps;
}

export type AnalyticsActivities = ReturnType<typeof createAnalyticsActivities>;

/** Upkeep of page views. Each may run twice, die anywhere, and run beside another one. */
export function createAnalyticsActivities({ storage, ...options }: AnalyticsDeps) {
  const { log, database } = storage;
  return {
    /** Every project that ever had a page view. */
    async analyticsProjects(): Promise<string[]> {
      const { ids } = await runActivity(log, {}, async () => ({ ids: await analyticsProjectIds(database.db) }));
      return ids;
    },

    /** Folds, lets go, compacts, deletes what nobody reads. */
    async maintainProject({ projectId }: { projectId: string }): Promise<{ words: string }> {
      return runActivity(log, {}, async () => ({ words: await maintain(storage, projectId, options) }));
    },

    /** Deletes what belongs to nobody. */
    async sweepAnalytics(): Promise<{ files: number }> {
      return runActivity(log, {}, async () => ({ files: await sweep(storage) }));
    },
  };
}
