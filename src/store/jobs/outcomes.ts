import { sql, type SQL } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { storable } from '../storable.ts';
import { findPart, type TranscriptPart } from './transcript.ts';
import { isHeld, type TurnClaim, turnSuperseded } from './turn-fence.ts';

/** The result that counts: the first recorded outcome, from any attempt. */
export interface Recorded {
  entries: unknown[];
  first: boolean;
}

/**
 * Records an outcome of a step in the transcript, in one statement, if this attempt still holds the turn. The
 * first recorded outcome of a part wins and is returned, so that a repeated step has the same result. In a
 * transaction the turn's row stays locked: write what belongs to the outcome in the same one, only for the
 * first.
 * @param also `turn`: columns of the turn to set; `more`: further parts of the statement, which begin with a
 *   comma and read from `part` (job_id, turn_no, step_no), empty if the outcome is not the first
 * @throws TurnSuperseded when the attempt does not hold the turn
 */
export async function recordOutcome(
  q: Queryable,
  claim: TurnClaim,
  { stepNo, part, entries }: { stepNo: number; part: Exclude<TranscriptPart, 'compact'>; entries: readonly unknown[] },
  also: { turn?: SQL; more?: SQL } = {},
): Promise<Recorded> {
  const { jobId, no: turnNo } = claim;
  const stored = storable([...entries]);
  const { rows } = await q.execute<{ held: boolean; first: boolean }>(sql`
    WITH held AS (
      UPDATE turns SET ${also.turn ?? sql`fence = fence`} WHERE ${isHeld(claim)} RETURNING job_id, no
    ), part AS (
      INSERT INTO transcript (job_id, turn_no, step_no, part, entries)
      SELECT job_id, no, ${stepNo}::int, ${part}::text, ${JSON.stringify(stored)}::jsonb FROM held
      ON CONFLICT DO NOTHING RETURNING job_id, turn_no, step_no
    )${also.more ?? sql.empty()}
    SELECT EXISTS (SELECT 1 FROM held) AS held, EXISTS (SELECT 1 FROM part) AS first`);
  if (!rows[0]?.held) throw turnSuperseded(jobId, turnNo);
  if (rows[0].first) return { entries: stored, first: true };
  const recorded = await findPart(q, jobId, turnNo, stepNo, part);
  if (!recorded) throw new Error('A recorded step disappeared.');
  return { entries: recorded, first: false };
}
