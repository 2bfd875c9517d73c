import { sql } from 'drizzle-orm';
import { DAY_MS } from '@docent/base/time';
import { AppError, isExpected } from '../platform/errors.ts';
import type { Db, Queryable } from '../store/database.ts';
import { findJobById, lockJob, type JobRow } from '../store/jobs/jobs.ts';
import { findProject } from '../store/projects/projects.ts';
import { hasWaitingMessages } from '../store/jobs/turns.ts';
import { archiveJob } from './stop.ts';

const BATCH = 200;
/** The most per round. The next round continues. */
const AT_MOST = 1_000;
/** Clocks of processes and the database differ, and a timer may be early. */
const NEARLY = 0.99;

/** Whether the job has ended and nothing waits for it, checked with its row locked. */
export function jobRests(db: Db, jobId: string): Promise<boolean> {
  return db.transaction(async (tx) => (await findRestingJob(tx, jobId)) !== null);
}

/** Locks the row. Null if the job has work, is archived, or is gone. */
async function findRestingJob(tx: Queryable, jobId: string): Promise<JobRow | null> {
  if (!(await findJobById(tx, jobId))) return null;
  const job = await lockJob(tx, null, jobId);
  const isAtRest = job.status === 'completed' || job.status === 'failed';
  return isAtRest && !(await hasWaitingMessages(tx, jobId)) ? job : null;
}

/** Archives a job without recent messages, rechecked under a lock. Idempotent. */
async function archiveIfIdle(db: Db, jobId: string, installationMs: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const job = await findRestingJob(tx, jobId);
    if (!job) return false;
    const days = (await findProject(tx, job.projectId))?.settings.archiveAfterDays;
    const idleMs = days === undefined ? installationMs : days * DAY_MS;
    if (Date.now() - job.updatedAt.getTime() < idleMs * NEARLY) return false;
    await archiveJob(tx, job.projectId, jobId, 'Archived after a long time without messages.');
    return true;
  });
}

/**
 * Archives up to 1,000 idle jobs, a project's oldest first, each in its own transaction. Safe in many
 * processes.
 * @param installationMs the default time
 * @returns how many
 */
export async function archiveIdleJobs(db: Db, installationMs: number): Promise<number> {
  let archived = 0;
  while (archived < AT_MOST) {
    const ids = await listIdle(db, installationMs);
    let done = 0;
    for (const id of ids) if (await archiveListed(db, id, installationMs)) done += 1;
    archived += done;
    // Jobs that could not be archived now would be found again immediately.
    if (done === 0 || ids.length < BATCH) break;
  }
  return archived;
}

async function archiveListed(db: Db, jobId: string, installationMs: number): Promise<boolean> {
  try {
    return await archiveIfIdle(db, jobId, installationMs);
  } catch (err) {
    // Deleted in the meantime with its project, or being published.
    if (err instanceof AppError || isExpected(err, 'being_published')) return false;
    throw err;
  }
}

/** A page of idle jobs, found by creation, which is never after the last change. */
async function listIdle(q: Queryable, installationMs: number): Promise<string[]> {
  const { rows } = await q.execute<{ id: string }>(sql`
    SELECT found.id
    FROM projects p
    CROSS JOIN LATERAL (SELECT now() - coalesce(
      make_interval(days => (p.settings->>'archiveAfterDays')::int), make_interval(secs => ${installationMs / 1_000})) AS since) idle
    CROSS JOIN (VALUES ('completed'), ('failed')) AS rest (status)
    CROSS JOIN LATERAL (
      SELECT j.id FROM jobs j
      WHERE j.project_id = p.id AND j.status = rest.status AND j.created_at < idle.since AND j.updated_at < idle.since
      ORDER BY j.created_at, j.id LIMIT ${BATCH}) found
    LIMIT ${BATCH}`);
  return rows.map(({ id }) => id);
}
