import {
  continueAsNew,
  isCancellation,
  log,
  proxyActivities,
  setCurrentDetails,
  type ActivityOptions,
} from '@temporalio/workflow';
import type { AnalyticsActivities } from '../activities/maintenance/analytics-activities.ts';

const MAINTENANCE: ActivityOptions = {
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '20 seconds',
  // The next run comes in a few minutes anyway.
  retry: { maximumAttempts: 3 },
};

const { dueProjects, maintainProjects, collectGarbage } = proxyActivities<AnalyticsActivities>(MAINTENANCE);

/** Each takes about six history events; the server ends a history at 51,200. */
const PROJECTS_A_RUN = 1_000;
/** Up to so many due projects are maintained one by one. */
const FEW = 50;
/** With more, each activity handles several, and several activities use all free workers. */
const MANY = { anActivity: 25, atOnce: 4 };
/** If there are more, the last ones are shown. */
const SHOWN_LINES = 100;
/** If there are more, the first ones are named. */
const NAMED_FAILURES = 100;

/** How far the runs before this one have come. */
export interface MaintenanceProgress {
  /** The last project that was looked after. */
  after: string;
  projects: number;
  failed: string[];
  /** Projects of a run. */
  limit: number;
}

/**
 * Keeps analytics fast and small: merges new events, combines small files, deletes expired data and unused
 * files. Run by a schedule; query results are the same with or without it. Continues as a new run after every
 * thousand projects, so any number of them fits.
 */
export async function maintainAnalytics(
  given?: Partial<MaintenanceProgress>,
): Promise<{ projects: number; failed: string[] }> {
  const progress = progressOf(given);
  const { after, limit } = progress;
  const due = await dueProjects({ after, limit });
  const lines: string[] = [];
  const { anActivity, atOnce } = due.length > FEW ? MANY : { anActivity: 1, atOnce: 1 };
  const waiting = Array.from({ length: Math.ceil(due.length / anActivity) }, (_, i) =>
    due.slice(i * anActivity, (i + 1) * anActivity),
  );
  await Promise.all(Array.from({ length: atOnce }, maintainWaiting));
  progress.projects += due.length;
  const last = due.at(-1);
  if (last !== undefined && due.length === limit)
    return continueAsNew<typeof maintainAnalytics>({ ...progress, after: last });
  await collectGarbage();
  return { projects: progress.projects, failed: progress.failed };

  async function maintainWaiting(): Promise<void> {
    for (let some = waiting.shift(); some; some = waiting.shift()) {
      let failed = some;
      try {
        const summary = some.length === 1 ? some[0]! : `${some[0]} to ${some.at(-1)}`;
        const done = await maintainProjects.executeWithOptions({ summary }, [{ projectIds: some }]);
        lines.push(...done.lines);
        failed = done.failed;
      } catch (err) {
        if (isCancellation(err)) throw err;
        log.warn('projects could not be maintained', { projectIds: some });
      }
      progress.failed.push(...failed.slice(0, NAMED_FAILURES - progress.failed.length));
      lines.push(...failed.map((projectId) => `- ${projectId}: failed, the next run tries again`));
      setCurrentDetails(lines.slice(-SHOWN_LINES).join('\n'));
    }
  }
}

/** Anyone who reaches Temporal may start a run with any input. */
function progressOf(given: Partial<MaintenanceProgress> | undefined): MaintenanceProgress {
  const isWhole =
    typeof given?.after === 'string' &&
    Number.isSafeInteger(given.projects) &&
    Array.isArray(given.failed) &&
    Number.isSafeInteger(given.limit) &&
    given.limit! > 0;
  if (!isWhole) return { after: '', projects: 0, failed: [], limit: PROJECTS_A_RUN };
  return {
    after: given.after!,
    projects: given.projects!,
    failed: given.failed!.map(String).slice(0, NAMED_FAILURES),
    limit: Math.min(given.limit!, PROJECTS_A_RUN),
  };
}
