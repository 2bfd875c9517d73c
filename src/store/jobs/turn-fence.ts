import { and, eq, sql, type SQL } from 'drizzle-orm';
import { Failure } from '@docent/base/failure';
import type { Db, Queryable } from '../database.ts';
import { turns, type Outcome, type TurnState } from '../schema.ts';

export type TurnRow = typeof turns.$inferSelect;

/** An attempt's hold on a running turn: all its writes are conditional on it. */
export type TurnClaim = Pick<TurnRow, 'jobId' | 'no' | 'fence'>;

/** The turn has ended or another attempt has taken over: the caller must write nothing and stop. */
export function turnSuperseded(jobId: string, turnNo: number, message?: string): Failure {
  const usual = `Turn ${turnNo} of job ${jobId} has ended or was taken over by a later attempt.`;
  return new Failure(message ?? usual, { code: 'TurnSuperseded', attempts: 1 });
}

export const isSuperseded = (err: unknown): boolean => err instanceof Failure && err.retry.code === 'TurnSuperseded';

/** The rows lack what the workflow did, as after a restore: it must read them again. */
export function rowsBehind(jobId: string, turnNo: number): Failure {
  return turnSuperseded(
    jobId,
    turnNo,
    `The database has an older state of turn ${turnNo} of job ${jobId} than its workflow, because it was ` +
      'restored or failed over. The turn continues from the database.',
  );
}

/** Below 2^52, so that it is exact as a JavaScript number; adding one yields other values. */
const NEW_FENCE = sql`floor(random() * 4503599627370496)::bigint`;

/**
 * A statement that claims a running turn for an attempt and returns its row. Fences earlier attempts.
 * @param when claims nothing unless it holds
 */
export function claiming(q: Db | Queryable, at: { jobId: string; turnNo: number }, when?: SQL) {
  return q
    .update(turns)
    .set({ fence: NEW_FENCE })
    .where(and(eq(turns.jobId, at.jobId), eq(turns.no, at.turnNo), eq(turns.state, 'running'), when))
    .returning();
}

/** @throws TurnSuperseded when the turn is no longer running */
export async function claimTurn(q: Queryable, jobId: string, turnNo: number): Promise<TurnRow> {
  const [turn] = await claiming(q, { jobId, turnNo });
  if (!turn) throw turnSuperseded(jobId, turnNo);
  return turn;
}

/** A condition on `turns`: the attempt still holds its turn. */
export function isHeld(claim: TurnClaim): SQL {
  return sql`(turns.job_id = ${claim.jobId} AND turns.no = ${claim.no}
    AND turns.state = 'running' AND turns.fence = ${claim.fence})`;
}

/** The same, and prevents a takeover until the transaction or, outside one, the statement ends. */
export function holds(claim: TurnClaim): SQL {
  return sql`EXISTS (SELECT 1 FROM turns WHERE ${isHeld(claim)} FOR UPDATE)`;
}

/**
 * Updates the turn if this attempt holds it, and locks it for the attempt's transaction.
 * @throws TurnSuperseded
 */
export async function updateClaimedTurn(
  tx: Queryable,
  claim: TurnClaim,
  set: Partial<Omit<TurnRow, 'fence'>>,
): Promise<TurnRow> {
  const [turn] = await tx
    .update(turns)
    .set({ ...set, fence: claim.fence })
    .where(isHeld(claim))
    .returning();
  if (!turn) throw turnSuperseded(claim.jobId, claim.no);
  return turn;
}

/** Locks the running turn. Call it before locking the job: the opposite order deadlocks (40P01). */
export async function holdRunningTurn(tx: Queryable, jobId: string): Promise<void> {
  await tx.execute(sql`SELECT FROM turns WHERE job_id = ${jobId} AND state = 'running' FOR UPDATE`);
}

/** Ends the running turn and fences its attempts. @returns whether there was one */
export async function closeRunningTurn(
  tx: Queryable,
  jobId: string,
  ending: {
    state: Exclude<TurnState, 'running'>;
    summary?: string | null;
    outcome?: Outcome | null;
    error?: { code: string; message: string } | null;
  },
): Promise<boolean> {
  const { state, summary = null, error } = ending;
  const closed = await tx
    .update(turns)
    .set({
      state,
      summary,
      outcome: ending.outcome ?? null,
      errorCode: error?.code ?? null,
      errorMessage: error?.message ?? null,
      fence: sql`${turns.fence} + 1`,
      endedAt: new Date(),
      answeredAfter: sql`(SELECT last_message_no FROM jobs WHERE id = ${jobId})`,
    })
    .where(and(eq(turns.jobId, jobId), eq(turns.state, 'running')))
    .returning({ no: turns.no });
  return closed.length > 0;
}
