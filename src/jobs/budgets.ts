import { eq, sql } from 'drizzle-orm';
import type { Queryable } from '../store/database.ts';
import type { CallAt, CallUsage } from '../store/jobs/model-calls.ts';
import { jobs, modelCalls, type Budgets } from '../store/schema.ts';
import { enqueueWebhooks } from '../store/webhooks/webhook-outbox.ts';

export type BudgetVerdict =
  | { kind: 'go' }
  /** Other jobs' answers are under way that may use up the budget: it is decided when they are there. */
  | { kind: 'wait' }
  | { kind: 'spent'; budget: keyof Budgets; limit: number };

/** When an unfinished call is forgotten: longer than any activity runs. */
const RESERVED_FOR = sql`interval '20 minutes'`;
const NANO = 1_000_000_000;

/**
 * Whether a job may ask its model again; reserves the expected amount. Parallel jobs exceed the daily budget
 * by one answer at most. A repeat replaces its reservation.
 */
export async function reserveCall(
  tx: Queryable,
  at: CallAt,
  expected: CallUsage,
  budgets: Budgets,
): Promise<BudgetVerdict> {
  const verdict = await reserve(tx, at, expected, budgets);
  if (verdict.kind === 'spent') await recordBudgetEvent(tx, at, verdict);
  return verdict;
}

/** A job's budget is reached once for each amount, and a day's once a day. */
async function recordBudgetEvent(
  tx: Queryable,
  { projectId, jobId }: CallAt,
  { budget, limit }: Extract<BudgetVerdict, { kind: 'spent' }>,
): Promise<void> {
  const [job] = await tx.select().from(jobs).where(eq(jobs.id, jobId));
  const isOfDay = budget === 'dayTokens' || budget === 'dayUsd';
  const of = isOfDay ? new Date().toISOString().slice(0, 10) : jobId;
  const data = { budget: { name: budget, limit }, ...(job ? { job } : {}) };
  await enqueueWebhooks(tx, 'budget.reached', { projectId, jobId }, data, `budget ${budget} ${of} ${limit}`);
}

async function reserve(tx: Queryable, at: CallAt, expected: CallUsage, budgets: Budgets): Promise<BudgetVerdict> {
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
