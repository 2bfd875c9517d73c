import { and, asc, eq, lte, sql } from 'drizzle-orm';
import type { Queryable } from './database.ts';
import { addEvent } from './job-events.ts';
import { lockJob, updateJob, type JobRow } from './jobs.ts';
import { hasWaitingMessages, settleTaken } from './turns.ts';
import { jobs, messages, turns, UNSETTLED } from './schema.ts';

/** A job whose workflow may not know what the rows say. */
export interface StaleJob {
  id: string;
  updatedAt: Date;
  signalPending: boolean;
}

/**
 * A page of the jobs that are active and untouched for `quietMs`, or have a signal pending, the longest untouched first.
 * @param after the last one of the page before
 */
export async function listStaleJobs(
  q: Queryable,
  { quietMs, limit, after }: { quietMs: number; limit: number; after?: StaleJob | undefined },
): Promise<StaleJob[]> {
  return q
    .select({ id: jobs.id, updatedAt: jobs.updatedAt, signalPending: jobs.signalPending })
    .from(jobs)
    .where(
      and(
        // Word for word the condition of the index `jobs_unsettled`: without it, all jobs would be read.
        UNSETTLED,
        sql`${jobs.updatedAt} < now() - make_interval(secs => ${quietMs / 1_000})`,
        after && sql`(${jobs.updatedAt}, ${jobs.id}) > (${after.updatedAt}, ${after.id})`,
      ),
    )
    .orderBy(asc(jobs.updatedAt), asc(jobs.id))
    .limit(limit);
}

/** What has to be known of a job to start or signal its workflow; null where it is gone. `running`: a turn is open. */
export async function readStaleJob(
  q: Queryable,
  jobId: string,
): Promise<{ job: JobRow; firstPrompt: string; running: boolean } | null> {
  const [row] = await q
    .select({
      job: jobs,
      firstPrompt: sql<string>`coalesce((SELECT left(prompt, 2000) FROM messages m WHERE m.job_id = jobs.id AND m.no = 1), '')`,
      running: sql<boolean>`EXISTS (SELECT 1 FROM turns t WHERE t.job_id = jobs.id AND t.state = 'running')`,
    })
    .from(jobs)
    .where(eq(jobs.id, jobId));
  return row ?? null;
}

/**
 * The job's workflow was ended from outside while it had work: the turn is given up. What it was given without an answer, and what
 * was accepted before the end, goes to the agent with the next message. Messages accepted later keep the job active. Idempotent.
 * @returns whether anything was lost
 */
export async function markWorkflowLost(tx: Queryable, jobId: string, closedAt: Date): Promise<boolean> {
  const job = await lockJob(tx, null, jobId);
  if (job.status !== 'active') return false;
  const error = {
    errorCode: 'workflow_lost',
    errorMessage:
      'The workflow of this job was ended from outside (terminated, cancelled or timed out). Send a message to go on.',
  };
  await tx
    .update(turns)
    .set({ state: 'failed', fence: sql`${turns.fence} + 1`, endedAt: new Date(), ...error })
    .where(and(eq(turns.jobId, jobId), eq(turns.state, 'running')));
  await tx
    .update(messages)
    .set({ state: 'unheard' })
    .where(and(eq(messages.jobId, jobId), eq(messages.state, 'waiting'), lte(messages.createdAt, closedAt)));
  await settleTaken(tx, jobId, 'unheard');
  if (await hasWaitingMessages(tx, jobId)) return false;
  await addEvent(tx, { jobId, type: 'turn_ended', text: error.errorMessage });
  await updateJob(tx, jobId, { status: 'failed', cancelRequestedAt: null, ...error });
  return true;
}
