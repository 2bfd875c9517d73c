import { pagesWithoutSecrets } from '../../agent/outgoing-secrets.ts';
import { faultPoint } from '../../platform/faults.ts';
import { redact } from '../../platform/log.ts';
import { recordChangedPages } from '../../store/jobs/changed-pages.ts';
import type { Queryable } from '../../store/database.ts';
import { updateJob } from '../../store/jobs/jobs.ts';
import { clearOverlay } from '../../store/jobs/overlay.ts';
import { findPullRequestByHead } from '../../store/pull-requests/pull-requests.ts';
import { updateClaimedTurn } from '../../store/jobs/turn-fence.ts';
import { listTurns } from '../../store/jobs/turns.ts';
import { hasListeners, enqueueWebhooks, thinPullRequest } from '../../store/webhooks/webhook-outbox.ts';
import type { ActivityDeps } from '../deps.ts';
import { allowedSecrets } from '../step/outgoing-secrets.ts';
import type { Elsewhere, Publication, Published } from './publication.ts';
import type { PreparedPush, PushedCommit } from './push.ts';
import { savePullRequest } from './save-pull-request.ts';

/** Records that the turn's change leaves the branch as it is. */
export async function recordUnchanged(
  { db }: ActivityDeps,
  { claim, turn, job }: Publication,
  { existing }: PreparedPush,
): Promise<Published> {
  await db.transaction(async (tx) => {
    await updateClaimedTurn(tx, claim, {});
    if (existing && existing.link !== job.prLink) {
      await updateJob(tx, job.id, { branch: turn.branch, prLink: existing.link });
    }
    await clearOverlay(tx, job.id);
  });
  return { kind: 'unchanged' };
}

/** Records a push that went straight to the base branch. */
export async function recordDirectPush(
  { db }: ActivityDeps,
  publication: Publication,
  { repository }: PreparedPush,
  { commit, diff, message }: PushedCommit,
): Promise<Published> {
  const { claim, turn, job, run } = publication;
  const text = `Pushed commit ${commit.slice(0, 12)} to ${turn.branch}.`;
  const repositoryUrl = repository.repositoryId === null ? job.repositoryUrl : repository.repository;
  await db.transaction(async (tx) => {
    await updateClaimedTurn(tx, claim, { commit, commitMessage: message, diff, remark: text });
    await clearOverlay(tx, job.id);
    const event = { type: 'published' as const, turnNo: claim.no, text };
    await updateJob(tx, job.id, { branch: turn.branch, repositoryUrl }, event);
  });
  run.log.info({ commit, branch: turn.branch, job: job.id }, 'published');
  return { kind: 'published', commit, prLink: null };
}

/** Opens or updates the pull request of a pushed commit, and records both. */
export async function publishPullRequest(
  deps: ActivityDeps,
  publication: Publication,
  { repository, existing, text: said }: PreparedPush,
  pushed: PushedCommit,
): Promise<Published | Elsewhere> {
  const { claim, turn, job, project, run } = publication;
  const { commit, diff, message } = pushed;
  const saved = await savePullRequest(deps, publication, repository, pushed, said);
  faultPoint('pull-request-saved');
  // Merged or closed between the check and the push: no reviewer will see a commit on that branch.
  if (saved.state !== 'open') return { kind: 'moved' };
  const verb = existing ? 'Updated' : 'Opened';
  const text = [
    `${verb} the pull request ${saved.link} with commit ${commit.slice(0, 12)} on ${turn.branch}.`,
    ...saved.notes.map(redact),
  ].join(' ');
  const pages = await pagesWithoutSecrets(pushed.pages, allowedSecrets(project));
  const repositoryUrl = repository.repositoryId === null ? job.repositoryUrl : repository.repository;
  await deps.db.transaction(async (tx) => {
    await updateClaimedTurn(tx, claim, { commit, commitMessage: message, diff });
    await clearOverlay(tx, job.id);
    await recordChangedPages(tx, { jobId: job.id, of: 'pull_request' }, pages);
    const at = { branch: turn.branch, prLink: saved.link };
    const event = { type: 'published' as const, turnNo: claim.no, text, data: { commit, ...at } };
    await updateJob(tx, job.id, { ...at, repositoryUrl }, event);
    await notifyPush(tx, project.id, turn);
  });
  run.log.info({ commit, branch: turn.branch, job: job.id }, 'published');
  return { kind: 'published', commit, prLink: saved.link };
}

/** Enqueues the webhook by the rows, not the host: a dead attempt may have pushed without enqueuing. */
async function notifyPush(
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
  await enqueueWebhooks(tx, type, row, { pullRequest: thinPullRequest(row) });
}
