import { HostRefusal, RepositoryProblem } from '../git/hosts/host.ts';
import { findPullRequestById } from '../store/pull-requests.ts';
import { findProject } from '../store/projects.ts';
import type {
  ChangePullRequestInput,
  ChangePullRequestResult,
  CheckRepositoryInput,
  CheckRepositoryResult,
} from '../workflows/contract.ts';
import { hostOf, type ActivityDeps } from './deps.ts';
import { runActivity } from './run-activity.ts';

/** Activities behind the short workflows that the API waits for. Refusals are results: a person reads them at once. */
export function createHostActivities(deps: Pick<ActivityDeps, 'db' | 'hosts' | 'log'>) {
  return {
    async checkRepository(input: CheckRepositoryInput): Promise<CheckRepositoryResult> {
      return runActivity(deps.log, {}, async (): Promise<CheckRepositoryResult> => {
        try {
          return { ok: true, ...(await hostOf(deps, input.host).check(input.repository, input.ref)) };
        } catch (err) {
          if (err instanceof RepositoryProblem) return { ok: false, code: err.code, message: err.message };
          throw err;
        }
      });
    },

    /** Idempotent: a pull request that is in the wanted state already stays so. */
    async changePullRequest(input: ChangePullRequestInput): Promise<ChangePullRequestResult> {
      return runActivity(deps.log, {}, async (): Promise<ChangePullRequestResult> => {
        const pullRequest = await findPullRequestById(deps.db, input.pullRequestId);
        const project = pullRequest && (await findProject(deps.db, pullRequest.projectId));
        if (!pullRequest || !project) {
          return { ok: false, code: 'pull_request_not_open', message: 'There is no such pull request.' };
        }
        const host = hostOf(deps, project.host);
        try {
          const changed =
            input.action === 'merge' ? await host.merge(input.pullRequestId) : await host.close(input.pullRequestId);
          return { ok: true, state: changed.state };
        } catch (err) {
          if (err instanceof HostRefusal) return { ok: false, code: err.code, message: err.message };
          if (err instanceof RepositoryProblem) return { ok: false, code: 'refused', message: err.message };
          throw err;
        }
      });
    },
  };
}

export type HostActivities = ReturnType<typeof createHostActivities>;
