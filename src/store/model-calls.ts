import { and, asc, eq, sql } from 'drizzle-orm';
import type { Queryable } from './database.ts';
import { jobs, modelCalls, type Budgets } from './schema.ts';

export type ModelCallRow = typeof modelCalls.$inferSelect;

/** One answer of a model in the course of a job. */
export interface CallAt {
  jobId: string;
  turnNo: number;
  stepNo: number;
  projectId: string;
  model: string;
}

/** What an answer took, or is expected to take. */
export interface CallUsage {
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  /** Null where the model's price is not known. */
  costNanoUsd: number | null;
}

export type BudgetVerdict =
  | { kind: 'go' }
  /** Other jobs' answers are under way that may use up the budget: it is decided when they are there. */
  | { kind: 'wait' }
  | { kind: 'spent'; budget: keyof Budgets; limit: number };

/** A call that nobody finished: longer than any activity runs. */
const RESERVED_FOR = sql`interval '20 minutes'`;
const NANO = 1_000_000_000;

/**
 * Says whether a job may ask its model once more, and reserves the expected amount against the project's day: jobs that run side by
 * side never spend more than the budget and one answer. Repeating it for a step replaces its reservation.
 */
export async function reserveCall(
  tx: Queryable,
  at: CallAt,
  expected: CallUsage,
  budgets: Budgets,
): Promise<BudgetVerdict> {
  const [job] = await tx.select().from(jobs).where(eq(jobs.id, at.jobId));
  const ofJob = { tokens: (job?.inputTokens ?? 0) + (job?.outputTokens ?? 0), nano: job?.costNanoUsd ?? 0 };
  const jobSpent = exceeded({ tokens: ['jobTokens', ofJob.tokens], usd: ['jobUsd', ofJob.nano] }, budgets);
  if (jobSpent) return jobSpent;
  if (budgets.dayTokens === undefined && budgets.dayUsd === undefined) return { kind: 'go' };
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`docent budget ${at.projectId}`}, 0))`);
  const today = await spentToday(tx, at);
  const spent = exceeded({ tokens: ['dayTokens', today.tokens], usd: ['dayUsd', today.nano] }, budgets);
  if (spent) return spent;
  const withOthers = {
    tokens: ['dayTokens', today.tokens + today.reservedTokens] as const,
    usd: ['dayUsd', today.nano + today.reservedNano] as const,
  };
  if (exceeded(withOthers, budgets)) return { kind: 'wait' };
  const values = { ...expected, state: 'reserved' as const, createdAt: sql`now()` };
  await tx
    .insert(modelCalls)
    .values({ ...at, ...values })
    .onConflictDoUpdate({ target: [modelCalls.jobId, modelCalls.turnNo, modelCalls.stepNo], set: values });
  return { kind: 'go' };
}

function exceeded(
  amounts: { tokens: readonly [keyof Budgets, number]; usd: readonly [keyof Budgets, number] },
  budgets: Budgets,
): Extract<BudgetVerdict, { kind: 'spent' }> | null {
  for (const [[budget, amount], unit] of [
    [amounts.tokens, 1],
    [amounts.usd, NANO],
  ] as const) {
    const limit = budgets[budget];
    if (limit !== undefined && amount >= limit * unit) return { kind: 'spent', budget, limit };
  }
  return null;
}

async function spentToday(tx: Queryable, at: CallAt) {
  const others = sql`state = 'reserved' AND created_at > now() - ${RESERVED_FOR} AND job_id <> ${at.jobId}`;
  const { rows } = await tx.execute<Record<'tokens' | 'nano' | 'reserved_tokens' | 'reserved_nano', string>>(sql`
    SELECT coalesce(sum(input_tokens + output_tokens) FILTER (WHERE state = 'done'), 0) AS tokens,
           coalesce(sum(cost_nano_usd) FILTER (WHERE state = 'done'), 0) AS nano,
           coalesce(sum(input_tokens + output_tokens) FILTER (WHERE ${others}), 0) AS reserved_tokens,
           coalesce(sum(cost_nano_usd) FILTER (WHERE ${others}), 0) AS reserved_nano
    FROM model_calls
    WHERE project_id = ${at.projectId} AND created_at >= date_trunc('day', now(), 'UTC')`);
  const [row] = rows;
  return {
    tokens: Number(row?.tokens ?? 0),
    nano: Number(row?.nano ?? 0),
    reservedTokens: Number(row?.reserved_tokens ?? 0),
    reservedNano: Number(row?.reserved_nano ?? 0),
  };
}

/** Gives back what was reserved for an answer that will not come. */
export async function releaseCalls(tx: Queryable, jobId: string): Promise<void> {
  await tx.delete(modelCalls).where(and(eq(modelCalls.jobId, jobId), eq(modelCalls.state, 'reserved')));
}

/** What each answer of a job took, in order. */
export function listCalls(q: Queryable, jobId: string): Promise<ModelCallRow[]> {
  return q
    .select()
    .from(modelCalls)
    .where(and(eq(modelCalls.jobId, jobId), eq(modelCalls.state, 'done')))
    .orderBy(asc(modelCalls.turnNo), asc(modelCalls.stepNo));
}

/** What several answers took together. */
export interface UsageSums {
  modelCalls: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  /** Of the answers whose price is known. */
  costNanoUsd: number;
  unpricedCalls: number;
}

export interface DayUsage extends UsageSums {
  /** A day of UTC, `2026-11-21`. */
  day: string;
  jobs: number;
}

/** What a project's jobs took, by day of UTC, from the first moment on and before the second. Days without are left out. */
export async function usageByDay(
  q: Queryable,
  projectId: string,
  from: Date | null,
  to: Date | null,
): Promise<DayUsage[]> {
  const { rows } = await q.execute<Record<keyof DayUsage, string>>(sql`
    SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS "day", count(DISTINCT job_id) AS "jobs",
           count(*) AS "modelCalls", sum(input_tokens) AS "inputTokens", sum(cached_input_tokens) AS "cachedInputTokens",
           sum(output_tokens) AS "outputTokens", coalesce(sum(cost_nano_usd), 0) AS "costNanoUsd",
           count(*) FILTER (WHERE cost_nano_usd IS NULL) AS "unpricedCalls"
    FROM model_calls
    WHERE project_id = ${projectId} AND state = 'done'
      AND (${from}::timestamptz IS NULL OR created_at >= ${from}) AND (${to}::timestamptz IS NULL OR created_at < ${to})
    GROUP BY 1 ORDER BY 1`);
  return rows.map(({ day, ...sums }) => ({
    day,
    jobs: Number(sums.jobs),
    modelCalls: Number(sums.modelCalls),
    inputTokens: Number(sums.inputTokens),
    cachedInputTokens: Number(sums.cachedInputTokens),
    outputTokens: Number(sums.outputTokens),
    costNanoUsd: Number(sums.costNanoUsd),
    unpricedCalls: Number(sums.unpricedCalls),
  }));
}

/** Shows what the model is doing, while the attempt still holds the turn. Changes nothing else of the job. */
export async function showProgress(
  q: Queryable,
  claim: { jobId: string; no: number; fence: number },
  progress: string | null,
): Promise<void> {
  await q.execute(sql`
    UPDATE jobs SET progress = ${progress} WHERE id = ${claim.jobId} AND EXISTS (
      SELECT 1 FROM turns WHERE job_id = ${claim.jobId} AND no = ${claim.no} AND fence = ${claim.fence} AND state = 'running')`);
}
