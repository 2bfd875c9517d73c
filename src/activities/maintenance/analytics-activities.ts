import { GRACE_MS, maintain, type MaintenanceOptions } from '../../analytics/maintenance/maintain.ts';
import { SteadyClock } from '../../analytics/maintenance/steady-clock.ts';
import type { StorageDeps } from '../../analytics/storage/storage.ts';
import { GarbageCollector } from '../../analytics/maintenance/garbage-collector.ts';
import { dueProjects } from '../../store/analytics/due.ts';
import { runActivity } from '../run-activity.ts';

export interface AnalyticsDeps extends Omit<MaintenanceOptions, 'clock'> {
  storage: StorageDeps;
}

/** The outcome for several projects. */
export interface MaintainedProjects {
  /** Lines for people about the completed work. */
  lines: string[];
  failed: string[];
}

export type AnalyticsActivities = ReturnType<typeof createAnalyticsActivities>;

/** Maintenance of page views. Each may run twice, die anywhere, and run beside another one. */
export function createAnalyticsActivities({ storage, ...options }: AnalyticsDeps) {
  const { log, database } = storage;
  const clock = new SteadyClock();
  const collector = new GarbageCollector(storage);
  return {
    /** Projects after `after` whose page views need maintenance. */
    async dueProjects(place: { after: string; limit: number }): Promise<string[]> {
      const { ids } = await runActivity(log, {}, async () => ({
        ids: await dueProjects(database.db, { ...place, graceMs: GRACE_MS }),
      }));
      return ids;
    },

    /** {@link maintain}, project after project. One that fails holds up no other, and is named. */
    async maintainProjects({ projectIds }: { projectIds: string[] }): Promise<MaintainedProjects> {
      return runActivity(log, {}, async ({ signal, log: runLog }) => {
        const all: MaintainedProjects = { lines: [], failed: [] };
        for (const projectId of projectIds) {
          signal.throwIfAborted();
          try {
            const { words } = await maintain(storage, projectId, { ...options, clock });
            all.lines.push(`- ${projectId}: ${words}`);
          } catch (err) {
            runLog.warn({ err, projectId }, 'a project could not be maintained');
            all.failed.push(projectId);
          }
        }
        return all;
      });
    },

    /** Deletes files that belong to no project. */
    async collectGarbage(): Promise<{ files: number }> {
      return runActivity(log, {}, async () => ({ files: await collector.collect() }));
    },
  };
}
