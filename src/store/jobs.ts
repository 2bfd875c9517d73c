import { and, desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import { withEllipsis } from '../platform/ellipsis.ts';
import { AppError } from '../platform/errors.ts';
import type { Queryable } from './database.ts';
import { newId } from './ids.ts';
import { addEvent } from './job-events.ts';
import { acceptingLock, holdProjectToAccept, type ProjectRow } from './projects.ts';
import { jobs, messages, overlayFiles, turns, type JobStatus } from './schema.ts';

export type JobRow = typeof jobs.$inferSelect;

const MAX_TITLE = 100;
const HOUR_SECONDS = 3_600;

/**
 * Accepts a job: its row, message 1 and first event, all or nothing with the surrounding transaction. One statement after the lock:
 * every round trip to the database is time that a client waits.
 * @throws AppError `project_not_found`; `rate_limited` when the project has had `limitPerHour` jobs within the last hour
 */
export async function acceptJob(
  tx: Queryable,
  input: { projectId: string; prompt: string; repositoryUrl: (project: ProjectRow) => string; limitPerHour: number },
): Promise<JobRow> {
  const { limitPerHour } = input;
  const project = await holdProjectToAccept(tx, input.projectId);
  const accepted = tx.$with('accepted', getTableColumns(jobs)).as(sql`
    INSERT INTO jobs (id, project_id, model, repository_url, base_ref, title, last_message_no, last_event_no)
    SELECT ${newId()}, ${project.id}, ${project.model}, ${input.repositoryUrl(project)}, ${project.ref}, ${titleOf(input.prompt)}, 1, 1
    WHERE NOT EXISTS (SELECT 1 FROM (${secondsToWait('jobs', project.id, limitPerHour)}) full_hour WHERE seconds > 0)
    RETURNING *`);
  const message = tx.$with('message', {}).as(sql`
    INSERT INTO messages (job_id, no, id, prompt) SELECT id, 1, ${newId()}, ${input.prompt} FROM accepted`);
  const event = tx.$with('event', {}).as(sql`
    INSERT INTO job_events (job_id, no, type, text) SELECT id, 1, 'created', title FROM accepted`);
  const [job] = await tx.with(accepted, message, event).select().from(accepted);
  if (job) return job;
  await refuseAboveLimit(tx, 'jobs', project.id, limitPerHour);
  // The hour has just passed that filled the limit.
  throw rateLimited('jobs', limitPerHour, 1);
}

/**
 * Accepts a follow-up message and makes the job active again.
 * @throws AppError `job_not_found`, `job_archived` (409) or `rate_limited`
 */
export async function acceptMessage(
  tx: Queryable,
  input: { projectId: string; jobId: string; prompt: string; limitPerHour: number },
): Promise<JobRow> {
  const job = await lockJob(tx, input.projectId, input.jobId);
  if (job.status === 'archived') {
    throw new AppError('job_archived', 'This job is archived. Unarchive it first, or create a new job.');
  }
  await lockAccepting(tx, input.projectId);
  await refuseAboveLimit(tx, 'messages', input.projectId, input.limitPerHour);
  const no = job.lastMessageNo + 1;
  await tx.insert(messages).values({ jobId: job.id, no, id: newId(), prompt: input.prompt });
  const updated = await updateJob(tx, job.id, {
    status: 'active',
    lastMessageNo: no,
    errorCode: null,
    errorMessage: null,
  });
  await addEvent(tx, { jobId: job.id, type: 'message', text: titleOf(input.prompt) });
  return updated;
}

/** The job, or null where this project has none of that id. */
export async function findJob(q: Queryable, projectId: string, jobId: string): Promise<JobRow | null> {
  const [job] = await q
    .select()
    .from(jobs)
    .where(and(eq(jobs.id, jobId), eq(jobs.projectId, projectId)));
  return job ?? null;
}

/** The job of any project. */
export async function findJobById(q: Queryable, jobId: string): Promise<JobRow | null> {
  const [job] = await q.select().from(jobs).where(eq(jobs.id, jobId));
  return job ?? null;
}

/** Newest first; `before` is the last row of the page before. */
export function listJobs(
  q: Queryable,
  filter: { projectId: string; status?: JobStatus; limit: number; before?: { createdAt: Date; id: string } },
): Promise<JobRow[]> {
  const { before } = filter;
  return q
    .select()
    .from(jobs)
    .where(
      and(
        eq(jobs.projectId, filter.projectId),
        filter.status && eq(jobs.status, filter.status),
        // As a row: an index is entered at this place. Two comparisons with OR would be held against all rows before it.
        before && sql`(${jobs.createdAt}, ${jobs.id}) < (${before.createdAt}, ${before.id})`,
      ),
    )
    .orderBy(desc(jobs.createdAt), desc(jobs.id))
    .limit(filter.limit);
}

/**
 * Asks for the end of the running turn and drops what waits. Where no turn runs, the job is completed at once.
 * Repeating it while the turn ends changes nothing.
 * @throws AppError `job_not_found`, or `job_not_active` (409)
 */
export async function requestCancel(tx: Queryable, projectId: string, jobId: string): Promise<JobRow> {
  const job = await lockJob(tx, projectId, jobId);
  if (job.status !== 'active') {
    throw new AppError('job_not_active', `This job is ${job.status}: there is nothing to cancel.`);
  }
  await dropWaiting(tx, jobId);
  if (await hasRunningTurn(tx, jobId)) {
    return updateJob(tx, jobId, { cancelRequestedAt: job.cancelRequestedAt ?? new Date(), signalPending: true });
  }
  await addEvent(tx, { jobId, type: 'turn_ended', text: 'Cancelled before the agent began.' });
  return updateJob(tx, jobId, { status: 'completed', summary: 'Cancelled before the agent began.' });
}

/**
 * Archives the job whatever it is doing: nothing is pushed for it from this transaction's commit on, because a push holds the
 * same lock. Messages that were not carried out are dropped. Idempotent.
 * @throws AppError `job_not_found`, or `unavailable` (503) when a push takes longer than 15 s
 */
export async function archiveJob(
  tx: Queryable,
  projectId: string,
  jobId: string,
  reason = 'Archived on request.',
): Promise<JobRow> {
  await tx.execute(sql`SET LOCAL lock_timeout = '15s'`);
  try {
    await lockPublishing(tx, jobId);
  } catch (err) {
    throw new AppError('unavailable', 'The job is being published right now. Try again in a moment.', {
      cause: err,
      retryAfterSeconds: 5,
    });
  }
  const job = await lockJob(tx, projectId, jobId);
  if (job.status === 'archived') return job;
  await tx
    .update(messages)
    .set({ state: 'dropped' })
    .where(and(eq(messages.jobId, jobId), sql`${messages.state} IN ('waiting', 'taken')`));
  const interrupted = await tx
    .update(turns)
    .set({ state: 'archived', fence: sql`${turns.fence} + 1`, endedAt: new Date() })
    .where(and(eq(turns.jobId, jobId), eq(turns.state, 'running')))
    .returning({ no: turns.no });
  // Half-done work is not for a later turn to publish.
  if (interrupted.length > 0) await tx.delete(overlayFiles).where(eq(overlayFiles.jobId, jobId));
  await addEvent(tx, { jobId, type: 'archived', text: reason });
  return updateJob(tx, jobId, {
    status: 'archived',
    // An interrupted turn has no outcome of its own: back from the archive, its job is at rest.
    statusBeforeArchive: job.status === 'active' ? 'completed' : job.status,
    archivedAt: new Date(),
    cancelRequestedAt: null,
    signalPending: true,
  });
}

/**
 * Gives an archived job its last state back.
 * @throws AppError `job_not_found`, or `job_not_archived` (409)
 */
export async function unarchiveJob(tx: Queryable, projectId: string, jobId: string): Promise<JobRow> {
  const job = await lockJob(tx, projectId, jobId);
  if (job.status !== 'archived') {
    throw new AppError('job_not_archived', `This job is ${job.status}: only an archived job can be unarchived.`);
  }
  await addEvent(tx, { jobId, type: 'unarchived', text: 'Taken back from the archive.' });
  return updateJob(tx, jobId, {
    status: job.statusBeforeArchive ?? 'completed',
    statusBeforeArchive: null,
    archivedAt: null,
    signalPending: true,
  });
}

/**
 * The workflow was told what the row said at `seenAt` (its `updatedAt`); the reconciler need not signal. A row that has
 * changed since stays pending: whoever changed it may have died before signalling.
 */
export async function signalDelivered(q: Queryable, jobId: string, seenAt: Date): Promise<void> {
  await q
    .update(jobs)
    .set({ signalPending: false })
    .where(and(eq(jobs.id, jobId), eq(jobs.updatedAt, seenAt)));
}

/** Diffs of one job's turns that are read at once, in bytes: a job may have had any number of turns. */
const MAX_DIFF_BYTES = 8_000_000;

/** Per turn that was published: its commit and unified diff, oldest first. Null in place of older diffs beyond 8 MB in all. */
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
  if (!job) throw new AppError('job_not_found', `There is no job ${jobId} in this project.`);
  return job;
}

/**
 * Held while a turn pushes and while a job is archived: one of the two waits for the other. An advisory lock, so that
 * messages are accepted during a push.
 */
export async function lockPublishing(tx: Queryable, jobId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`docent:publish:${jobId}`}, 0))`);
}

export async function updateJob(tx: Queryable, jobId: string, set: Partial<JobRow>): Promise<JobRow> {
  const [job] = await tx
    .update(jobs)
    .set({ ...set, updatedAt: new Date() })
    .where(eq(jobs.id, jobId))
    .returning();
  if (!job) throw new AppError('job_not_found', `There is no job ${jobId}.`);
  return job;
}

/** The prompt's first line with a word in it, at most 100 characters. */
export function titleOf(prompt: string): string {
  const line = prompt.split(/\r?\n/).find((candidate) => candidate.trim() !== '') ?? prompt;
  return withEllipsis(line.trim(), MAX_TITLE);
}

/** With what earlier turns left unheard: the turn that was going to take it is not wanted. */
async function dropWaiting(tx: Queryable, jobId: string): Promise<void> {
  await tx
    .update(messages)
    .set({ state: 'dropped' })
    .where(and(eq(messages.jobId, jobId), inArray(messages.state, ['waiting', 'unheard'])));
}

async function hasRunningTurn(tx: Queryable, jobId: string): Promise<boolean> {
  const rows = await tx
    .select({ no: turns.no })
    .from(turns)
    .where(and(eq(turns.jobId, jobId), eq(turns.state, 'running')));
  return rows.length > 0;
}

/** Held until the transaction ends: acceptances of one project take turns, so that its limit is exact. */
async function lockAccepting(tx: Queryable, projectId: string): Promise<void> {
  await tx.execute(sql`SELECT ${acceptingLock(projectId)}`);
}

/**
 * A sliding hour: the row that is `limit` places back decides; when it leaves the hour, the next is accepted. Call it after
 * `lockAccepting`, in a statement of its own.
 * @throws AppError `rate_limited`
 */
async function refuseAboveLimit(tx: Queryable, kind: 'jobs' | 'messages', projectId: string, limit: number) {
  const { rows } = await tx.execute<{ seconds: number }>(secondsToWait(kind, projectId, limit));
  const seconds = rows[0]?.seconds ?? 0;
  if (seconds > 0) throw rateLimited(kind, limit, seconds);
}

function rateLimited(kind: 'jobs' | 'messages', limit: number, seconds: number): AppError {
  return new AppError(
    'rate_limited',
    `This project has had its ${limit} ${kind === 'jobs' ? 'new jobs' : 'messages'} of the last hour. Try again later.`,
    { retryAfterSeconds: Math.max(1, Math.ceil(seconds)) },
  );
}

/**
 * A query for `seconds`: how long the row that decides stays in the hour. No row where the limit is not reached. It counts the hour's
 * rows only: a project may have had any number before.
 */
function secondsToWait(kind: 'jobs' | 'messages', projectId: string, limit: number) {
  const nth =
    kind === 'jobs'
      ? sql`SELECT created_at FROM jobs WHERE project_id = ${projectId} AND created_at > now() - interval '1 hour'
            ORDER BY created_at DESC OFFSET ${limit - 1} LIMIT 1`
      : sql`SELECT m.created_at FROM messages m JOIN jobs j ON j.id = m.job_id
            WHERE j.project_id = ${projectId} AND m.no > 1 AND m.created_at > now() - interval '1 hour'
            ORDER BY m.created_at DESC OFFSET ${limit - 1} LIMIT 1`;
  return sql`SELECT ${HOUR_SECONDS}::int - extract(epoch FROM clock_timestamp() - created_at)::float8 AS seconds FROM (${nth}) nth`;
}
