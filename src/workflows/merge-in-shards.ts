import { proxyActivities, type ActivityOptions } from '@temporalio/workflow';
import type { AnalyticsActivities } from '../activities/upkeep/analytics-activities.ts';

/** How upkeep is tried. */
export const UPKEEP: ActivityOptions = {
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '20 seconds',
  // The next run comes in a few minutes anyway.
  retry: { maximumAttempts: 3 },
};

const { planSharedMerge, mergeShard, publishSharedMerge, compactProject } =
  proxyActivities<AnalyticsActivities>(UPKEEP);

/** Merges of one project in a run: of more events, the next run takes the rest. */
const MERGES = 10;

/**
 * Merges a project's events, each shard of its visitors by an activity of its own, on whichever workers are free, and then compacts its
 * files. A shard that fails leaves all as it was.
 * @returns what was done, for people
 */
export async function mergeInShards(projectId: string): Promise<string> {
  let merged = 0;
  for (let round = 0; round < MERGES; round += 1) {
    const { merge, shards } = await planSharedMerge.executeWithOptions({ summary: projectId }, [{ projectId }]);
    if (merge === '') break;
    // None is left at work when this goes on.
    const parts = await Promise.allSettled(
      Array.from({ length: shards }, (_, shard) =>
        mergeShard.executeWithOptions(
          // Many at once take turns with the work of other projects.
          { summary: `${projectId}, shard ${shard}`, priority: { fairnessKey: projectId } },
          [{ projectId, merge, shard }],
        ),
      ),
    );
    for (const part of parts) if (part.status === 'rejected') throw part.reason;
    const { events } = await publishSharedMerge.executeWithOptions({ summary: projectId }, [{ projectId, merge }]);
    if (events === null) break;
    merged += events;
  }
  const { filesBefore, filesAfter } = await compactProject.executeWithOptions({ summary: projectId }, [{ projectId }]);
  return `${merged} events merged in shards, ${filesBefore} files compacted to ${filesAfter}`;
}
