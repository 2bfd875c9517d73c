import { and, asc, desc, eq, or, sql, type SQL } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { messages, turns } from '../schema.ts';
import type { TurnRow } from './turn-fence.ts';

export type MessageRow = typeof messages.$inferSelect;

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

/** Gives the first step the unanswered messages, and at least one waiting message, so that failures end. */
export async function takeFirstMessages(
  tx: Queryable,
  at: { jobId: string; turnNo: number },
  limit: number,
): Promise<void> {
  await tx.execute(sql`
    UPDATE messages SET state = 'taken', turn_no = ${at.turnNo}, step_no = 1
    WHERE job_id = ${at.jobId} AND no IN (
      SELECT no FROM messages WHERE job_id = ${at.jobId} AND state IN ('unheard', 'waiting') ORDER BY no
      LIMIT greatest(${limit}::int, 1 + (
        SELECT count(*) FROM messages WHERE job_id = ${at.jobId} AND state = 'unheard')))`);
}

/**
 * Releases an ended turn's messages: `done` if the model answered them.
 * @param unheard the state of the others
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
 * Gives waiting messages to a step of the turn, in order, at most `limit` over the whole turn. A repeat for
 * the same step gives the same messages, and newer ones while the step has no recorded answer. One statement.
 * @param when gives and changes nothing if this does not hold
 */
export async function takeMessages(
  q: Queryable,
  at: { jobId: string; turnNo: number; stepNo: number },
  limit: number,
  when?: SQL,
): Promise<MessageRow[]> {
  const { jobId, turnNo, stepNo } = at;
  const waiting = sql`
    SELECT no FROM messages w WHERE w.job_id = ${jobId} AND w.state = 'waiting' ORDER BY no
    LIMIT greatest(0, ${limit}::int - (
      SELECT count(*) FROM messages t WHERE t.job_id = ${jobId} AND t.turn_no = ${turnNo} AND t.state = 'taken'))`;
  const taken = await q
    .update(messages)
    .set({ state: 'taken', turnNo, stepNo })
    .where(
      and(
        eq(messages.jobId, jobId),
        or(
          and(eq(messages.turnNo, turnNo), eq(messages.stepNo, stepNo), eq(messages.state, 'taken')),
          sql`${messages.no} IN (${waiting})`,
        ),
        when,
      ),
    )
    .returning();
  return taken.toSorted((a, b) => a.no - b.no);
}

/** The prompts that the turn was given, in order. */
export function listTurnMessages(q: Queryable, jobId: string, turnNo: number): Promise<MessageRow[]> {
  return q
    .select()
    .from(messages)
    .where(and(eq(messages.jobId, jobId), eq(messages.turnNo, turnNo)))
    .orderBy(asc(messages.no));
}

/** Earlier turns whose change waited to be published when this one began, oldest first. */
export async function listHeldBack(q: Queryable, jobId: string, turnNo: number): Promise<number[]> {
  const { rows } = await q.execute<{ no: number }>(sql`
    SELECT no FROM turns WHERE job_id = ${jobId} AND state = 'ready' AND no < ${turnNo} AND no > (
      SELECT coalesce(max(no), 0) FROM turns WHERE job_id = ${jobId} AND state = 'published' AND no < ${turnNo})
    ORDER BY no`);
  return rows.map(({ no }) => no);
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

/** The base branch's commit at which the work of the published `commit` began; null if there is none. */
export async function findChainBase(q: Queryable, jobId: string, commit: string): Promise<string | null> {
  const [turn] = await q
    .select({ chainBase: turns.chainBaseCommit })
    .from(turns)
    .where(and(eq(turns.jobId, jobId), eq(turns.commit, commit)))
    .limit(1);
  return turn?.chainBase ?? null;
}

/** The change of the job's newest published turn, as a unified diff; null if there is none. */
export async function findLastChange(q: Queryable, jobId: string): Promise<{ turn: number; diff: string } | null> {
  const [turn] = await q
    .select({ turn: turns.no, diff: turns.diff })
    .from(turns)
    .where(and(eq(turns.jobId, jobId), eq(turns.state, 'published')))
    .orderBy(desc(turns.no))
    .limit(1);
  return turn ? { turn: turn.turn, diff: turn.diff ?? '' } : null;
}
