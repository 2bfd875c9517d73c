import type { Db } from '../../src/store/database.ts';
import { recordOutcome, type Recorded } from '../../src/store/jobs/outcomes.ts';
import { findTurn } from '../../src/store/jobs/turns.ts';

/** Records an outcome as the attempt does that holds the turn now. */
export async function recordNow(
  db: Db,
  row: { jobId: string; turnNo: number; stepNo: number; part: 'note' | 'model' | 'tools'; entries: unknown[] },
): Promise<Recorded> {
  const turn = await findTurn(db, row.jobId, row.turnNo);
  if (!turn) throw new Error(`Job ${row.jobId} has no turn ${row.turnNo}.`);
  return recordOutcome(db, turn, row);
}
