import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, inArray } from 'drizzle-orm';
import { AppError, isExpected } from '../platform/errors.ts';
import type { Queryable } from '../store/database.ts';
import { addEvent } from '../store/jobs/job-events.ts';
import { lockJob, updateJob, type JobRow } from '../store/jobs/jobs.ts';
import { clearOverlay } from '../store/jobs/overlay.ts';
import { isPublishTurn, mustPublish } from '../store/preview.ts';
import { resumePolling } from '../store/pull-requests/pull-request-polls.ts';
import { messages, type MessageState } from '../store/schema.ts';
import { closeRunningTurn, holdRunningTurn } from '../store/jobs/turn-fence.ts';
import { findRunningTurn } from '../store/jobs/turns.ts';
import { advance } from './advance.ts';
import { CANCELLED_UNBEGUN } from './job-life.ts';
import { refuseWhilePublishing } from './publish-lease.ts';

/**
 * Requests the end of the running turn and drops what waits; without a turn, the job completes. Idempotent.
 * @throws AppError `job_not_found`, or `job_not_active` (409)
 */
export async function requestCancel(tx: Queryable, projectId: string, jobId: string): Promise<JobRow> {
  const job = await lockJob(tx, projectId, jobId);
  const turnRuns = (await findRunningTurn(tx, jobId)) !== null;
  // Including messages that earlier turns left unanswered: the turn that would take them is canceled.
  await dropMessages(tx, jobId, ['waiting', 'unheard']);
  if (!turnRuns)
    await addEvent(tx, { jobId, type: 'turn_ended', text: CANCELLED_UNBEGUN, data: { state: 'cancelled' } });
  await dropPublishOrder(tx, job);
  return advance(tx, job, { type: 'cancel', turnRuns });
}

/** How long archiving waits for a push that is under way, and the pauses between its attempts. */
const WAIT_MS = 15_000;
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 1_000;

/**
 * Retries a transaction that archives while the job is being published, without holding a connection.
 * @throws AppError `unavailable` (503) if a push takes over 15 s
 */
export async function oncePublished<T>(transaction: () => Promise<T>): Promise<T> {
  const until = performance.now() + WAIT_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 1.5)) {
    try {
      return await transaction();
    } catch (err) {
      if (!isExpected(err, 'being_published')) throw err;
      if (performance.now() > until) {
        throw new AppError('unavailable', 'The job is being published. Try again in a moment.', {
          cause: err,
          retryAfterSeconds: 5,
        });
      }
    }
    await sleep(pauseMs);
  }
}

/**
 * Archives the job in any state. After this transaction's commit nothing is pushed for it, because a push
 * holds a lease on the job. Messages that were not carried out are dropped. Idempotent.
 * @throws AppError `job_not_found`, or Expected `being_published` without waiting: see {@link oncePublished}
 */
export async function archiveJob(
  tx: Queryable,
  projectId: string,
  jobId: string,
  reason = 'Archived on request.',
): Promise<JobRow> {
  await holdRunningTurn(tx, jobId);
  const job = await lockJob(tx, projectId, jobId);
  if (job.status === 'archived') return job;
  await refuseWhilePublishing(tx, jobId);
  await dropMessages(tx, jobId, ['waiting', 'taken']);
  const interrupted = await closeRunningTurn(tx, jobId, { state: 'archived' });
  // Half-done work is not for a later turn to publish.
  if (interrupted && !isPublishTurn(job, job.lastTurnNo)) await clearOverlay(tx, jobId);
  await dropPublishOrder(tx, job);
  await addEvent(tx, { jobId, type: 'archived', text: reason });
  return advance(tx, job, { type: 'archive' });
}

/** Restores an archived job's last state. @throws AppError `job_not_found`, or `job_not_archived` (409) */
export async function unarchiveJob(tx: Queryable, projectId: string, jobId: string): Promise<JobRow> {
  const job = await lockJob(tx, projectId, jobId);
  await addEvent(tx, { jobId, type: 'unarchived', text: 'Restored from the archive.' });
  await resumePolling(tx, jobId);
  return advance(tx, job, { type: 'unarchive' });
}

/** The ready change stays. */
async function dropPublishOrder(tx: Queryable, job: JobRow): Promise<void> {
  if (mustPublish(job)) await updateJob(tx, job.id, { publishOrder: null });
}

async function dropMessages(tx: Queryable, jobId: string, states: MessageState[]): Promise<void> {
  await tx
    .update(messages)
    .set({ state: 'dropped' })
    .where(and(eq(messages.jobId, jobId), inArray(messages.state, states)));
}
