import { and, eq, sql } from 'drizzle-orm';
import { AppError } from '../../platform/errors.ts';
import type { Queryable } from '../database.ts';
import { eventFrom, type NewJobEvent } from './job-events.ts';
import type { ProjectRow } from '../projects/projects.ts';
import { jobs, projects, turns } from '../schema.ts';

export type JobRow = typeof jobs.$inferSelect;

/** The job, or null if this project has none of that id. */
export async function findJob(q: Queryable, projectId: string, jobId: string): Promise<JobRow | null> {
  const [job] = await q
    .select()
    .from(jobs)
    .where(and(eq(jobs.id, jobId), eq(jobs.projectId, projectId)));
  return job ?? null;
}

/** @throws AppError `job_not_found` */
export async function requireJob(q: Queryable, projectId: string, jobId: string): Promise<JobRow> {
  const job = await findJob(q, projectId, jobId);
  if (!job) throw jobNotFound(jobId);
  return job;
}

export function jobNotFound(id: string): AppError {
  return new AppError('job_not_found', `Job ${id} does not exist in this project.`);
}

/** The job of any project. */
export async function findJobById(q: Queryable, jobId: string): Promise<JobRow | null> {
  const [job] = await q.select().from(jobs).where(eq(jobs.id, jobId));
  return job ?? null;
}

export async function findJobWithProject(
  q: Queryable,
  jobId: string,
): Promise<{ job: JobRow; project: ProjectRow } | null> {
  const [found] = await q
    .select({ job: jobs, project: projects })
    .from(jobs)
    .innerJoin(projects, eq(projects.id, jobs.projectId))
    .where(eq(jobs.id, jobId));
  return found ?? null;
}

/** The most bytes of a job's diffs per query: a job may have any number of turns. */
const MAX_DIFF_BYTES = 8_000_000;

/** Commit and unified diff of each published turn, oldest first. Older diffs beyond 8 MB are null. */
export async function listTurnDiffs(
  q: Queryable,
  jobId: string,
): Promise<{ turnNo: number; branch: string; commit: string; diff: string | null }[]> {
  const bytesFromHere = sql`sum(octet_length(coalesce(${turns.diff}, ''))) OVER (ORDER BY ${turns.no} DESC)`;
  const rows = await q
    .select({
      turnNo: turns.no,
      branch: turns.branch,
      commit: turns.commit,
      diff: sql<string | null>`CASE WHEN ${bytesFromHere} <= ${MAX_DIFF_BYTES} THEN coalesce(${turns.diff}, '') END`,
    })
    .from(turns)
    .where(and(eq(turns.jobId, jobId), eq(turns.state, 'published')))
    .orderBy(turns.no);
  return rows.map((row) => ({ ...row, branch: row.branch ?? '', commit: row.commit ?? '' }));
}

/** Locks the job's row until the transaction ends. @throws AppError `job_not_found` */
export async function lockJob(tx: Queryable, projectId: string | null, jobId: string): Promise<JobRow> {
  const [job] = await tx
    .select()
    .from(jobs)
    .where(and(eq(jobs.id, jobId), projectId === null ? undefined : eq(jobs.projectId, projectId)))
    .for('update');
  if (!job) throw new AppError('job_not_found', `Job ${jobId} does not exist in this project.`);
  return job;
}

/** @param event a line of the job's story that goes with it. @throws AppError `job_not_found` */
export async function updateJob(
  tx: Queryable,
  jobId: string,
  set: Partial<JobRow>,
  event?: NewJobEvent,
): Promise<JobRow> {
  const counted = event && { lastEventNo: sql<number>`${jobs.lastEventNo} + 1` };
  const update = tx
    .update(jobs)
    .set({ ...set, ...counted, updatedAt: new Date() })
    .where(eq(jobs.id, jobId))
    .returning();
  const changed = tx.$with('changed').as(update);
  const [job] = event
    ? await tx
        .with(changed, tx.$with('told', {}).as(eventFrom(sql.raw('changed'), event)))
        .select()
        .from(changed)
    : await update;
  if (!job) throw new AppError('job_not_found', `Job ${jobId} does not exist.`);
  return job;
}
