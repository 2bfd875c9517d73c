import { listDuePolls } from '../../store/pull-requests/pull-request-polls.ts';
import type { ActivityDeps } from '../deps.ts';
import { refreshPullRequest } from '../requests/refresh-pull-request.ts';
import { runActivity } from '../run-activity.ts';

/** The most per run. The rest stay due for the next run. */
const A_RUN = 60;
/** The next poll comes anyway. */
const ATTEMPTS = 2;

export type PullRequestActivities = ReturnType<typeof createPullRequestActivities>;

/** Keeps the rows of open pull requests like their hosts. Each may run twice, and beside another one. */
export function createPullRequestActivities(deps: Pick<ActivityDeps, 'db' | 'hosts' | 'log'>) {
  return {
    async duePullRequests(): Promise<{ byHost: { host: string; ids: string[] }[] }> {
      return runActivity(deps.log, {}, async () => {
        const due = Map.groupBy(await listDuePolls(deps.db, A_RUN), ({ host }) => host);
        return { byHost: [...due].map(([host, rows]) => ({ host, ids: rows.map(({ id }) => id) })) };
      });
    },

    /** Polls one host's pull requests until it rate-limits or does not answer. The rest stays due. */
    async pollPullRequests({ ids }: { ids: string[] }): Promise<{ looks: number }> {
      return runActivity(deps.log, { attempts: ATTEMPTS }, async ({ signal, log }) => {
        let looks = 0;
        for (const pullRequestId of ids) {
          signal.throwIfAborted();
          looks += 1;
          const result = await refreshPullRequest({ pullRequestId }, deps).catch((err: unknown) => {
            log.warn({ pullRequestId, err }, 'a pull request could not be refreshed');
            return null;
          });
          if (!result || result.ok) continue;
          log.info({ pullRequestId, problem: result.message }, 'a pull request could not be refreshed');
          if (result.mayPass) break;
        }
        return { looks };
      });
    },
  };
}
