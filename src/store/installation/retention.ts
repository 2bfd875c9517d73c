import { sql, type SQL } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import { removedUsage, RETENTION_RULES, retentionRuns, type RetentionRule } from './retention-schema.ts';
import { ARCHIVED, HAS_EVENTS, HAS_TRANSCRIPT } from '../schema.ts';

/*
 * Deletes expired data. Each function does one batch in its own transaction, so locks are short, and a crash
 * leaves whole batches. All are safe to repeat and to run in parallel: locked rows are skipped, and found the
 * next time. Days count from the archiving of the job, by the database's clock.
 */

/** Jobs of one batch: each may have thousands of rows. */
const JOBS_AT_ONCE = 100;
/** The most waiting rows that are counted. */
export const MOST_COUNTED = 10_000;

const olderThan = (days: number): SQL => sql`archived_at < now() - make_interval(days => ${days})`;

/** Nothing of such a job is running: its workflow knows that it is archived, and no turn runs. */
const AT_REST = sql.raw(`status = 'archived' AND NOT signal_pending
  AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.job_id = jobs.id AND t.state = 'running')
  AND NOT EXISTS (SELECT 1 FROM publish_leases l WHERE l.job_id = jobs.id AND l.until > now())`);
/** While its pull request is open, someone may ask why it is as it is. */
const NOTHING_OPEN = sql.raw(
  `NOT EXISTS (SELECT 1 FROM pull_requests p WHERE p.job_id = jobs.id AND p.state = 'open')`,
);

interface Taken extends Record<string, unknown> {
  project_id: string;
  id: string;
  /** As PostgreSQL writes it. */
  archived_at: string;
}

/** The result of one batch. `next`: where the next one begins; null after the last. */
export interface Batch {
  removed: number;
  next: { archivedAt: string; id: string } | null;
}

type Place = Batch['next'];
const NONE: Batch = { removed: 0, next: null };

/** The condition of a rule's index, and additional conditions. */
const DUE = {
  jobs: { from: ARCHIVED, when: sql`${AT_REST} AND ${NOTHING_OPEN}` },
  transcripts: { from: HAS_TRANSCRIPT, when: AT_REST },
  job_events: { from: HAS_EVENTS, when: AT_REST },
} as const;

/** The longest archived first, checked again under a lock: a job may have been unarchived. */
async function takeBatch(tx: Queryable, rule: keyof typeof DUE, days: number, after: Place): Promise<Taken[]> {
  const { from, when } = DUE[rule];
  const beyond = after
    ? sql`AND (archived_at, id) > (${after.archivedAt}::timestamptz, ${after.id}::text)`
    : sql.raw('');
  const { rows } = await tx.execute<Taken>(sql`
    SELECT id, project_id, archived_at::text AS archived_at FROM jobs WHERE ${from} AND ${olderThan(days)} AND ${when} ${beyond}
    ORDER BY jobs.archived_at, id LIMIT ${JOBS_AT_ONCE} FOR UPDATE SKIP LOCKED`);
  return rows;
}

/** Deletes one batch of a rule, with its count and its audit log entry, in one transaction. */
function removeBatch(
  q: Queryable,
  rule: keyof typeof DUE,
  { days, after }: { days: number; after: Place },
  remove: (tx: Queryable, ids: SQL) => Promise<void>,
): Promise<Batch> {
  return q.transaction(async (tx) => {
    const taken = await takeBatch(tx, rule, days, after);
    const last = taken.at(-1);
    if (!last) return NONE;
    await remove(tx, sql`${sql.param(taken.map(({ id }) => id))}::text[]`);
    const ofProject = [...Map.groupBy(taken, (row) => row.project_id)].map(([id, rows]) => [id, rows.length] as const);
    await noteRemoval(tx, OPERATIONS[rule], days, ofProject);
    await countRemoved(tx, rule, taken.length);
    const next = taken.length < JOBS_AT_ONCE ? null : { archivedAt: last.archived_at, id: last.id };
    return { removed: taken.length, next };
  });
}

/** A batch of jobs with everything but pull requests, which stay as long as the project. */
export function removeOldJobs(q: Queryable, at: { days: number; after: Place }): Promise<Batch> {
  return removeBatch(q, 'jobs', at, async (tx, ids) => {
    await tx.execute(sql`
      INSERT INTO ${removedUsage} AS u (project_id, hour, jobs, model_calls, input_tokens, cached_input_tokens, output_tokens, cost_nano_usd, unpriced_calls)
      SELECT project_id, hour, sum(is_first), count(*), sum(input_tokens), sum(cached_input_tokens), sum(output_tokens),
             coalesce(sum(cost_nano_usd), 0), count(*) FILTER (WHERE cost_nano_usd IS NULL)
      FROM (
        SELECT c.*, date_trunc('hour', created_at, 'UTC') AS hour,
               (row_number() OVER (PARTITION BY job_id, date_trunc('day', created_at, 'UTC') ORDER BY created_at, turn_no, step_no) = 1)::int AS is_first
        FROM model_calls c WHERE job_id = ANY(${ids}) AND state = 'done'
      ) calls
      GROUP BY project_id, hour
      ON CONFLICT (project_id, hour) DO UPDATE SET
        jobs = u.jobs + excluded.jobs, model_calls = u.model_calls + excluded.model_calls, input_tokens = u.input_tokens + excluded.input_tokens,
        cached_input_tokens = u.cached_input_tokens + excluded.cached_input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
        cost_nano_usd = u.cost_nano_usd + excluded.cost_nano_usd, unpriced_calls = u.unpriced_calls + excluded.unpriced_calls`);
    // Rows that name a job without a foreign key. The others are deleted with its row.
    await tx.execute(sql`DELETE FROM webhooks WHERE job_id = ANY(${ids})`);
    await tx.execute(sql`DELETE FROM live_texts WHERE job_id = ANY(${ids})`);
    await tx.execute(sql`DELETE FROM jobs WHERE id = ANY(${ids})`);
  });
}

/** A batch of model outputs and tool results. Jobs, messages, summaries and diffs stay. */
export function removeOldTranscripts(q: Queryable, at: { days: number; after: Place }): Promise<Batch> {
  return removeBatch(q, 'transcripts', at, async (tx, ids) => {
    await tx.execute(sql`DELETE FROM transcript WHERE job_id = ANY(${ids})`);
    await tx.execute(sql`UPDATE jobs SET transcript_removed_at = now() WHERE id = ANY(${ids})`);
  });
}

/** A batch of events, but not a job's last one, by which followers find the end. */
export function removeOldEvents(q: Queryable, at: { days: number; after: Place }): Promise<Batch> {
  return removeBatch(q, 'job_events', at, async (tx, ids) => {
    await tx.execute(sql`
      DELETE FROM job_events e USING jobs j WHERE j.id = ANY(${ids}) AND e.job_id = j.id AND e.no < j.last_event_no`);
    await tx.execute(sql`UPDATE jobs SET events_removed_at = now() WHERE id = ANY(${ids})`);
  });
}

/** Entries that are deleted together. */
const ENTRIES_AT_ONCE = 5_000;

/** A batch of audit log entries. The deletion adds one of its own. */
export function removeOldAudit(q: Queryable, { days }: { days: number }): Promise<Batch> {
  return q.transaction(async (tx) => {
    const { rows } = await tx.execute<{ at: string; id: string }>(sql`
      DELETE FROM audit_log WHERE id IN (
        SELECT id FROM audit_log WHERE at < now() - make_interval(days => ${days}) ORDER BY at, id LIMIT ${ENTRIES_AT_ONCE} FOR UPDATE SKIP LOCKED)
      RETURNING at::text AS at, id`);
    const last = rows.at(-1);
    if (!last) return NONE;
    await noteRemoval(tx, 'removeAuditEntries', days, [[null, rows.length]]);
    await countRemoved(tx, 'audit_log', rows.length);
    const next = rows.length < ENTRIES_AT_ONCE ? null : { archivedAt: last.at, id: last.id };
    return { removed: rows.length, next };
  });
}

const OPERATIONS = { jobs: 'removeJobs', transcripts: 'removeTranscripts', job_events: 'removeJobEvents' } as const;

/** Adds an audit entry per project, in the removal's transaction. It names no deleted job. */
async function noteRemoval(
  tx: Queryable,
  operation: string,
  days: number,
  removed: readonly (readonly [project: string | null, count: number])[],
): Promise<void> {
  const requestId = `maintenance-${newId()}`;
  await tx.execute(sql`
    INSERT INTO audit_log (actor_kind, operation, project_id, target, changed, request_id)
    SELECT 'maintenance', ${operation}::text, project_id, jsonb_build_object('removed', removed::text, 'keepDays', ${String(days)}::text), '{}',
           ${requestId}::text
    FROM unnest(${sql.param(removed.map(([project]) => project))}::text[], ${sql.param(removed.map(([, count]) => count))}::int[])
      AS r (project_id, removed)`);
}

/** A worker begins to carry out a rule, or has found why it cannot. @param problem in sentences */
export async function beginRun(
  q: Queryable,
  rule: RetentionRule,
  { keepDays, problem = null }: { keepDays: number | null; problem?: string | null },
): Promise<void> {
  await q.execute(sql`
    INSERT INTO retention_runs (rule, keep_days, problem) VALUES (${rule}, ${keepDays}::int, ${problem}::text)
    ON CONFLICT (rule) DO UPDATE SET keep_days = excluded.keep_days, ran_at = now(), removed = 0, problem = excluded.problem`);
}

async function countRemoved(tx: Queryable, rule: RetentionRule, removed: number): Promise<void> {
  await tx.execute(sql`
    INSERT INTO retention_runs AS r (rule, removed, removed_in_all) VALUES (${rule}, ${removed}::bigint, ${removed}::bigint)
    ON CONFLICT (rule) DO UPDATE SET ran_at = now(), removed = r.removed + excluded.removed,
      removed_in_all = r.removed_in_all + excluded.removed_in_all`);
}

type RetentionRun = typeof retentionRuns.$inferSelect;

export interface RetentionState extends RetentionRun {
  /** Expired data that still exists, {@link MOST_COUNTED} at most; null if it is not counted. */
  waiting: number | null;
  /** Of `jobs`: expired ones that stay because of an open pull request, among the longest archived. */
  held: number | null;
}

/** The state of each rule. Rules that never ran are left out. */
export async function readRetention(q: Queryable): Promise<RetentionState[]> {
  const states: RetentionState[] = [];
  for (const run of await q.select().from(retentionRuns)) states.push({ ...run, ...(await waitingFor(q, run)) });
  return RETENTION_RULES.flatMap((rule) => states.filter((state) => state.rule === rule));
}

async function waitingFor(
  q: Queryable,
  { rule, keepDays }: RetentionRun,
): Promise<Pick<RetentionState, 'waiting' | 'held'>> {
  if (rule === 'temporal') return { waiting: null, held: null };
  if (keepDays === null) return { waiting: 0, held: rule === 'jobs' ? 0 : null };
  const [found, held] =
    rule === 'audit_log'
      ? [sql`SELECT false AS held FROM audit_log WHERE at < now() - make_interval(days => ${keepDays})`, null]
      : [
          sql`SELECT ${rule === 'jobs' ? sql`NOT ${NOTHING_OPEN}` : sql`false`} AS held FROM jobs
              WHERE ${DUE[rule].from} AND ${olderThan(keepDays)} ORDER BY archived_at, id`,
          rule === 'jobs' ? 0 : null,
        ];
  const { rows } = await q.execute<{ waiting: number; held: number }>(sql`
    SELECT count(*) FILTER (WHERE NOT held)::int AS waiting, count(*) FILTER (WHERE held)::int AS held
    FROM (${found} LIMIT ${MOST_COUNTED}) due`);
  return { waiting: rows[0]?.waiting ?? 0, held: held === null ? null : (rows[0]?.held ?? 0) };
}
