import type { Db, Queryable } from './database.ts';
import { lockPublishing } from './jobs.ts';
import { turns } from './schema.ts';
import { isHeldBy, TurnOver } from './turns.ts';

const PING_MS = 5_000;

/**
 * Runs a push and its record in one transaction that holds the job's publish lock. Archiving takes the same lock first: it waits
 * for the push or the push is refused, never anything between.
 *
 * The transaction is pinged while the push runs. If the process is paused for so long that the server ends the transaction, the
 * lock is gone: the signal given to `body` aborts as soon as the process is back. `confirm` rejects then at once, and belongs
 * before every step of `body` that others can see.
 * @throws TurnOver when the attempt no longer holds the turn
 */
export async function whilePublishing<T>(
  db: Db,
  claim: { jobId: string; turnNo: number; fence: number },
  outer: AbortSignal,
  body: (tx: Queryable, signal: AbortSignal, confirm: () => Promise<void>) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    await lockPublishing(tx, claim.jobId);
    const held = async () => {
      const rows = await tx.select({ no: turns.no }).from(turns).where(isHeldBy(claim));
      return rows.length > 0;
    };
    const confirm = async () => {
      if (!(await held())) throw new TurnOver(claim.jobId, claim.turnNo);
    };
    await confirm();
    const lost = new AbortController();
    const ping = setInterval(() => {
      held().then(
        (still) => still || lost.abort(new TurnOver(claim.jobId, claim.turnNo)),
        (err: unknown) => lost.abort(err),
      );
    }, PING_MS);
    try {
      return await body(tx, AbortSignal.any([outer, lost.signal]), confirm);
    } finally {
      clearInterval(ping);
    }
  });
}
