import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import type { Queryable } from './database.ts';
import { addEvent } from './job-events.ts';
import { lockJob, updateJob, type JobRow } from './jobs.ts';
import { hasWaitingMessages } from './turns.ts';
import { jobs, messages, turns } from './schema.ts';

export interface StaleJob {
  job: JobRow;
  firstPrompt: string;
  /** A turn is open: whoever works on it should have touched the row. */
  running: boolean;
}

/**
 * Jobs whose workflow may not know what the rows say: active and untouched for `quietMs`, or with an unanswered bell.
 * Oldest first.
 */
export async function listStaleJobs(q: Queryable, quietMs: number, limit: number): Promise<StaleJob[]> {
  const rows = await q
    .select({
      job: jobs,
      firstPrompt: sql<string>`coalesce((SELECT left(prompt, 2000) FROM messages m WHERE m.job_id = jobs.id AND m.no = 1), '')`,
      running: sql<boolean>`EXISTS (SELECT 1 FROM turns t WHERE t.job_id = jobs.id AND t.state = 'running')`,
    })
    .from(jobs)
    .where(
      sql`(${jobs.status} = 'active' OR ${jobs.bellPending}) AND ${jobs.updatedAt} < now() - make_interval(secs => ${quietMs / 1_000})`,
    )
    .orderBy(jobs.updatedAt)
    .limit(limit);
  return rows;
}

/**
 * The job's workflow was ended from outside while it had work: the turn and what it had taken are given up, and so is what was
 * accepted before the end. Messages accepted later keep the job active. Idempotent.
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
    .set({ state: 'dropped' })
    .where(
      and(
        eq(messages.jobId, jobId),
        inArray(messages.state, ['waiting', 'taken']),
        // What is taken belongs to the lost turn, whenever it came.
        sql`(${messages.state} = 'taken' OR ${lte(messages.createdAt, closedAt)})`,
      ),
    );
  if (await hasWaitingMessages(tx, jobId)) return false;
  await addEvent(tx, { jobId, type: 'turn_ended', text: error.errorMessage });
  await updateJob(tx, jobId, { status: 'failed', cancelRequestedAt: null, ...error });
  return true;
}
