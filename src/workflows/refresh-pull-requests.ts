import { isCancellation, log, proxyActivities } from '@temporalio/workflow';
import type { PullRequestActivities } from '../activities/upkeep/pull-request-activities.ts';

const { duePullRequests, refreshPullRequest } = proxyActivities<PullRequestActivities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { maximumAttempts: 3 },
});

/** Each look is a few requests to the host. Those that are not reached stay due. */
const { lookAtPullRequests } = proxyActivities<PullRequestActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { maximumAttempts: 3 },
});

/**
 * Asks code hosts how the open pull requests stand that are due, one after the other at each host: what was merged, closed or pushed
 * by hand becomes known. A host that asks to be left alone is, until the next run.
 */
export async function refreshPullRequests(): Promise<{ looks: number }> {
  const { byHost, together } = await duePullRequests();
  const looks = await Promise.all(byHost.map(together ? lookTogether : lookAtHost));
  return { looks: looks.reduce((sum, count) => sum + count, 0) };
}

async function lookTogether({ host, ids }: { host: string; ids: string[] }): Promise<number> {
  try {
    return (await lookAtPullRequests.executeWithOptions({ summary: `${host}: ${ids.length}` }, [{ ids }])).looks;
  } catch (err) {
    if (isCancellation(err)) throw err;
    log.warn('pull requests could not be looked at', { host });
    return 0;
  }
}

/** One by one, as earlier builds had them looked at. */
async function lookAtHost({ host, ids }: { host: string; ids: string[] }): Promise<number> {
  let looks = 0;
  for (const pullRequestId of ids) {
    looks += 1;
    try {
      const { stop } = await refreshPullRequest.executeWithOptions({ summary: host }, [{ pullRequestId }]);
      if (stop) break;
    } catch (err) {
      if (isCancellation(err)) throw err;
      log.warn('a pull request could not be looked at', { pullRequestId });
    }
  }
  return looks;
}
