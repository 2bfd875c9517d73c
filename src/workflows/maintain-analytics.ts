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

const { dueProjects, maintainProject, maintainProjects, collectGarbage } =
  proxyActivities<AnalyticsActivities>(MAINTENANCE);

/** Each takes about six history events; the server ends a history at 51,200. */
const PROJECTS_A_RUN = 1_000;
/** With more due projects, each activity handles several, and several activities run in parallel. */
const ALONE = 50;
const PROJECTS_AN_ACTIVITY = 25;
const ACTIVITIES_AT_ONCE = 4;
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
  const failed = (projectId: string) => {
    if (progress.failed.length < NAMED_FAILURES) progress.failed.push(projectId);
    lines.push(`- ${projectId}: failed, the next run tries again`);
  };
  await (due.length > ALONE ? severalAtOnce(due) : oneByOne(due));
  progress.projects += due.length;
  const last = due.at(-1);
  if (last !== undefined && due.length === limit)
    return continueAsNew<typeof maintainAnalytics>({ ...progress, after: last });
  await collectGarbage();
  return { projects: progress.projects, failed: progress.failed };

  async function oneByOne(projectIds: readonly string[]): Promise<void> {
    for (const projectId of projectIds) {
      try {
        const { words } = await maintainProject.executeWithOptions({ summary: projectId }, [{ projectId }]);
        lines.push(`- ${projectId}: ${words}`);
      } catch (err) {
        if (isCancellation(err)) throw err;
        log.warn('a project could not be maintained', { projectId });
        failed(projectId);
      }
      setCurrentDetails(lines.slice(-SHOWN_LINES).join('\n'));
    }
  }

  /** Uses all free workers: one alone would not finish thousands of projects in time. */
  async function severalAtOnce(projectIds: readonly string[]): Promise<void> {
    const waiting = Array.from({ length: Math.ceil(projectIds.length / PROJECTS_AN_ACTIVITY) }, (_, i) =>
      projectIds.slice(i * PROJECTS_AN_ACTIVITY, (i + 1) * PROJECTS_AN_ACTIVITY),
    );
    await Promise.all(
      Array.from({ length: ACTIVITIES_AT_ONCE }, async () => {
        for (let some = waiting.shift(); some; some = waiting.shift()) {
          try {
            const summary = `${some[0]} to ${some.at(-1)}`;
            const done = await maintainProjects.executeWithOptions({ summary }, [{ projectIds: [...some] }]);
            lines.push(...done.lines);
            for (const projectId of done.failed) failed(projectId);
          } catch (err) {
            if (isCancellation(err)) throw err;
            for (const projectId of some) failed(projectId);
          }
          setCurrentDetails(lines.slice(-SHOWN_LINES).join('\n'));
        }
      }),
    );
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
