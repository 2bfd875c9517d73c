import {
  continueAsNew,
  isCancellation,
  log,
  patched,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { AnalyticsActivities } from '../activities/upkeep/analytics-activities.ts';
import { mergeInShards, UPKEEP } from './merge-in-shards.ts';

const { analyticsProjects, maintainProject, collectGarbage } = proxyActivities<AnalyticsActivities>(UPKEEP);

/** Each takes some six events of a history, which the server ends at 51,200. */
const PROJECTS_A_RUN = 1_000;
/** Of more, the last are shown. */
const SHOWN_LINES = 100;
/** Of more, the first are named. */
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
 * Keeps analytics fast and small: merges what came in, puts small files together, lets go of what is older than it may be, and
 * deletes files that nobody reads any more. Run by a schedule; answers are the same whether it runs or not. Goes on as a new run after
 * every thousand projects, so that any number of them fits.
 */
export async function maintainAnalytics(
  given?: Partial<MaintenanceProgress>,
): Promise<{ projects: number; failed: string[] }> {
  const progress = progressOf(given);
  const isInParts = patched('maintain-in-parts');
  const told = await analyticsProjects({ after: progress.after, limit: progress.limit });
  // A worker of an earlier build tells all of them, each time.
  const ids: string[] = [];
  const lines: string[] = [];
  let hasShards = false;
  for (const projectId of told.at(-1) === progress.after ? [] : told) {
    // Shards make histories long.
    if (hasShards && workflowInfo().continueAsNewSuggested) break;
    ids.push(projectId);
    try {
      // A worker of an earlier build says nothing of shards, and has merged.
      const { words, shards = 1 } = await maintainProject.executeWithOptions({ summary: projectId }, [{ projectId }]);
      lines.push(`- ${projectId}: ${words}`);
      if (shards > 1) {
        hasShards = true;
        lines.push(`- ${projectId}: ${await mergeInShards(projectId)}`);
      }
    } catch (err) {
      if (isCancellation(err)) throw err;
      log.warn('a project could not be maintained', { projectId });
      if (progress.failed.length < NAMED_FAILURES) progress.failed.push(projectId);
      lines.push(`- ${projectId}: failed, the next run tries again`);
    }
    setCurrentDetails(lines.slice(-SHOWN_LINES).join('\n'));
  }
  progress.projects += ids.length;
  const last = ids.at(-1);
  if (isInParts && last !== undefined && (ids.length < told.length || ids.length === progress.limit))
    return continueAsNew<typeof maintainAnalytics>({ ...progress, after: last });
  await collectGarbage();
  return { projects: progress.projects, failed: progress.failed };
}

/** Whoever reaches Temporal may start a run with anything. */
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
