import type { HostEvent } from '../../code-hosts/events/host-event.ts';
import { listPullRequestsAt, setBaseBranch } from '../../store/pull-requests/pull-requests.ts';
import { refreshPullRequest } from '../requests/refresh-pull-request.ts';
import { tryLater } from '../run-activity.ts';
import type { HostEventConsumer } from './host-event-consumer.ts';

/** How long to leave an unreachable host alone if it gives no time. */
const PAUSE_MS = 30_000;

/**
 * Reads the state of Docent's pull requests that an event is about. The event only selects them: it may be
 * old, so the host is asked for the current state.
 */
export const refreshPullRequests: HostEventConsumer = async ({ hostId, event }, { db, hosts }) => {
  const about = aboutOf(event);
  if (!about) return;
  const found = await listPullRequestsAt(db, { host: hostId, repositoryId: event.repository.id, ...about });
  for (const { id } of found) {
    if (event.kind === 'pull_request' && event.action === 'retargeted') {
      await setBaseBranch(db, id, event.pullRequest.base.branch);
    }
    const result = await refreshPullRequest({ pullRequestId: id }, { db, hosts });
    if (!result.ok && result.mayPass) throw tryLater(result.message, 'host_unavailable', PAUSE_MS);
  }
};

function aboutOf(event: HostEvent): { number: number } | { headBranch: string } | null {
  switch (event.kind) {
    case 'pull_request':
      return { number: event.pullRequest.number };
    case 'review':
      return { number: event.on.number };
    case 'check':
      return event.check.branch === null ? null : { headBranch: event.check.branch };
    case 'push':
      return { headBranch: event.branch };
    case 'comment':
    case 'review_comment':
    case 'label':
      return null;
  }
}
