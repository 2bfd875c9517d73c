import { listDueLooks } from '../../store/pull-request-looks.ts';
import type { ActivityDeps } from '../deps.ts';
import { refreshPullRequest } from '../publish/refresh-pull-request.ts';
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
        const due = Map.groupBy(await listDueLooks(deps.db, A_RUN), ({ host }) => host);
        return { byHost: [...due].map(([host, rows]) => ({ host, ids: rows.map(({ id }) => id) })) };
      });
    },

    /** `stop`: its host asked to be left alone, or does not answer. */
    async refreshPullRequest({ pullRequestId }: { pullRequestId: string }): Promise<{ stop: boolean }> {
      return runActivity(deps.log, { attempts: ATTEMPTS }, async (run) => {
        const result = await refreshPullRequest({ pullRequestId }, deps);
        if (result.ok) return { stop: false };
        run.log.info({ pullRequestId, problem: result.message }, 'a pull request could not be looked at');
        return { stop: result.mayPass };
      });
    },
  };
}
