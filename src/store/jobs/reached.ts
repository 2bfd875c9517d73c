import { sql, type SQL } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { rowsBehind } from './turn-fence.ts';

export interface StepAt {
  jobId: string;
  turnNo: number;
  /** From 1. */
  stepNo: number;
}

/**
 * The rows may be older than the workflow, after a restore from a backup or a failover to a delayed replica.
 * Continuing then would skip the lost rows: half a change would be published as complete. So each activity
 * first checks that everything before it is recorded.
 */

/** SQL condition: everything before the step's question to the model is recorded. */
export function isReached({ jobId, turnNo, stepNo }: StepAt): SQL {
  const before = sql`FROM transcript WHERE job_id = ${jobId} AND turn_no = ${turnNo} AND step_no = ${stepNo - 1}`;
  const located = sql`EXISTS (
    SELECT 1 FROM turns WHERE job_id = ${jobId} AND no = ${turnNo} AND base_commit IS NOT NULL)`;
  if (stepNo === 1) return located;
  // After an answer comes the result of its calls, a notice to the agent, or a notice in the answer itself.
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
 * For what follows a step's last answer.
 * @param answered false if the turn ends at a limit without an answer
 * @throws TurnSuperseded when the step is not recorded
 */
export async function assertAnswered(q: Queryable, at: StepAt, answered: boolean): Promise<void> {
  const condition = answered ? isAnswered(at) : isReached(at);
  const { rows } = await q.execute<{ holds: boolean }>(sql`SELECT (${condition}) AS holds`);
  if (!rows[0]?.holds) throw rowsBehind(at.jobId, at.turnNo);
}

/** For the end of a running turn. @throws TurnSuperseded when the rows lack the turn's result */
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
