import { listDuePolls } from '../../store/pull-requests/pull-request-polls.ts';
import type { ActivityDeps } from '../deps.ts';
import { refreshPullRequest } from '../requests/refresh-pull-request.ts';
import { runActivity } from '../run-activity.ts';

/** Looked at in one run; those that stay due are of the next one. */
const A_RUN = 60;
/** The next look comes anyway. */
const ATTEMPTS = 2;

export type PullRequestActivities = ReturnType<typeof createPullRequestActivities>;

/** Keeps the rows of open pull requests like their hosts. Each may run twice, and beside another one. */
export function createPullRequestActivities(deps: Pick<ActivityDeps, 'db' | 'hosts' | 'log'>) {
  return {
    /** Which are due, by their hosts. */
    async duePullRequests(): Promise<{ byHost: { host: string; ids: string[] }[] }> {
      return runActivity(deps.log, {}, async () => {
        const due = Map.groupBy(await listDuePolls(deps.db, A_RUN), ({ host }) => host);
        return { byHost: [...due].map(([host, rows]) => ({ host, ids: rows.map(({ id }) => id) })) };
      });
    },

    /**
     * Looks at pull requests of one host, one after the other, until it asks to be left alone or does not
     * answer. One that cannot be looked at stays due, and so do those that are left.
     */
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
