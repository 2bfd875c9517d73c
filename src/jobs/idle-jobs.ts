import { sql } from 'drizzle-orm';
import { AppError } from '../platform/errors.ts';
import type { Db, Queryable } from '../store/database.ts';
import { findJobById, lockJob } from '../store/jobs.ts';
import { findProject, type ProjectRow } from '../store/projects.ts';
import { hasWaitingMessages } from '../store/turns.ts';
import { archiveJob } from './stop.ts';

const DAY_MS = 86_400_000;
const BATCH = 200;
/** Of one round: what is left is for the next one. */
const AT_MOST = 1_000;
/** Clocks of processes and the database differ, and a timer may be early. */
const NEARLY = 0.99;

/** How long a job of the project rests before it is archived, in milliseconds. @param installationMs where the project does not say */
export function idleMsOf(installationMs: number, project: ProjectRow | null): number {
  const days = project?.settings.archiveAfterDays;
  return days === undefined ? installationMs : days * DAY_MS;
}

/**
 * Archives a job that nobody wrote to for as long as its project says, if it still rests once its row is locked. Idempotent.
 * @param installationMs where the project does not say
 * @returns `rests`: nothing waits, and it is not to be archived yet. `other`: it has work, is archived, or is gone
 */
export async function archiveIfIdle(
  db: Db,
  jobId: string,
  installationMs: number,
): Promise<'archived' | 'rests' | 'other'> {
  return db.transaction(async (tx) => {
    if (!(await findJobById(tx, jobId))) return 'other';
    const job = await lockJob(tx, null, jobId);
    const isAtRest = job.status === 'completed' || job.status === 'failed';
    if (!isAtRest || (await hasWaitingMessages(tx, jobId))) return 'other';
    const idleMs = idleMsOf(installationMs, await findProject(tx, job.projectId));
    if (Date.now() - job.updatedAt.getTime() < idleMs * NEARLY) return 'rests';
    await archiveJob(tx, job.projectId, jobId, 'Archived: nobody wrote to it for a long time.');
    return 'archived';
  });
}

/**
 * Archives jobs that nobody wrote to for as long as their projects say, the oldest of each project first, at most 1,000. Each in a
 * transaction of its own: what dies in the middle is gone on with by the next round, and any number of processes may do it.
 * @param installationMs where a project does not say
 * @returns how many it archived
 */
export async function archiveIdleJobs(db: Db, installationMs: number): Promise<number> {
  let archived = 0;
  while (archived < AT_MOST) {
    const ids = await listIdle(db, installationMs);
    let done = 0;
    for (const id of ids) if (await archiveListed(db, id, installationMs)) done += 1;
    archived += done;
    // Those that could not be archived now would be found again at once.
    if (done === 0 || ids.length < BATCH) break;
  }
  return archived;
}

async function archiveListed(db: Db, jobId: string, installationMs: number): Promise<boolean> {
  try {
    return (await archiveIfIdle(db, jobId, installationMs)) === 'archived';
  } catch (err) {
    // Deleted meanwhile with its project, or being published.
    if (err instanceof AppError) return false;
    throw err;
  }
}

/** A page of them. No job is touched before it is created: so the index by project, status and creation finds them. */
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
