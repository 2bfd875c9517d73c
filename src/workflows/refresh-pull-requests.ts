import { isCancellation, log, proxyActivities } from '@temporalio/workflow';
import type { PullRequestActivities } from '../activities/maintenance/pull-request-activities.ts';

/** Each poll is a few requests to the host. Those that are not reached stay due. */
const { duePullRequests, pollPullRequests } = proxyActivities<PullRequestActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { maximumAttempts: 3 },
});

/** Polls due pull requests, one after the other per host, unless the host rate-limits. */
export async function refreshPullRequests(): Promise<{ looks: number }> {
  const { byHost } = await duePullRequests();
  const looks = await Promise.all(byHost.map(pollHost));
  return { looks: looks.reduce((sum, count) => sum + count, 0) };
}

async function pollHost({ host, ids }: { host: string; ids: string[] }): Promise<number> {
  try {
    return (await pollPullRequests.executeWithOptions({ summary: `${host}: ${ids.length}` }, [{ ids }])).looks;
  } catch (err) {
    if (isCancellation(err)) throw err;
    log.warn('pull requests could not be polled', { host });
    return 0;
  }
}
