import type { ListedPullRequest } from '../../store/pull-requests/list-pull-requests.ts';
import type { components } from '@docent/client';
import type { ApiServices } from '../services.ts';

/** A pull request as the API shows it, with the page of this server if its host has none. */
export function presentPullRequest(
  row: ListedPullRequest,
  { urlOf }: Pick<ApiServices, 'urlOf'>,
): components['schemas']['PullRequest'] {
  const settledAt = row.settledAt?.toISOString() ?? null;
  return {
    id: row.id,
    jobId: row.jobId,
    state: row.state,
    title: row.title,
    link: row.link ?? urlOf(`/pull-requests/${row.id}`),
    number: row.number,
    headBranch: row.headBranch,
    baseBranch: row.baseBranch,
    headCommit: row.headCommit,
    mergeCommit: row.mergeCommit,
    checks: row.checks,
    mergeable: row.mergeable,
    review: row.review,
    lookedAt: row.polledAt?.toISOString() ?? null,
    problem: row.pollProblem,
    createdAt: row.createdAt.toISOString(),
    mergedAt: row.state === 'merged' ? settledAt : null,
    closedAt: row.state === 'closed' ? settledAt : null,
    updatedAt: row.updatedAt.toISOString(),
  };
}
