import { and, asc, eq, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { modelCalls } from '../schema.ts';
import { isHeld, type TurnClaim } from './turn-fence.ts';

export type ModelCallRow = typeof modelCalls.$inferSelect;

/** One answer of a model in the course of a job. */
export interface CallAt {
  jobId: string;
  turnNo: number;
  stepNo: number;
  projectId: string;
  model: string;
}

/** The actual or expected usage of an answer. */
export interface CallUsage {
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  /** Null if the model's price is not known. */
  costNanoUsd: number | null;
}

/** Releases the budget reserved for an answer that will not come. */
export async function releaseCalls(tx: Queryable, jobId: string): Promise<void> {
  await tx.delete(modelCalls).where(and(eq(modelCalls.jobId, jobId), eq(modelCalls.state, 'reserved')));
}

/** The usage of each answer of a job, in order. */
export function listCalls(q: Queryable, jobId: string): Promise<ModelCallRow[]> {
  return q
    .select()
    .from(modelCalls)
    .where(and(eq(modelCalls.jobId, jobId), eq(modelCalls.state, 'done')))
    .orderBy(asc(modelCalls.turnNo), asc(modelCalls.stepNo));
}

/** The usage of several answers. */
export interface UsageSums {
  modelCalls: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  /** Of the answers with a known price. */
  costNanoUsd: number;
  unpricedCalls: number;
}

export interface DayUsage extends UsageSums {
  /** A day of UTC, `2026-11-21`. */
  day: string;
  jobs: number;
}

/** Usage by UTC day in [from, to), without empty days. Of deleted jobs, whole hours that begin within. */
export async function usageByDay(
  q: Queryable,
  projectId: string,
  from: Date | null,
  to: Date | null,
): Promise<DayUsage[]> {
  const { rows } = await q.execute<Record<keyof DayUsage, string>>(sql`
    SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS "day", count(DISTINCT job_id) + coalesce(sum(jobs), 0) AS "jobs",
           sum(calls) AS "modelCalls", sum(input_tokens) AS "inputTokens", sum(cached_input_tokens) AS "cachedInputTokens",
           sum(output_tokens) AS "outputTokens", coalesce(sum(cost_nano_usd), 0) AS "costNanoUsd", sum(unpriced) AS "unpricedCalls"
    FROM (
      SELECT created_at AS at, job_id, NULL::int AS jobs, 1 AS calls, input_tokens, cached_input_tokens, output_tokens, cost_nano_usd,
             (cost_nano_usd IS NULL)::int AS unpriced
      FROM model_calls WHERE project_id = ${projectId} AND state = 'done'
      UNION ALL
      SELECT hour, NULL, jobs, model_calls, input_tokens, cached_input_tokens, output_tokens, cost_nano_usd, unpriced_calls
      FROM removed_usage WHERE project_id = ${projectId}
    ) AS used
    WHERE (${from}::timestamptz IS NULL OR at >= ${from}) AND (${to}::timestamptz IS NULL OR at < ${to})
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
export async function showProgress(q: Queryable, claim: TurnClaim, progress: string | null): Promise<void> {
  await q.execute(sql`
    UPDATE jobs SET progress = ${progress}
    WHERE id = ${claim.jobId} AND EXISTS (SELECT 1 FROM turns WHERE ${isHeld(claim)})`);
}
