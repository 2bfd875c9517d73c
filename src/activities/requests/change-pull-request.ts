import { HostProblem } from '../../code-hosts/host-problem.ts';
import { HostRefusal } from '../../code-hosts/host.ts';
import { RepositoryProblem } from '../../git/repository-problem.ts';
import { redact } from '../../platform/log.ts';
import { Shortage } from '../../platform/shortage.ts';
import { findPullRequestById, identityOfPullRequest } from '../../store/pull-requests/pull-requests.ts';
import { findProject } from '../../store/projects/projects.ts';
import type { ChangePullRequestInput, ChangePullRequestResult } from '../../workflows/contract.ts';
import type { ControlDeps, ControlRun } from './control-run.ts';

/**
 * Merges or closes a pull request. Refusals are results for a waiting person. Idempotent: asks the host
 * first.
 */
export async function changePullRequest(
  input: ChangePullRequestInput,
  { db, hosts }: Pick<ControlDeps, 'db' | 'hosts'>,
  run: Pick<ControlRun, 'mustBeInTime'>,
): Promise<ChangePullRequestResult> {
  const pullRequest = await findPullRequestById(db, input.pullRequestId);
  const project = pullRequest && (await findProject(db, pullRequest.projectId));
  if (!pullRequest || !project) {
    return { ok: false, code: 'pull_request_not_open', message: 'The pull request does not exist.' };
  }
  try {
    const host = await hosts.get(project.host);
    const there = await host.open({ ...identityOfPullRequest(pullRequest, project), projectId: project.id });
    run.mustBeInTime();
    const changed =
      input.action === 'merge'
        ? await there.merge(pullRequest, project.settings.mergeMethod)
        : await there.close(pullRequest);
    return { ok: true, state: changed.state };
  } catch (err) {
    if (err instanceof HostRefusal) return { ok: false, code: err.code, message: redact(err.message) };
    if (err instanceof Shortage) return { ok: false, code: 'unavailable', message: redact(err.message) };
    // A person waits: temporary errors are reported, too, instead of retried for long.
    if (err instanceof RepositoryProblem || err instanceof HostProblem)
      return { ok: false, code: 'refused', message: redact(err.message) };
    throw err;
  }
}
