import { sql } from 'drizzle-orm';
import type { Queryable } from '../store/database.ts';
import { addEvent } from '../store/jobs/job-events.ts';
import type { JobRow } from '../store/jobs/jobs.ts';
import type { JobStatus } from '../store/schema.ts';
import { Expected } from '../platform/errors.ts';

/*
 * Decides how many jobs run at the same time, and which is next. All state is in rows: a running turn is a
 * taken slot, and `queue_no` is a position in the queue of a project. There are no counters, so nothing leaks
 * when a process dies.
 *
 * A job that finds no free slot when it is accepted enters the queue in the same transaction. A waiting job
 * costs nothing more: it has no workflow until it is next. So jobs that wait do not slow jobs that run.
 *
 * Slots are taken under one global lock (see `tryLockPlaces`), which no transaction waits for, and freed
 * without it. Only jobs for which a slot is free ask for the lock. A transaction that queues a job commits
 * and then checks whether it is next; one that frees a slot commits and then checks for the next one. So one
 * of the two always sees the other, and starts the workflow. If it dies first, the reconciler does.
 */

/** How many jobs may run at the same time. */
export interface Places {
  /** In the whole installation. */
  concurrentJobs: number;
  /** For a project without its own limit. */
  projectConcurrentJobs: number;
}

/** A project with waiting jobs. */
export interface QueuedProject {
  running: number;
  limit: number;
  /** Job ids, the next first. As many as there could be free slots are enough. */
  waiting: readonly { id: string; queueNo: number }[];
}

/**
 * The waiting jobs that get a slot now, in order: each time the next job of the project with the fewest
 * running ones, and between equals the one that has waited longest. However many jobs one project has, the
 * first job of another waits for one turn to end at most.
 * @param free slots that are free in the whole installation
 */
export function nextInQueue(free: number, projects: readonly QueuedProject[]): string[] {
  const left = projects.map(({ running, limit, waiting }) => ({ running, limit, waiting: [...waiting] }));
  const next: string[] = [];
  while (next.length < free) {
    const candidates = left.filter((project) => project.running < project.limit && project.waiting.length > 0);
    const [first] = candidates.toSorted(
      (a, b) => a.running - b.running || (a.waiting[0]?.queueNo ?? 0) - (b.waiting[0]?.queueNo ?? 0),
    );
    const job = first?.waiting.shift();
    if (!first || !job) break;
    first.running += 1;
    next.push(job.id);
  }
  return next;
}

/** A job that has a slot and does not know it yet: the fields for signaling its workflow. */
export interface NextJob {
  id: string;
  projectId: string;
  status: JobStatus;
  title: string;
  updatedAt: Date;
  signalPending: boolean;
}

/** Queued jobs that have a slot now. Reads only as many jobs per project as could get slots. */
export async function findNextInQueue(q: Queryable, places: Places): Promise<NextJob[]> {
  const { rows } = await q.execute<Row>(sql`
    WITH RECURSIVE waiting (project_id) AS (
      (SELECT project_id FROM jobs WHERE queue_no IS NOT NULL ORDER BY project_id LIMIT 1)
      UNION ALL
      SELECT (SELECT project_id FROM jobs WHERE queue_no IS NOT NULL AND project_id > waiting.project_id ORDER BY project_id LIMIT 1)
      FROM waiting WHERE waiting.project_id IS NOT NULL
    ), running AS MATERIALIZED (
      SELECT r.project_id, count(*)::int AS n FROM turns t JOIN jobs r ON r.id = t.job_id WHERE t.state = 'running' GROUP BY 1
    ), free AS MATERIALIZED (SELECT ${places.concurrentJobs}::int - coalesce(sum(n), 0)::int AS n FROM running)
    SELECT w.id, w.project_id, w.status, w.title, w.updated_at, w.signal_pending, w.queue_no,
      own.running, own."limit", own.free
    FROM (
      SELECT p.id AS project_id, free.n AS free, ${limitOf(places)} AS "limit",
        coalesce((SELECT r.n FROM running r WHERE r.project_id = p.id), 0) AS running
      FROM waiting JOIN projects p ON p.id = waiting.project_id CROSS JOIN free WHERE free.n > 0
    ) own CROSS JOIN LATERAL (
      SELECT id, project_id, status, title, updated_at, signal_pending, queue_no FROM jobs
      WHERE project_id = own.project_id AND ${isQueued}
      ORDER BY queue_no, id LIMIT greatest(0, least(own.free, own."limit" - own.running))
    ) w
    ORDER BY w.queue_no, w.id`);
  const projects = new Map<string, QueuedProject & { waiting: { id: string; queueNo: number }[] }>();
  for (const row of rows) {
    const project = projects.get(row.project_id) ?? { running: row.running, limit: row.limit, waiting: [] };
    project.waiting.push({ id: row.id, queueNo: Number(row.queue_no) });
    projects.set(row.project_id, project);
  }
  const next = new Set(nextInQueue(rows[0]?.free ?? 0, [...projects.values()]));
  return rows
    .filter(({ id }) => next.has(id))
    .map((row) => ({
      id: row.id,
      projectId: row.project_id,
      status: row.status,
      title: row.title,
      updatedAt: new Date(row.updated_at),
      signalPending: row.signal_pending,
    }));
}

/** Whether a queued job has a slot now. */
export async function isNextInQueue(q: Queryable, jobId: string, places: Places): Promise<boolean> {
  return (await findNextInQueue(q, places)).some(({ id }) => id === jobId);
}

interface Row extends Record<string, unknown> {
  id: string;
  project_id: string;
  status: JobStatus;
  title: string;
  updated_at: string | Date;
  signal_pending: boolean;
  queue_no: string;
  running: number;
  limit: number;
  free: number;
}

/** A condition on `jobs`. */
const isQueued = sql.raw(`(jobs.queue_no IS NOT NULL AND jobs.status = 'active')`);

/** The limit of project `p`. */
const limitOf = ({ projectConcurrentJobs }: Places) =>
  sql`coalesce((p.settings->>'concurrentJobs')::int, ${projectConcurrentJobs}::int)`;

/**
 * Serializes taking slots until the transaction ends, so that later counts are exact. Lock the job first.
 * @throws Expected `places_busy`
 */
export async function tryLockPlaces(tx: Queryable): Promise<void> {
  const { rows } = await tx.execute<{ locked: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(hashtextextended('docent:places', 0)) AS locked`,
  );
  if (!rows[0]?.locked) throw new Expected('places_busy', 'Another job is being assigned a slot.');
}

/**
 * Whether a job that is not in the queue would get a slot now, before the jobs that wait: exact with the
 * slots locked, else an estimate.
 */
export async function isPlaceFree(q: Queryable, projectId: string, places: Places): Promise<boolean> {
  const { rows } = await q.execute<{ free: number; waits: boolean }>(sql`
    SELECT (${free(places)})::int AS free, EXISTS (SELECT 1 FROM jobs WHERE ${isQueued}) AS waits
    FROM projects p WHERE p.id = ${projectId} AND ${hasSlot(places)}
      AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.project_id = p.id AND ${isQueued})`);
  const [found] = rows;
  if (!found?.waits) return found !== undefined;
  return found.free > (await findNextInQueue(q, places)).length;
}

/** SQL condition for the usual case: no queue, and a free slot in project `p` and overall. */
export function hasFreePlace(places: Places) {
  return sql`(NOT EXISTS (SELECT 1 FROM jobs WHERE ${isQueued}) AND ${hasSlot(places)})`;
}

const free = ({ concurrentJobs }: Places) =>
  sql`(${concurrentJobs}::int - (SELECT count(*) FROM turns t WHERE t.state = 'running'))`;

const hasSlot = (places: Places) => sql`(${free(places)} > 0 AND ${limitOf(places)} > (
  SELECT count(*) FROM turns t JOIN jobs r ON r.id = t.job_id WHERE t.state = 'running' AND r.project_id = p.id))`;

/** Held while a job of the project enters the queue. */
const queueLock = (projectId: string) => sql`hashtextextended('docent:queue:' || ${projectId}, 0)`;

type Queueable = Pick<JobRow, 'id' | 'projectId' | 'queueNo'>;

/**
 * Queues a job that was just accepted if there is no slot for it, in the transaction that accepts it. Commit,
 * then wake its workflow: see `workflowToWake`.
 * @returns the job as it is now
 */
export async function queueUnlessFree<Job extends Queueable>(tx: Queryable, job: Job, places: Places): Promise<Job> {
  if (job.queueNo !== null || (await isPlaceFree(tx, job.projectId, places))) return job;
  // Acceptances of one project take turns anyway, so this waits for short transactions of workers alone.
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${queueLock(job.projectId)})`);
  const queueNo = await putAtEnd(tx, job.id);
  await noteQueued(tx, job);
  return { ...job, queueNo };
}

/**
 * Puts a job at the end of the queue, unless it is queued.
 * @returns whether it is new there
 * @throws Expected `places_busy`
 */
export async function enqueue(tx: Queryable, job: Queueable): Promise<boolean> {
  if (job.queueNo !== null) return false;
  const { rows } = await tx.execute<{ locked: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(${queueLock(job.projectId)}) AS locked`,
  );
  if (!rows[0]?.locked) throw new Expected('places_busy', 'Another job of the project enters the queue.');
  await putAtEnd(tx, job.id);
  return true;
}

/**
 * After all jobs of its project, and among projects by the database's clock. Under the project's lock, so
 * that no job overtakes it later: a position only falls.
 */
async function putAtEnd(tx: Queryable, jobId: string): Promise<number> {
  const { rows } = await tx.execute<{ no: string }>(sql`
    UPDATE jobs SET queue_no = greatest(
      (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
      (SELECT max(o.queue_no) + 1 FROM jobs o WHERE o.project_id = jobs.project_id AND o.queue_no IS NOT NULL))
    WHERE id = ${jobId} RETURNING queue_no AS no`);
  return Number(rows[0]?.no);
}

/** Adds the event that a job, the last one of its project's queue, waits. */
export async function noteQueued(tx: Queryable, { id, projectId }: Queueable): Promise<void> {
  const { rows } = await tx.execute<{ ahead: number }>(
    sql`SELECT count(*)::int - 1 AS ahead FROM jobs WHERE project_id = ${projectId} AND ${isQueued}`,
  );
  const ahead = rows[0]?.ahead ?? 0;
  const text =
    ahead === 0
      ? 'Queued: next in this project.'
      : `Queued: ${ahead} ${ahead === 1 ? 'job' : 'jobs'} of this project ahead.`;
  await addEvent(tx, { jobId: id, type: 'queued', text });
}

/** The position of a waiting job. */
export interface JobPlace {
  /** 1 is the next of its project. It only falls. */
  position: number;
}

/** Queue positions of those of these jobs that wait. Makes no query if none waits. */
export async function placesOf(
  q: Queryable,
  rows: readonly Pick<JobRow, 'id' | 'queueNo' | 'status'>[],
): Promise<Map<string, JobPlace>> {
  const ids = rows.filter(({ queueNo, status }) => queueNo !== null && status === 'active').map(({ id }) => id);
  return ids.length === 0 ? new Map() : readPlaces(q, ids);
}

/** Places as they are now, whatever was known of the jobs. A job that does not wait has none. */
export async function readPlaces(q: Queryable, ids: readonly string[]): Promise<Map<string, JobPlace>> {
  const those = sql.join(
    ids.map((id) => sql`${id}`),
    sql`, `,
  );
  const found = await q.execute<{ id: string; position: number }>(sql`
    SELECT own.id, (SELECT count(*)::int FROM jobs
      WHERE jobs.project_id = own.project_id AND (jobs.queue_no, jobs.id) <= (own.queue_no, own.id) AND ${isQueued}) AS position
    FROM jobs own WHERE own.id IN (${those}) AND own.queue_no IS NOT NULL AND own.status = 'active'
      AND NOT EXISTS (SELECT 1 FROM turns o WHERE o.job_id = own.id AND o.state = 'running')`);
  return new Map(found.rows.map(({ id, position }) => [id, { position }]));
}
