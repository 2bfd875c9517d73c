import { eq, sql } from 'drizzle-orm';
import { AppError } from '../platform/errors.ts';
import type { Queryable } from '../store/database.ts';
import type { JobBudget } from '../store/job-options.ts';
import { lockJob, type JobRow } from '../store/jobs/jobs.ts';
import { jobs } from '../store/schema.ts';

const MAX_METADATA = 50;

export interface JobChange {
  title?: string | undefined;
  /** Replaces the previous one; null: none. */
  budget?: JobBudget | null | undefined;
  /** Laid over what the job has; null takes a name away. */
  metadata?: Record<string, string | null> | undefined;
}

/**
 * Changes a client's own fields in any state. Idempotent.
 * @param check gets the locked job, and throws to prevent it
 * @throws AppError `job_not_found`, `bad_request` for too much metadata
 */
export async function updateJobText(
  tx: Queryable,
  projectId: string,
  jobId: string,
  { title, budget, metadata }: JobChange,
  check?: (current: JobRow) => Promise<void>,
): Promise<JobRow> {
  const job = await lockJob(tx, projectId, jobId);
  await check?.(job);
  const { budget: before, ...rest } = job.options;
  const kept = budget === undefined ? before : (budget ?? undefined);
  const options = { ...rest, ...(kept && { budget: kept }), ...(title !== undefined && { title }) };
  const laid = JSON.stringify(metadata ?? {});
  const [updated] = await tx
    .update(jobs)
    .set({
      options,
      ...(title !== undefined && { title }),
      // Only this change has null values.
      metadata: sql`jsonb_strip_nulls(${jobs.metadata} || ${laid}::jsonb)`,
      updatedAt: sql`now()`,
    })
    .where(eq(jobs.id, jobId))
    .returning();
  if (!updated) throw new AppError('job_not_found', `Job ${jobId} does not exist.`);
  if (Object.keys(updated.metadata).length > MAX_METADATA) {
    throw new AppError(
      'bad_request',
      `\`metadata\`: the job would have more than ${MAX_METADATA} entries. Remove some with null.`,
    );
  }
  return updated;
}
