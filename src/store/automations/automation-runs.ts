import { and, desc, eq, inArray, ne, sql, type SQL } from 'drizzle-orm';
import { AppError } from '../../platform/errors.ts';
import {
  automationRuns,
  OPEN_RUN,
  type CodeHeads,
  type GatheredCode,
  type RunCause,
  type RunMaterial,
  type RunUsage,
  type SkipReason,
} from './automation-schema.ts';
import type { RunStatus } from '../../config/automation-values.ts';
import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import { jobs, pullRequests } from '../schema.ts';

export type RunRow = typeof automationRuns.$inferSelect;

interface AutomationAt {
  projectId: string;
  id: string;
}

export interface NewRun {
  no: number | null;
  status: RunStatus;
  skippedBecause?: SkipReason;
  cause: RunCause;
  jobId?: string;
  summary?: string | null;
  material?: RunMaterial | null;
}

const ofAutomation = ({ projectId, id }: AutomationAt) =>
  and(eq(automationRuns.projectId, projectId), eq(automationRuns.automationId, id));

/**
 * In the transaction that has locked the automation.
 * @returns null if an earlier run began with the same event
 */
export async function insertRun(tx: Queryable, at: AutomationAt, run: NewRun): Promise<RunRow | null> {
  const { source, deliveryId } = run.cause;
  const [row] = await tx
    .insert(automationRuns)
    .values({
      ...run,
      id: newId(),
      projectId: at.projectId,
      automationId: at.id,
      source,
      deliveryId,
      createdAt: sql`clock_timestamp()`,
      ...(run.status === 'running' ? { startedAt: sql`clock_timestamp()` } : {}),
      ...(run.status === 'skipped' ? { endedAt: sql`clock_timestamp()` } : {}),
    })
    .onConflictDoNothing()
    .returning();
  return row ?? null;
}

/** Newest first; `before` is the last row of the previous page. */
export function listRuns(
  q: Queryable,
  at: AutomationAt & {
    status?: RunStatus | undefined;
    limit: number;
    before?: { createdAt: Date; id: string } | undefined;
  },
): Promise<RunRow[]> {
  const { before, status } = at;
  return q
    .select()
    .from(automationRuns)
    .where(
      and(
        ofAutomation(at),
        status && eq(automationRuns.status, status),
        before && sql`(${automationRuns.createdAt}, ${automationRuns.id}) < (${before.createdAt}, ${before.id})`,
      ),
    )
    .orderBy(desc(automationRuns.createdAt), desc(automationRuns.id))
    .limit(at.limit);
}

/** @throws AppError `run_not_found` */
export async function findRun(q: Queryable, at: AutomationAt, runId: string): Promise<RunRow> {
  const [row] = await q
    .select()
    .from(automationRuns)
    .where(and(ofAutomation(at), eq(automationRuns.id, runId)));
  if (row) return row;
  throw new AppError(
    'run_not_found',
    `The automation ${at.id} has no run ${runId}. \`docent automation runs\` lists them.`,
  );
}

/** The newest run in this status; with `null`, in any. */
export async function newestRun(q: Queryable, at: AutomationAt, status: RunStatus | null): Promise<RunRow | null> {
  const [row] = await q
    .select()
    .from(automationRuns)
    .where(and(ofAutomation(at), status === null ? undefined : eq(automationRuns.status, status)))
    .orderBy(desc(automationRuns.createdAt), desc(automationRuns.id))
    .limit(1);
  return row ?? null;
}

/** The newest run that was not skipped, and how many of them there were on this day of UTC. */
export async function runsToday(q: Queryable, at: AutomationAt): Promise<{ today: number; lastAt: Date | null }> {
  const [found] = await q
    .select({
      today: sql<number>`(count(*) FILTER (WHERE ${automationRuns.createdAt} >= date_trunc('day', now(), 'UTC')))::int`,
      lastAt: sql<string | null>`max(${automationRuns.createdAt})`,
    })
    .from(automationRuns)
    .where(and(ofAutomation(at), ne(automationRuns.status, 'skipped')));
  return { today: found?.today ?? 0, lastAt: found?.lastAt ? new Date(found.lastAt) : null };
}

/** When the last run that came to a result ended; null before the first. */
export async function lastCompletedAt(q: Queryable, at: AutomationAt): Promise<Date | null> {
  const [row] = await q
    .select({ endedAt: automationRuns.endedAt })
    .from(automationRuns)
    .where(and(ofAutomation(at), inArray(automationRuns.status, ['review_needed', 'accepted', 'no_action'])))
    .orderBy(desc(automationRuns.createdAt))
    .limit(1);
  return row?.endedAt ?? null;
}

/** One more event became part of a run. */
export async function addEventToRun(tx: Queryable, id: string): Promise<void> {
  await tx
    .update(automationRuns)
    .set({ events: sql`${automationRuns.events} + 1` })
    .where(eq(automationRuns.id, id));
}

/** Automations with a queued run that is due, and none that runs. */
const startable = (limit: number): SQL => sql`
    SELECT project_id, automation_id FROM automation_runs r
    WHERE status = 'queued' AND ${OPEN_RUN} AND due_at <= now() AND NOT EXISTS (
      SELECT 1 FROM automation_runs other WHERE other.project_id = r.project_id AND other.automation_id = r.automation_id
        AND other.status = 'running')
    ORDER BY due_at LIMIT ${limit}`;

export async function listStartable(q: Queryable, limit: number): Promise<AutomationAt[]> {
  const { rows } = await q.execute<{ project_id: string; automation_id: string }>(startable(limit));
  return rows.map(({ project_id: projectId, automation_id: id }) => ({ projectId, id }));
}

/** A queued run has its job. */
export async function startRun(
  tx: Queryable,
  id: string,
  { no, jobId, material }: { no: number; jobId: string; material: RunMaterial | null },
): Promise<void> {
  await tx
    .update(automationRuns)
    .set({ status: 'running', no, jobId, material, startedAt: sql`clock_timestamp()` })
    .where(eq(automationRuns.id, id));
}

/** Runs whose code must still be read, because none or not all of their events were included. */
export async function listUngathered(q: Queryable, limit: number): Promise<AutomationAt[]> {
  const { rows } = await q.execute<{ project_id: string; automation_id: string }>(sql`
    SELECT r.project_id, r.automation_id FROM automation_runs r
      JOIN automations a ON a.project_id = r.project_id AND a.id = r.automation_id
    WHERE r.status = 'queued' AND ${sql.raw(`r.status IN ('queued', 'running', 'review_needed')`)} AND r.due_at <= now()
      AND a.trigger ->> 'type' = 'code' AND (r.gathered ->> 'events')::int IS DISTINCT FROM r.events
      AND NOT EXISTS (SELECT 1 FROM automation_runs other WHERE other.project_id = r.project_id
        AND other.automation_id = r.automation_id AND other.status = 'running')
    ORDER BY r.due_at LIMIT ${limit}`);
  return rows.map(({ project_id: projectId, automation_id: id }) => ({ projectId, id }));
}

/** The code was read for a run. Does nothing if it has started, or more events joined it in the meantime. */
export async function saveGathered(
  q: Queryable,
  id: string,
  found: { since: CodeHeads; until: CodeHeads; gathered: GatheredCode },
): Promise<void> {
  const { status, events } = automationRuns;
  await q
    .update(automationRuns)
    .set(found)
    .where(and(eq(automationRuns.id, id), eq(status, 'queued'), eq(events, found.gathered.events)));
}

/**
 * Skips a queued run that concerns no change: its number stays unused. Returns whether it was still queued,
 * with the same number of events.
 */
export async function skipQueuedRun(
  tx: Queryable,
  id: string,
  { events, summary, until }: { events: number; summary: string; until: CodeHeads },
): Promise<boolean> {
  const changed = await tx
    .update(automationRuns)
    .set({ status: 'skipped', skippedBecause: 'filtered', no: null, summary, until, endedAt: sql`clock_timestamp()` })
    .where(and(eq(automationRuns.id, id), eq(automationRuns.status, 'queued'), eq(automationRuns.events, events)))
    .returning({ id: automationRuns.id });
  return changed.length > 0;
}

export async function postponeRun(tx: Queryable, id: string, seconds: number): Promise<void> {
  await tx
    .update(automationRuns)
    .set({ dueAt: sql`now() + ${seconds} * interval '1 second'` })
    .where(eq(automationRuns.id, id));
}

/** Runs whose job is idle or deleted. */
const rested = (limit: number): SQL => sql`
    SELECT r.id, r.project_id, r.automation_id FROM automation_runs r LEFT JOIN jobs j ON j.id = r.job_id
    WHERE r.status = 'running' AND ${sql.raw(`r.status IN ('queued', 'running', 'review_needed')`)}
      AND (j.id IS NULL OR j.status <> 'active')
    ORDER BY r.started_at LIMIT ${limit}`;

export async function listRested(q: Queryable, limit: number): Promise<(AutomationAt & { runId: string })[]> {
  const { rows } = await q.execute<{ id: string; project_id: string; automation_id: string }>(rested(limit));
  return rows.map(({ id: runId, project_id: projectId, automation_id: id }) => ({ projectId, id, runId }));
}

/** A run that runs, locked; null if it ended in the meantime. */
export async function lockRunning(tx: Queryable, id: string): Promise<RunRow | null> {
  const [row] = await tx
    .select()
    .from(automationRuns)
    .where(and(eq(automationRuns.id, id), eq(automationRuns.status, 'running')))
    .for('update');
  return row ?? null;
}

export async function endRun(
  tx: Queryable,
  id: string,
  end: { status: RunStatus; summary: string | null; pullRequestId?: string | null; usage?: RunUsage | null },
): Promise<void> {
  await tx
    .update(automationRuns)
    .set({ ...end, endedAt: sql`clock_timestamp()` })
    .where(eq(automationRuns.id, id));
}

/** A job's model usage since this time. */
export async function usageSince(q: Queryable, jobId: string, since: Date): Promise<RunUsage> {
  const { rows } = await q.execute<{
    calls: number;
    input: string;
    cached: string;
    output: string;
    cost: string;
    unpriced: number;
  }>(sql`
    SELECT count(*)::int AS calls, coalesce(sum(input_tokens), 0) AS input, coalesce(sum(cached_input_tokens), 0) AS cached,
      coalesce(sum(output_tokens), 0) AS output, coalesce(sum(cost_nano_usd), 0) AS cost,
      (count(*) FILTER (WHERE cost_nano_usd IS NULL))::int AS unpriced
    FROM model_calls WHERE job_id = ${jobId} AND state = 'done' AND created_at >= ${since.toISOString()}::timestamptz`);
  const [row] = rows;
  if (!row) throw new Error('A sum has no row.');
  return {
    modelCalls: row.calls,
    inputTokens: Number(row.input),
    cachedInputTokens: Number(row.cached),
    outputTokens: Number(row.output),
    costUsd: row.unpriced > 0 ? null : Number(row.cost) / 1e9,
  };
}

/** A run that waits for a review, and whose pull request has ended. */
const REVIEW_ENDED = sql.raw("r.status = 'review_needed' AND p.id = r.pull_request_id AND p.state <> 'open'");

/** Queries that find rows if a run is to be started or ended, or its pull request has ended. */
export function runsToChange(): SQL[] {
  const reviewed = sql`SELECT 1 FROM automation_runs r, pull_requests p WHERE ${REVIEW_ENDED}`;
  return [rested(1), startable(1), reviewed];
}

/**
 * Runs that wait for a review follow their pull request: merged, they are accepted. Closed, they have not dealt
 * with their code, and the next run sees it again. Safe to repeat.
 */
export async function followPullRequests(q: Queryable): Promise<void> {
  await q.execute(sql`
    WITH ended AS (
      UPDATE automation_runs r SET status = CASE p.state WHEN 'merged' THEN 'accepted' ELSE 'closed' END
      FROM pull_requests p
      WHERE ${REVIEW_ENDED}
      RETURNING r.project_id, r.automation_id, r.status, r.since, r.until, r.created_at
    ), back AS (
      SELECT e.project_id, e.automation_id, u.key, (array_agg(u.value ORDER BY e.created_at DESC))[1] AS until,
        (array_agg(e.since -> u.key ORDER BY e.created_at) FILTER (WHERE e.since -> u.key IS NOT NULL))[1] AS since
      FROM ended e CROSS JOIN jsonb_each(e.until) u WHERE e.status = 'closed' GROUP BY 1, 2, 3
    ), heads AS (
      SELECT b.project_id, b.automation_id, jsonb_object_agg(b.key, b.since) AS heads
      FROM back b JOIN automations a ON a.project_id = b.project_id AND a.id = b.automation_id
      WHERE b.since IS NOT NULL AND a.code_heads -> b.key = b.until GROUP BY 1, 2
    )
    UPDATE automations a SET code_heads = a.code_heads || h.heads FROM heads h
    WHERE a.project_id = h.project_id AND a.id = h.automation_id`);
}

/**
 * The job whose open pull request the next run continues: that of the automation's newest pull request; null
 * without one.
 */
export async function findOpenJob(q: Queryable, at: AutomationAt, ref: string | undefined): Promise<string | null> {
  const [row] = await q
    .select({ jobId: jobs.id })
    .from(automationRuns)
    .innerJoin(jobs, eq(jobs.id, automationRuns.jobId))
    .innerJoin(pullRequests, eq(pullRequests.jobId, jobs.id))
    .where(
      and(
        ofAutomation(at),
        ne(jobs.status, 'archived'),
        // A job that used up its budget cannot continue, and one on another base branch is about something
        // else.
        sql`${jobs.errorCode} IS DISTINCT FROM 'budget_job'`,
        sql`${jobs.options} ->> 'ref' IS NOT DISTINCT FROM ${ref ?? null}::text`,
        eq(pullRequests.state, 'open'),
        sql`NOT EXISTS (SELECT 1 FROM pull_requests later WHERE later.job_id = ${jobs.id} AND later.chain_no > ${pullRequests.chainNo})`,
      ),
    )
    .orderBy(desc(automationRuns.createdAt))
    .limit(1);
  return row?.jobId ?? null;
}

/** The runs that a job carried out, oldest first. */
export function listRunsOfJob(
  q: Queryable,
  jobId: string,
): Promise<Pick<RunRow, 'no' | 'cause' | 'createdAt' | 'events'>[]> {
  const { no, cause, createdAt, events } = automationRuns;
  return q
    .select({ no, cause, createdAt, events })
    .from(automationRuns)
    .where(eq(automationRuns.jobId, jobId))
    .orderBy(automationRuns.createdAt, automationRuns.id);
}
