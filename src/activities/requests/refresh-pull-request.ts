import type { OpenRepository, PullRequestSight } from '../../code-hosts/host.ts';
import { HostProblem } from '@docent/code-hosts/host-problem';
import { RepositoryProblem } from '@docent/git/repository-problem';
import { redact } from '../../platform/log.ts';
import { findPullRequestById, identityOfPullRequest } from '../../store/pull-requests/pull-requests.ts';
import { recordPoll, recordPollProblem } from '../../store/pull-requests/pull-request-polls.ts';
import { findProject } from '../../store/projects/projects.ts';
import type { RefreshPullRequestResult } from '../../workflows/contract.ts';
import type { ActivityDeps } from '../deps.ts';

const GONE = 'The pull request no longer exists on the code host.';

/** Updates a row from its host. A refusal is recorded and delays the next poll. Idempotent. */
export async function refreshPullRequest(
  input: { pullRequestId: string },
  deps: Pick<ActivityDeps, 'db' | 'hosts'>,
): Promise<RefreshPullRequestResult> {
  const polled = await pollPullRequest(input, deps);
  return polled.ok ? { ok: true } : polled;
}

/** A pull request, and its repository at its host. Null if its row or its project is gone. */
export async function openPullRequest(id: string, { db, hosts }: Pick<ActivityDeps, 'db' | 'hosts'>) {
  const pullRequest = await findPullRequestById(db, id);
  const project = pullRequest && (await findProject(db, pullRequest.projectId));
  if (!pullRequest || !project) return null;
  const host = await hosts.get(project.host);
  const there = await host.open({ ...identityOfPullRequest(pullRequest, project), projectId: project.id });
  return { pullRequest, project, there };
}

type Refused = Extract<RefreshPullRequestResult, { ok: false }>;

/** The same for callers that act on what the host shows, so that it is asked once. */
export async function pollPullRequest(
  { pullRequestId: id }: { pullRequestId: string },
  { db, hosts }: Pick<ActivityDeps, 'db' | 'hosts'>,
): Promise<{ ok: true; seen: PullRequestSight; there: OpenRepository } | Refused> {
  try {
    const found = await openPullRequest(id, { db, hosts });
    if (!found) return { ok: false, message: GONE, mayPass: false };
    const { pullRequest, there } = found;
    const seen = await there.pollPullRequest(pullRequest);
    if (!seen) return await failed(GONE);
    await recordPoll(db, id, seen);
    return { ok: true, seen, there };
  } catch (err) {
    if (err instanceof HostProblem) return failed(err.message, err.mayPass, err.retryAfterMs);
    if (err instanceof RepositoryProblem) return failed(err.message, err.code === 'unreachable', err.retryAfterMs);
    throw err;
  }

  async function failed(said: string, mayPass = false, retryAfterMs = 0): Promise<Refused> {
    const message = redact(said);
    await recordPollProblem(db, id, { problem: message, retryAfterMs });
    return { ok: false, message, mayPass };
  }
}
