import { HostProblem } from '../git/hosts/host-problem.ts';
import { HostRefusal, RepositoryProblem } from '../git/hosts/host.ts';
import { redact } from '../log.ts';
import { findPullRequestById } from '../store/pull-requests.ts';
import { findProject } from '../store/projects.ts';
import type {
  ChangePullRequestInput,
  ChangePullRequestResult,
  CheckHostInput,
  CheckHostResult,
  CheckRepositoryInput,
  CheckRepositoryResult,
} from '../workflows/contract.ts';
import type { ActivityDeps } from './deps.ts';
import { runActivity } from './run-activity.ts';

/** Activities behind the short workflows that the API waits for. Refusals are results: a person reads them at once. */
export function createHostActivities(deps: Pick<ActivityDeps, 'db' | 'hosts' | 'log'>) {
  return {
    async checkHost(input: CheckHostInput): Promise<CheckHostResult> {
      return runActivity(deps.log, {}, async (): Promise<CheckHostResult> => {
        const problems: string[] = [];
        let account: string | null = null;
        try {
          const host = await deps.hosts.get(input.host);
          const found = await host.checkAccount();
          account = found.name === null ? null : redact(found.name);
          problems.push(...found.problems.map(redact));
          if (input.repository !== null) await host.check(input.repository, input.ref);
        } catch (err) {
          if (!isSaidNo(err)) throw err;
          problems.push(redact(err.message));
        }
        return { ok: problems.length === 0, account, problems };
      });
    },

    async checkRepository(input: CheckRepositoryInput): Promise<CheckRepositoryResult> {
      return runActivity(deps.log, {}, async (): Promise<CheckRepositoryResult> => {
        try {
          return { ok: true, ...(await (await deps.hosts.get(input.host)).check(input.repository, input.ref)) };
        } catch (err) {
          if (isSaidNo(err)) return { ok: false, code: err.code, message: redact(err.message) };
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
        const host = await deps.hosts.get(project.host);
        try {
          const changed = input.action === 'merge' ? await host.merge(pullRequest) : await host.close(pullRequest);
          return { ok: true, state: changed.state };
        } catch (err) {
          if (err instanceof HostRefusal) return { ok: false, code: err.code, message: redact(err.message) };
          if (isSaidNo(err)) return { ok: false, code: 'refused', message: redact(err.message) };
          throw err;
        }
      });
    },
  };
}

/** A person waits: what may pass by itself is told too, not tried for long. */
function isSaidNo(err: unknown): err is RepositoryProblem | HostProblem {
  return err instanceof RepositoryProblem || err instanceof HostProblem;
}

export type HostActivities = ReturnType<typeof createHostActivities>;
