import { setTimeout as sleep } from 'node:timers/promises';
import { inArray, sql, type SQL } from 'drizzle-orm';
import { Expected, isExpected } from '../platform/errors.ts';
import type { Db, Queryable } from '../store/database.ts';
import type { JobRow } from '../store/jobs/jobs.ts';
import { jobs, type JobStatus } from '../store/schema.ts';

/*
 * Decides how many jobs run at the same time, and which is next. All state is in rows: a running turn is a
 * taken slot, `slot_reserved_at` reserves one for a job whose workflow is starting, and `queue_no` is a
 * position in the queue of a project. There are no counters, so nothing leaks when a process dies.
 *
 * A job that is accepted reserves a free slot, or enters the queue, in the same transaction. A waiting job
 * costs nothing more: it has no workflow until it is next. So jobs that wait do not slow jobs that run, and a
 * thousand jobs at once start only as many workflows as there are slots.
 *
 * Slots are taken under one global lock (see `tryLockSlots`), which no transaction waits for, and freed
 * without it. Only jobs for which a slot is free ask for the lock. A transaction that queues a job commits
 * and then checks whether it is next; one that frees a slot commits and then checks for the next one. So one
 * of the two always sees the other, and starts the workflow. If it dies first, the reconciler does.
 */

/** As long as a reservation holds. Later, the workflow may be lost: then others get the slot. */
const RESERVED_SECONDS = 10;
const RESERVE = sql.raw(`UPDATE jobs SET slot_reserved_at = now()`);
/** How long one attempt waits for others that are given slots. */
const BUSY_MS = 8_000;

/** How many jobs may run at the same time. */
export interface SlotLimits {
  /** In the whole installation. */
  concurrentJobs: number;
  /** For a project without its own limit. */
  projectConcurrentJobs: number;
}

/** A project with waiting jobs. */
export interface QueuedProject {
  /** Slots that it has taken or reserved. */
  taken: number;
  limit: number;
  /** Job ids, the next first. As many as there could be free slots are enough. */
  waiting: readonly { id: string; queueNo: number }[];
}

/**
 * The waiting jobs that get a slot now, in order: each time the next job of the project with the fewest
 * slots, and between equals the one that has waited longest. However many jobs one project has, the
 * first job of another waits for one turn to end at most.
 * @param free slots that are free in the whole installation
 */
export function nextInQueue(free: number, projects: readonly QueuedProject[]): string[] {
  const left = projects.map(({ taken, limit, waiting }) => ({ taken, limit, waiting: [...waiting] }));
  const next: string[] = [];
  while (next.length < free) {
    const candidates = left.filter((project) => project.taken < project.limit && project.waiting.length > 0);
    const [first] = candidates.toSorted(
      (a, b) => a.taken - b.taken || (a.waiting[0]?.queueNo ?? 0) - (b.waiting[0]?.queueNo ?? 0),
    );
    const job = first?.waiting.shift();
    if (!first || !job) break;
    first.taken += 1;
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

/** Queued jobs for which a slot is free now. Reads only as many jobs per project as could get slots. */
export async function findNextInQueue(q: Queryable, slots: SlotLimits): Promise<NextJob[]> {
  const { rows } = await q.execute<Row>(sql`
    WITH RECURSIVE waiting (project_id) AS (
      (SELECT project_id FROM jobs WHERE queue_no IS NOT NULL ORDER BY project_id LIMIT 1)
      UNION ALL
      SELECT (SELECT project_id FROM jobs WHERE queue_no IS NOT NULL AND project_id > waiting.project_id ORDER BY project_id LIMIT 1)
      FROM waiting WHERE waiting.project_id IS NOT NULL
    ), taken AS MATERIALIZED (
      SELECT project_id, count(*)::int AS n FROM ${TAKEN} GROUP BY 1
    ), free AS MATERIALIZED (SELECT ${slots.concurrentJobs}::int - coalesce(sum(n), 0)::int AS n FROM taken)
    SELECT w.id, w.project_id, w.status, w.title, w.updated_at, w.signal_pending, w.queue_no,
      own.taken, own."limit", own.free
    FROM (
      SELECT p.id AS project_id, free.n AS free, ${limitOf(slots)} AS "limit",
        coalesce((SELECT t.n FROM taken t WHERE t.project_id = p.id), 0) AS taken
      FROM waiting JOIN projects p ON p.id = waiting.project_id CROSS JOIN free WHERE free.n > 0
    ) own CROSS JOIN LATERAL (
      SELECT id, project_id, status, title, updated_at, signal_pending, queue_no FROM jobs
      WHERE project_id = own.project_id AND ${isQueued} AND ${isReserved} IS NOT TRUE
      ORDER BY queue_no, id LIMIT greatest(0, least(own.free, own."limit" - own.taken))
    ) w
    ORDER BY w.queue_no, w.id`);
  const projects = new Map<string, QueuedProject & { waiting: { id: string; queueNo: number }[] }>();
  for (const row of rows) {
    const project = projects.get(row.project_id) ?? { taken: row.taken, limit: row.limit, waiting: [] };
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

/** Whether a queued job has a slot now. Makes no query if its position says that it has none. */
export async function isNextInQueue(
  q: Queryable,
  { id, queue }: Pick<Queued, 'id' | 'queue'>,
  slots: SlotLimits,
): Promise<boolean> {
  // Those before it get slots first, and there are no more than these. If they leave, the next is looked for.
  if (queue && queue.position > slots.concurrentJobs) return false;
  return (await findNextInQueue(q, slots)).some((next) => next.id === id);
}

interface Row extends Record<string, unknown> {
  id: string;
  project_id: string;
  status: JobStatus;
  title: string;
  updated_at: string | Date;
  signal_pending: boolean;
  queue_no: string;
  taken: number;
  limit: number;
  free: number;
}

/** A condition on `jobs`. */
const isQueued = sql.raw(`(jobs.queue_no IS NOT NULL AND jobs.status = 'active')`);

/** The limit of project `p`. */
const limitOf = ({ projectConcurrentJobs }: SlotLimits) =>
  sql`coalesce((p.settings->>'concurrentJobs')::int, ${projectConcurrentJobs}::int)`;

/**
 * Serializes taking slots until the transaction ends, so that later counts are exact. Lock the job first.
 * @throws Expected `slots_busy`
 */
export async function tryLockSlots(tx: Queryable): Promise<void> {
  const { rows } = await tx.execute<{ locked: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(hashtextextended('docent:slots', 0)) AS locked`,
  );
  if (!rows[0]?.locked) throw new Expected('slots_busy', 'Another job is being assigned a slot.');
}

/** A condition on `jobs`. Null without a reservation. */
const isReserved = sql.raw(`(slot_reserved_at > now() - make_interval(secs => ${RESERVED_SECONDS}))`);

/** SQL: the project of each slot that is taken or reserved. */
const TAKEN = sql`(
  SELECT o.project_id FROM turns t JOIN jobs o ON o.id = t.job_id WHERE t.state = 'running'
  UNION ALL
  SELECT project_id FROM jobs WHERE status = 'active' AND ${isReserved})`;

/**
 * Reserves the free slots for the queued jobs that are next, so that no other process wakes them as well.
 * Call it after a slot has become free, and wake their workflows. If the process dies before that, the
 * reconciler wakes them.
 */
export async function reserveForNext(db: Db, slots: SlotLimits): Promise<NextJob[]> {
  if ((await findNextInQueue(db, slots)).length === 0) return [];
  return whenSlotsUnlocked(() =>
    db.transaction(async (tx) => {
      await tryLockSlots(tx);
      const next = await findNextInQueue(tx, slots);
      if (next.length === 0) return [];
      const ids = next.map(({ id }) => id);
      // A transaction that has locked a job checks afterwards whether the job is next.
      const free = sql`(SELECT id FROM jobs WHERE ${inArray(jobs.id, ids)} FOR UPDATE SKIP LOCKED)`;
      const { rows } = await tx.execute<{ id: string }>(sql`${RESERVE} WHERE id IN ${free} RETURNING id`);
      const reserved = new Set(rows.map(({ id }) => id));
      return next.filter(({ id }) => reserved.has(id));
    }),
  );
}

/** Repeats `work` while other jobs get their slots within milliseconds. @throws Expected `slots_busy` */
export async function whenSlotsUnlocked<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + BUSY_MS;
  for (;;) {
    try {
      return await work();
    } catch (err) {
      if (!isExpected(err, 'slots_busy') || performance.now() > deadline) throw err;
    }
    await sleep(5 + Math.random() * 20);
  }
}

/**
 * SQL condition: fewer turns run than the limits of project `p` and of the installation allow. A job with a
 * reserved slot takes it then, before all jobs that wait.
 */
export function hasSlot(slots: SlotLimits): SQL {
  return sql`(${slots.concurrentJobs}::int > (SELECT count(*) FROM turns t WHERE t.state = 'running')
    AND ${limitOf(slots)} > (
      SELECT count(*) FROM turns t JOIN jobs r ON r.id = t.job_id WHERE t.state = 'running' AND r.project_id = p.id))`;
}

/** Held while a job of the project enters the queue. */
const queueLock = (projectId: string) => sql`hashtextextended('docent:queue:' || ${projectId}, 0)`;

type Queueable = Pick<JobRow, 'id' | 'projectId' | 'queueNo'>;

/** An accepted job. */
export type Queued<Job extends Queueable = JobRow> = Job & {
  /** Null: it does not wait. Undefined: it waited before. */
  queue?: QueuePosition | null | undefined;
};

/**
 * Reserves a slot for a job that was just accepted, or queues it if there is none, in the transaction that
 * accepts it. Commit, then wake its workflow: see `workflowToWake`.
 */
export async function reserveOrQueue<Job extends Queueable>(
  tx: Queryable,
  job: Job,
  slots: SlotLimits,
): Promise<Queued<Job>> {
  if (job.queueNo !== null) return job;
  // Acceptances of one project take turns anyway, so the lock waits for short transactions of workers alone.
  const { rows } = await tx.execute<{ free: number; waits: boolean; has: boolean }>(sql`
    WITH taken AS MATERIALIZED (SELECT project_id FROM ${TAKEN}),
    found AS MATERIALIZED (
      SELECT free, EXISTS (SELECT 1 FROM jobs WHERE ${isQueued}) AS waits,
        free > 0 AND ${limitOf(slots)} > (SELECT count(*) FROM taken WHERE project_id = p.id)
          AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.project_id = p.id AND ${isQueued}) AS has
      FROM projects p, (SELECT ${slots.concurrentJobs}::int - count(*)::int AS free FROM taken) overall
      WHERE p.id = ${job.projectId}
    ), reserved AS (${RESERVE} FROM found WHERE jobs.id = ${job.id} AND has AND NOT waits)
    SELECT *, CASE WHEN waits OR NOT has THEN pg_advisory_xact_lock(${queueLock(job.projectId)})::text END FROM found`);
  const [found] = rows;
  // Jobs of other projects that are next come first.
  const has = found?.has && (!found.waits || found.free > (await findNextInQueue(tx, slots)).length);
  if (!has) return { ...job, ...(await putAtEnd(tx, job, true)) };
  if (found.waits) await tx.execute(sql`${RESERVE} WHERE id = ${job.id}`);
  return { ...job, queue: null };
}

/**
 * Puts a job at the end of the queue, unless it is queued.
 * @returns whether it is new there
 * @throws Expected `slots_busy`
 */
export async function enqueue(tx: Queryable, job: Queueable): Promise<boolean> {
  if (job.queueNo !== null) return false;
  const { rows } = await tx.execute<{ locked: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(${queueLock(job.projectId)}) AS locked`,
  );
  if (!rows[0]?.locked) throw new Expected('slots_busy', 'Another job of the project enters the queue.');
  await putAtEnd(tx, job, false);
  return true;
}

/**
 * After all jobs of its project, and among projects by the database's clock. Under the project's lock, so that
 * no job overtakes it later: a position only falls.
 * @param isNoted adds the event in the same statement
 */
async function putAtEnd(
  tx: Queryable,
  { id, projectId }: Queueable,
  isNoted: boolean,
): Promise<{ queueNo: number; queue: QueuePosition }> {
  const { rows } = await tx.execute<{ no: string; ahead: number }>(sql`
    WITH waiting AS (SELECT count(*)::int AS ahead FROM jobs WHERE project_id = ${projectId} AND ${isQueued}),
    queued AS (
      UPDATE jobs SET last_event_no = last_event_no + ${isNoted ? 1 : 0}, updated_at = now(), queue_no = greatest(
        (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
        (SELECT max(o.queue_no) + 1 FROM jobs o WHERE o.project_id = ${projectId} AND o.queue_no IS NOT NULL))
      WHERE id = ${id} RETURNING id, queue_no AS no, last_event_no
    ), event AS (${EVENT} WHERE ${isNoted})
    SELECT no, ahead FROM queued CROSS JOIN waiting`);
  const [queued] = rows;
  if (!queued) throw new Error(`Job ${id} was deleted while it was accepted.`);
  return { queueNo: Number(queued.no), queue: { position: queued.ahead + 1 } };
}

/** Adds the event that a job, the last one of its project's queue, waits. */
export async function noteQueued(tx: Queryable, { id, projectId }: Queueable): Promise<void> {
  await tx.execute(sql`
    WITH waiting AS (SELECT count(*)::int - 1 AS ahead FROM jobs WHERE project_id = ${projectId} AND ${isQueued}),
    queued AS (
      UPDATE jobs SET last_event_no = last_event_no + 1, updated_at = now() WHERE id = ${id} RETURNING id, last_event_no
    ) ${EVENT}`);
}

/** A statement that adds the event, given the parts `queued` and `waiting`. */
const EVENT = sql.raw(`
  INSERT INTO job_events (job_id, no, type, text) SELECT id, last_event_no, 'queued', CASE ahead
    WHEN 0 THEN 'Queued: next in this project.'
    WHEN 1 THEN 'Queued: 1 job of this project ahead.'
    ELSE format('Queued: %s jobs of this project ahead.', ahead) END
  FROM queued CROSS JOIN waiting`);

/** The position of a waiting job. */
export interface QueuePosition {
  /** 1 is the next of its project. It only falls. */
  position: number;
}

/** Queue positions of those of these jobs that wait. Makes no query if none waits. */
export async function positionsOf(
  q: Queryable,
  rows: readonly Pick<JobRow, 'id' | 'queueNo' | 'status'>[],
): Promise<Map<string, QueuePosition>> {
  const ids = rows.filter(({ queueNo, status }) => queueNo !== null && status === 'active').map(({ id }) => id);
  return ids.length === 0 ? new Map() : readPositions(q, ids);
}

/** Positions as they are now, whatever was known of the jobs. A job that does not wait has none. */
export async function readPositions(q: Queryable, ids: readonly string[]): Promise<Map<string, QueuePosition>> {
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
