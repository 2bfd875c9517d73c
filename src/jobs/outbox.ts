import { and, asc, eq, sql } from 'drizzle-orm';
import { withoutContext } from '@docent/recipes/prompt-context';
import type { Db, Queryable } from '../store/database.ts';
import type { JobRow } from '../store/jobs/jobs.ts';
import { jobs, UNSETTLED } from '../store/schema.ts';
import { isNextInQueue, reserveForNext, type NextJob, type SlotLimits, type Queued } from './queue.ts';

/** A job whose workflow may not know its rows yet. */
export interface UnsettledJob {
  id: string;
  updatedAt: Date;
  signalPending: boolean;
}

/**
 * A page of jobs that are active and unchanged for `quietMs`, or have a signal pending, oldest change first. Of
 * those that wait in the queue, only the ones that reserved a slot so long ago.
 * @param after the last one of the previous page
 */
export async function listUnsettledJobs(
  q: Queryable,
  { quietMs, limit, after }: { quietMs: number; limit: number; after?: UnsettledJob | undefined },
): Promise<UnsettledJob[]> {
  const quiet = sql`now() - make_interval(secs => ${quietMs / 1_000})`;
  return q
    .select({ id: jobs.id, updatedAt: jobs.updatedAt, signalPending: jobs.signalPending })
    .from(jobs)
    .where(
      and(
        // The exact condition of the index `jobs_unsettled`: any other would read all jobs.
        UNSETTLED,
        // A queued job has nothing to do until it has a slot: see queue.ts.
        sql`(${jobs.queueNo} IS NULL OR ${jobs.signalPending} OR ${jobs.slotReservedAt} < ${quiet} OR EXISTS (
          SELECT 1 FROM turns t WHERE t.job_id = ${jobs.id} AND t.state = 'running'))`,
        sql`${jobs.updatedAt} < ${quiet}`,
        after && sql`(${jobs.updatedAt}, ${jobs.id}) > (${after.updatedAt}, ${after.id})`,
      ),
    )
    .orderBy(asc(jobs.updatedAt), asc(jobs.id))
    .limit(limit);
}

const FIRST_PROMPT = sql<string>`coalesce((SELECT prompt FROM messages m WHERE m.job_id = jobs.id AND m.no = 1), '')`;

/** The job's first prompt without its context, which stays in our rows; '' if the job is gone. */
export async function firstPromptOf(q: Queryable, jobId: string): Promise<string> {
  const [row] = await q.select({ firstPrompt: FIRST_PROMPT }).from(jobs).where(eq(jobs.id, jobId));
  return withoutContext(row?.firstPrompt ?? '');
}

/**
 * A job for Temporal after a job or message was accepted; null if it waits in the queue, where it has no
 * workflow. Call it after the commit.
 * @param accepted.prompt of the job or message
 */
export async function workflowToWake(
  q: Queryable,
  { job, isNew, prompt }: { job: Queued; isNew: boolean; prompt: string },
  slots: SlotLimits,
): Promise<(Pick<JobRow, 'id' | 'projectId' | 'status' | 'title'> & { prompt: string }) | null> {
  const { id, projectId, status, title, queueNo } = job;
  if (queueNo !== null && !(await isNextInQueue(q, job, slots))) return null;
  const first = isNew ? withoutContext(prompt) : await firstPromptOf(q, id);
  return { id, projectId, status, title, prompt: first };
}

/** The queued jobs that have got a slot now, for Temporal. Each is returned once. */
export async function workflowsToStart(db: Db, slots: SlotLimits): Promise<(NextJob & { prompt: string })[]> {
  const next = await reserveForNext(db, slots);
  return Promise.all(next.map(async (job) => ({ ...job, prompt: await firstPromptOf(db, job.id) })));
}

/** The facts needed to start or signal a job's workflow, or null. `running`: a turn is open. */
export async function readUnsettledJob(
  q: Queryable,
  jobId: string,
): Promise<{ job: JobRow; firstPrompt: string; running: boolean } | null> {
  const [row] = await q
    .select({
      job: jobs,
      firstPrompt: FIRST_PROMPT,
      running: sql<boolean>`EXISTS (SELECT 1 FROM turns t WHERE t.job_id = jobs.id AND t.state = 'running')`,
    })
    .from(jobs)
    .where(eq(jobs.id, jobId));
  return row ? { ...row, firstPrompt: withoutContext(row.firstPrompt) } : null;
}

/** Records a sent signal for the row of `seenAt` (its `updatedAt`). Later changes stay pending. */
export async function signalDelivered(q: Queryable, jobId: string, seenAt: Date): Promise<void> {
  await q
    .update(jobs)
    .set({ signalPending: false })
    .where(and(eq(jobs.id, jobId), eq(jobs.updatedAt, seenAt)));
}
