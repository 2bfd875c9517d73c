import { and, eq, lte } from 'drizzle-orm';
import type { Queryable } from '../store/database.ts';
import { addEvent } from '../store/jobs/job-events.ts';
import { lockJob, updateJob } from '../store/jobs/jobs.ts';
import { mustPublish } from '../store/preview.ts';
import { messages } from '../store/schema.ts';
import { closeRunningTurn, holdRunningTurn } from '../store/jobs/turn-fence.ts';
import { hasWaitingMessages, settleTaken } from '../store/jobs/turns.ts';
import { advance } from './advance.ts';
import type { JobError } from './job-life.ts';

const LOST: JobError = {
  code: 'workflow_lost',
  message: 'The workflow of this job was terminated, canceled or timed out in Temporal. Send a message to continue.',
};

/**
 * The job's workflow was ended from outside while it had work, so the turn is abandoned. Its unanswered
 * messages, and those accepted before the end, go to the agent with the next message. Messages accepted later
 * keep the job active. Idempotent.
 * @returns whether anything was lost
 */
export async function markWorkflowLost(tx: Queryable, jobId: string, closedAt: Date): Promise<boolean> {
  await holdRunningTurn(tx, jobId);
  const job = await lockJob(tx, null, jobId);
  if (job.status !== 'active') return false;
  await closeRunningTurn(tx, jobId, { state: 'failed', outcome: 'failed', error: LOST });
  await tx
    .update(messages)
    .set({ state: 'unheard' })
    .where(and(eq(messages.jobId, jobId), eq(messages.state, 'waiting'), lte(messages.createdAt, closedAt)));
  await settleTaken(tx, jobId, 'unheard');
  if (mustPublish(job)) {
    if (new Date(job.publishOrder?.at ?? 0) > closedAt) return false;
    // The ready change stays, and publishing can be requested again.
    await updateJob(tx, jobId, { publishOrder: null });
  }
  if (await hasWaitingMessages(tx, jobId)) return false;
  await addEvent(tx, { jobId, type: 'turn_ended', text: LOST.message, data: { state: 'failed', error: LOST } });
  await advance(tx, job, { type: 'workflow_lost', error: LOST });
  return true;
}
