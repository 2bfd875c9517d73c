import { and, asc, eq, gt, or } from 'drizzle-orm';
import { checkRounds } from './changes-schema.ts';
import type { Queryable } from '../database.ts';

export type CheckRoundRow = typeof checkRounds.$inferSelect;
export type NewCheckRound = Omit<typeof checkRounds.$inferInsert, 'createdAt'>;

/** Records a round of docs checks, in the check's transaction, under the turn's fence. Idempotent. */
export async function recordCheckRound(tx: Queryable, round: NewCheckRound): Promise<void> {
  const { jobId: _jobId, turnNo: _turnNo, stepNo: _stepNo, ...found } = round;
  await tx
    .insert(checkRounds)
    .values(round)
    .onConflictDoUpdate({
      target: [checkRounds.jobId, checkRounds.turnNo, checkRounds.stepNo],
      set: { ...found, createdAt: new Date() },
    });
}

/** Oldest first. */
export function listCheckRounds(
  q: Queryable,
  jobId: string,
  page: { limit: number; after: { turnNo: number; stepNo: number } | null },
): Promise<CheckRoundRow[]> {
  const { after, limit } = page;
  return q
    .select()
    .from(checkRounds)
    .where(
      and(
        eq(checkRounds.jobId, jobId),
        after
          ? or(
              gt(checkRounds.turnNo, after.turnNo),
              and(eq(checkRounds.turnNo, after.turnNo), gt(checkRounds.stepNo, after.stepNo)),
            )
          : undefined,
      ),
    )
    .orderBy(asc(checkRounds.turnNo), asc(checkRounds.stepNo))
    .limit(limit);
}
