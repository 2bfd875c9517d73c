import { sql, type SQL } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { rowsBehind } from './turn-fence.ts';

/** A step of a turn. */
export interface StepAt {
  jobId: string;
  turnNo: number;
  /** From 1. */
  stepNo: number;
}

/**
 * The rows are behind the workflow where the database was restored from a backup, or failed over to a copy
 * that had not heard the last seconds. Work that went on from there would leave out what the rows have
 * forgotten: half a change would be published as the whole. So each activity asks first whether everything
 * before it is recorded.
 */

/**
 * A condition: all that comes before the step's question to the model is recorded, its place in the
 * repository first of all.
 */
export function isReached({ jobId, turnNo, stepNo }: StepAt): SQL {
  const before = sql`FROM transcript WHERE job_id = ${jobId} AND turn_no = ${turnNo} AND step_no = ${stepNo - 1}`;
  const located = sql`EXISTS (
    SELECT 1 FROM turns WHERE job_id = ${jobId} AND no = ${turnNo} AND base_commit IS NOT NULL)`;
  if (stepNo === 1) return located;
  // An answer is followed by its calls' results, by what the agent was told of it, or has such a notice
  // itself.
  return sql`(${located} AND (
    EXISTS (SELECT 1 ${before} AND part IN ('tools', 'note'))
    OR EXISTS (SELECT 1 ${before} AND part = 'model' AND entries -> -1 ->> 'role' = 'notice')))`;
}

/** A condition: the step's answer of the model is recorded. */
export function isAnswered({ jobId, turnNo, stepNo }: StepAt): SQL {
  return sql`EXISTS (
    SELECT 1 FROM transcript WHERE job_id = ${jobId} AND turn_no = ${turnNo} AND step_no = ${stepNo} AND part = 'model')`;
}

/**
 * For what comes after a step's last answer.
 * @param answered false where the turn ends at a limit and the model was not asked or gave no last words
 * @throws TurnSuperseded when the step is not recorded so far
 */
export async function assertAnswered(q: Queryable, at: StepAt, answered: boolean): Promise<void> {
  const condition = answered ? isAnswered(at) : isReached(at);
  const { rows } = await q.execute<{ holds: boolean }>(sql`SELECT (${condition}) AS holds`);
  if (!rows[0]?.holds) throw rowsBehind(at.jobId, at.turnNo);
}

/**
 * For the end of a turn that is still running.
 * @throws TurnSuperseded when the rows do not have what the turn is said to have come to
 */
export async function assertPublished(
  q: Queryable,
  { jobId, turnNo }: Pick<StepAt, 'jobId' | 'turnNo'>,
  outcome: 'published' | 'ready' | 'unchanged',
): Promise<void> {
  const { rows } = await q.execute<{ holds: boolean }>(
    outcome === 'published'
      ? sql`SELECT commit IS NOT NULL AS holds FROM turns WHERE job_id = ${jobId} AND no = ${turnNo} AND state = 'running'`
      : sql`SELECT ${outcome === 'ready' ? sql`EXISTS` : sql`NOT EXISTS`} (SELECT 1 FROM overlay_files WHERE job_id = ${jobId}) AS holds
            FROM turns WHERE job_id = ${jobId} AND no = ${turnNo} AND state = 'running'`,
  );
  if (rows[0]?.holds === false) throw rowsBehind(jobId, turnNo);
}
