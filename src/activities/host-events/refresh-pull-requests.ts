import type { HostEvent } from '@docent/code-hosts/events/host-event';
import { listPullRequestsAt, setBaseBranch } from '../../store/pull-requests/pull-requests.ts';
import { pollPullRequest } from '../requests/refresh-pull-request.ts';
import { tryLater } from '../run-activity.ts';
import type { HostEventConsumer, HostEventDeps } from './host-event-consumer.ts';

/** How long to leave an unreachable host alone if it gives no time. */
const PAUSE_MS = 30_000;

/**
 * Polls a pull request and updates its row. Null if the host does not have it.
 * @throws Failure while the host cannot be asked
 */
export async function seenNow(pullRequestId: string, { db, hosts }: Pick<HostEventDeps, 'db' | 'hosts'>) {
  const polled = await pollPullRequest({ pullRequestId }, { db, hosts });
  if (polled.ok) return polled;
  if (polled.mayPass) throw tryLater(polled.message, 'host_unavailable', PAUSE_MS);
  return null;
}

/**
 * Reads the state of Docent's pull requests that an event is about. The event only selects them: it may be
 * old, so the host is asked for the current state. `followFailedChecks` does this for checks.
 */
export const refreshPullRequests: HostEventConsumer = async ({ hostId, event }, { db, hosts }) => {
  const about = aboutOf(event);
  if (!about) return;
  const found = await listPullRequestsAt(db, { host: hostId, repositoryId: event.repository.id, ...about });
  for (const { id } of found) {
    if (event.kind === 'pull_request' && event.action === 'retargeted') {
      await setBaseBranch(db, id, event.pullRequest.base.branch);
    }
    await seenNow(id, { db, hosts });
  }
};

function aboutOf(event: HostEvent): { number: number } | { headBranch: string } | null {
  switch (event.kind) {
    case 'pull_request':
      return { number: event.pullRequest.number };
    case 'review':
      return { number: event.on.number };
    case 'push':
      return { headBranch: event.branch };
    case 'issue':
    case 'comment':
    case 'review_comment':
    case 'label':
    case 'check':
      return null;
  }
}
