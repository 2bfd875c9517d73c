import type { Queryable } from '../../store/database.ts';
import { findPullRequestByHead } from '../../store/pull-requests.ts';
import { listTurns } from '../../store/turns.ts';
import { hasListeners, tellWebhooks, thinPullRequest } from '../../store/webhook-outbox.ts';

/**
 * Tells who asked for it that a turn opened or updated its pull request. Which of the two the rows say, not what the host had: an
 * attempt that died may have opened it, and told nobody.
 */
export async function tellOfPush(
  tx: Queryable,
  projectId: string,
  turn: { jobId: string; no: number; chainNo: number; branch: string },
): Promise<void> {
  if (!(await hasListeners(tx, projectId))) return;
  const row = await findPullRequestByHead(tx, projectId, turn.branch);
  if (!row) return;
  const turns = await listTurns(tx, turn.jobId);
  const isFirst = !turns.some(({ no, chainNo, commit }) => no < turn.no && chainNo === turn.chainNo && commit !== null);
  const type = isFirst ? 'pull_request.opened' : 'pull_request.updated';
  await tellWebhooks(tx, type, row, { pullRequest: thinPullRequest(row) });
}
