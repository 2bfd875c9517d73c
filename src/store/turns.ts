import { and, asc, eq, sql } from 'drizzle-orm';
import type { Queryable } from './database.ts';
import { addEvent } from './job-events.ts';
import { lockJob, updateJob, type JobRow } from './jobs.ts';
import { clearOverlay } from './overlay.ts';
import { releaseCalls } from './model-calls.ts';
import { jobs, messages, turns, type TurnState } from './schema.ts';

export type TurnRow = typeof turns.$inferSelect;
export type MessageRow = typeof messages.$inferSelect;

/** The turn has ended or another attempt has taken over: whoever sees this must write nothing and stop. */
export class TurnOver extends Error {
  constructor(jobId: string, turnNo: number, message?: string) {
    super(message ?? `Turn ${turnNo} of job ${jobId} has ended or was taken over by a later attempt.`);
    this.name = 'TurnOver';
  }
}

/**
 * The rows lack what the workflow has done already: the database was restored, or failed over to one that is behind. The rows are
 * the truth: the workflow has to read again where the turn is, and go on from there.
 */
export class RowsBehind extends TurnOver {
  constructor(jobId: string, turnNo: number) {
    super(
      jobId,
      turnNo,
      `The database knows less of turn ${turnNo} of job ${jobId} than its workflow: it was restored, or failed over. The turn goes on from what the database has.`,
    );
    this.name = 'RowsBehind';
  }
}

export type Opened =
  | { kind: 'turn'; turn: TurnRow; job: JobRow }
  /** Nothing waits. */
  | { kind: 'idle'; job: JobRow }
  | { kind: 'archived'; job: JobRow }
  /** There is no such job (its project was deleted, or the workflow was started by hand). */
  | { kind: 'gone' };

/**
 * The running turn, or a new one if messages wait. A new turn takes what no model has answered to yet and the first `messageLimit`
 * of what waits at once: whatever becomes of it, they are its own and are not tried for ever. Safe to repeat: a turn is opened once.
 */
export async function openTurn(tx: Queryable, jobId: string, messageLimit: number): Promise<Opened> {
  const [job] = await tx.select().from(jobs).where(eq(jobs.id, jobId)).for('update');
  if (!job) return { kind: 'gone' };
  if (job.status === 'archived') return { kind: 'archived', job };
  const running = await findRunningTurn(tx, jobId);
  if (running) return { kind: 'turn', turn: running, job };
  if (!(await hasWaitingMessages(tx, jobId))) return { kind: 'idle', job: await settleIdle(tx, job) };
  const no = job.lastTurnNo + 1;
  const [turn] = await tx
    .insert(turns)
    .values({ jobId, no, commitTime: new Date(Math.floor(Date.now() / 1_000) * 1_000) })
    .returning();
  if (!turn) throw new Error('The inserted turn was not returned.');
  await takeFirstMessages(tx, { jobId, turnNo: no }, messageLimit);
  const updated = await updateJob(tx, jobId, { lastTurnNo: no, cancelRequestedAt: null });
  await addEvent(tx, { jobId, type: 'turn_started', turnNo: no, text: `Turn ${no} begins.` });
  return { kind: 'turn', turn, job: updated };
}

/** A job with nothing to do is not active: no path leads there, but a job that stayed so would be waited for without end. */
async function settleIdle(tx: Queryable, job: JobRow): Promise<JobRow> {
  if (job.status !== 'active') return job;
  const last = await findTurn(tx, job.id, job.lastTurnNo);
  const { errorCode = null, errorMessage = null } = last ?? {};
  const status = last?.state === 'failed' || errorCode !== null ? 'failed' : 'completed';
  return updateJob(tx, job.id, { status, errorCode, errorMessage, cancelRequestedAt: null, progress: null });
}

export async function findTurn(q: Queryable, jobId: string, turnNo: number): Promise<TurnRow | null> {
  const [turn] = await q
    .select()
    .from(turns)
    .where(and(eq(turns.jobId, jobId), eq(turns.no, turnNo)));
  return turn ?? null;
}

/** All turns of the job, oldest first. */
export function listTurns(q: Queryable, jobId: string): Promise<TurnRow[]> {
  return q.select().from(turns).where(eq(turns.jobId, jobId)).orderBy(asc(turns.no));
}

/** Below 2^52, so that it is exact as a JavaScript number; other values of it may be had by adding one. */
export const NEW_FENCE = sql`floor(random() * 4503599627370496)::bigint`;

/**
 * Takes the turn over for one attempt of one activity: every earlier attempt's writes are refused from now on.
 * @throws TurnOver when the turn is no longer running
 */
export async function claimTurn(q: Queryable, jobId: string, turnNo: number): Promise<TurnRow> {
  const [turn] = await q
    .update(turns)
    .set({ fence: NEW_FENCE })
    .where(and(eq(turns.jobId, jobId), eq(turns.no, turnNo), eq(turns.state, 'running')))
    .returning();
  if (!turn) throw new TurnOver(jobId, turnNo);
  return turn;
}

/** Holds for the turn's row while this attempt has it. */
export function isHeldBy({ jobId, turnNo, fence }: { jobId: string; turnNo: number; fence: number }) {
  return and(eq(turns.jobId, jobId), eq(turns.no, turnNo), eq(turns.state, 'running'), eq(turns.fence, fence));
}

/**
 * Writes to the turn's row if this attempt still holds it, and keeps it locked until the transaction ends: all other writes
 * of the attempt go into the same transaction.
 * @throws TurnOver when it does not
 */
export async function updateClaimedTurn(
  tx: Queryable,
  claim: { jobId: string; no: number; fence: number },
  set: Partial<Omit<TurnRow, 'fence'>>,
): Promise<TurnRow> {
  const [turn] = await tx
    .update(turns)
    .set({ ...set, fence: claim.fence })
    .where(isHeldBy({ ...claim, turnNo: claim.no }))
    .returning();
  if (!turn) throw new TurnOver(claim.jobId, claim.no);
  return turn;
}

/**
 * Gives the turn's first step what was left unheard, then what waits, in order. At least one message that waits is among them: a job
 * whose turns keep failing would otherwise open turns without end.
 */
async function takeFirstMessages(tx: Queryable, at: { jobId: string; turnNo: number }, limit: number): Promise<void> {
  await tx.execute(sql`
    UPDATE messages SET state = 'taken', turn_no = ${at.turnNo}, step_no = 1
    WHERE job_id = ${at.jobId} AND no IN (
      SELECT no FROM messages WHERE job_id = ${at.jobId} AND state IN ('unheard', 'waiting') ORDER BY no
      LIMIT greatest(${limit}::int, 1 + (
        SELECT count(*) FROM messages WHERE job_id = ${at.jobId} AND state = 'unheard')))`);
}

/**
 * Lets go of the messages that a turn has taken, when it ends: `done` where the model's answer to them was recorded.
 * @param unheard what becomes of the others
 */
export async function settleTaken(tx: Queryable, jobId: string, unheard: 'unheard' | 'dropped'): Promise<void> {
  await tx.execute(sql`
    UPDATE messages m SET state = CASE WHEN EXISTS (
      SELECT 1 FROM transcript t
      WHERE t.job_id = m.job_id AND t.turn_no = m.turn_no AND t.step_no = m.step_no AND t.part = 'model'
    ) THEN 'done' ELSE ${unheard} END
    WHERE m.job_id = ${jobId} AND m.state = 'taken'`);
}

/**
 * Gives waiting messages to a step of the turn, in order, at most `limit` over the whole turn. Repeating it for the same step
 * gives the same messages again, and later ones that arrived meanwhile while the step has no recorded answer.
 */
export async function takeMessages(
  tx: Queryable,
  at: { jobId: string; turnNo: number; stepNo: number },
  limit: number,
): Promise<MessageRow[]> {
  await tx.execute(sql`
    UPDATE messages SET state = 'taken', turn_no = ${at.turnNo}, step_no = ${at.stepNo}
    WHERE job_id = ${at.jobId} AND no IN (
      SELECT no FROM messages WHERE job_id = ${at.jobId} AND state = 'waiting' ORDER BY no
      LIMIT greatest(0, ${limit} - (
        SELECT count(*) FROM messages WHERE job_id = ${at.jobId} AND turn_no = ${at.turnNo} AND state = 'taken')))`);
  return tx
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.jobId, at.jobId),
        eq(messages.turnNo, at.turnNo),
        eq(messages.stepNo, at.stepNo),
        eq(messages.state, 'taken'),
      ),
    )
    .orderBy(asc(messages.no));
}

/** The prompts that the turn was given, in order. */
export function listTurnMessages(q: Queryable, jobId: string, turnNo: number): Promise<MessageRow[]> {
  return q
    .select()
    .from(messages)
    .where(and(eq(messages.jobId, jobId), eq(messages.turnNo, turnNo)))
    .orderBy(asc(messages.no));
}

export interface TurnOutcome {
  state: Exclude<TurnState, 'running'>;
  summary: string | null;
  /** The job fails with it. A turn that was published may have one: it ended at a limit. */
  error: { code: string; message: string } | null;
}

/**
 * Ends the turn and settles the job's status: active while messages wait, else completed or failed. A cancelled turn's
 * unpublished changes are forgotten; a failed one's are kept for the next turn, and so is what its model never answered to.
 * Idempotent; ends any attempt still at work.
 */
export async function endTurn(
  tx: Queryable,
  jobId: string,
  turnNo: number,
  outcome: TurnOutcome,
): Promise<{ job: JobRow; moreWaiting: boolean }> {
  const job = await lockJob(tx, null, jobId);
  const turn = await findTurn(tx, jobId, turnNo);
  const moreWaiting = await hasWaitingMessages(tx, jobId);
  if (turn?.state !== 'running') return { job, moreWaiting };
  await tx
    .update(turns)
    .set({
      state: outcome.state,
      summary: outcome.summary,
      errorCode: outcome.error?.code ?? null,
      errorMessage: outcome.error?.message ?? null,
      fence: sql`${turns.fence} + 1`,
      endedAt: new Date(),
    })
    .where(and(eq(turns.jobId, jobId), eq(turns.no, turnNo)));
  // What was cancelled is not wanted any more, and what was too long for the model would be so again.
  const isUnwanted = outcome.state === 'cancelled' || outcome.error?.code === 'model_context';
  await settleTaken(tx, jobId, isUnwanted ? 'dropped' : 'unheard');
  if (outcome.state === 'cancelled') await clearOverlay(tx, jobId);
  await addEvent(tx, { jobId, type: 'turn_ended', turnNo, text: sentenceOf(turnNo, outcome) });
  const failed = outcome.state === 'failed' || outcome.error !== null;
  const updated = await updateJob(tx, jobId, {
    status: moreWaiting ? 'active' : failed ? 'failed' : 'completed',
    summary: outcome.summary ?? job.summary,
    errorCode: moreWaiting ? null : (outcome.error?.code ?? null),
    errorMessage: moreWaiting ? null : (outcome.error?.message ?? null),
    cancelRequestedAt: null,
    progress: null,
  });
  await releaseCalls(tx, jobId);
  return { job: updated, moreWaiting };
}

export async function hasWaitingMessages(q: Queryable, jobId: string): Promise<boolean> {
  const rows = await q
    .select({ no: messages.no })
    .from(messages)
    .where(and(eq(messages.jobId, jobId), eq(messages.state, 'waiting')))
    .limit(1);
  return rows.length > 0;
}

export async function findRunningTurn(q: Queryable, jobId: string): Promise<TurnRow | null> {
  const [turn] = await q
    .select()
    .from(turns)
    .where(and(eq(turns.jobId, jobId), eq(turns.state, 'running')));
  return turn ?? null;
}

function sentenceOf(turnNo: number, outcome: TurnOutcome): string {
  if (outcome.error) return `Turn ${turnNo} failed: ${outcome.error.message}`;
  const words = {
    published: 'ended',
    unchanged: 'ended without a change',
    failed: 'failed',
    cancelled: 'was cancelled',
    archived: 'was archived',
  };
  return `Turn ${turnNo} ${words[outcome.state]}.`;
}
