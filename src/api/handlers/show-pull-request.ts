import { AppError } from '../../platform/errors.ts';
import { findPullRequestById } from '../../store/pull-requests.ts';
import type { Handler } from '../contract/handler.ts';
import { pullRequestPage } from '../pages/pull-request-page.ts';

export const showPullRequest: Handler<'showPullRequest'> = async ({ path }, { db, pathOf }) => {
  const row = await findPullRequestById(db, path.prId);
  if (!row) throw pullRequestNotFound();
  return { status: 200, type: 'text/html', text: pullRequestPage(row, pathOf(`/pull-requests/${row.id}`)) };
};

export function pullRequestNotFound(): AppError {
  return new AppError(
    'pull_request_not_found',
    404,
    'There is no such pull request. Its project may have been deleted.',
  );
}
