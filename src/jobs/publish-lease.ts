import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, lt, or, sql } from 'drizzle-orm';
import type { Db, Queryable } from '../store/database.ts';
import { jobs, publishLeases, turns } from '../store/schema.ts';
import { isHeld, type TurnClaim, turnSuperseded, isSuperseded } from '../store/jobs/turn-fence.ts';
import { Expected } from '../platform/errors.ts';

/** Below the retry time of a dead worker's activity, so that the retry does not wait. */
const LEASE_MS = 12_000;
const RENEW_MS = 3_000;
const POLL_MS = 200;

const ends = sql`clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'`;
const hasEnded = lt(publishLeases.until, sql`clock_timestamp()`);

/**
 * Runs a push while holding the job's publish lease: one attempt at a time, and archiving either waits for it
 * or comes first. The lease is a row that is renewed while the push runs; no transaction is open in the
 * meantime.
 *
 * If the process is paused until the lease ends, another attempt or the archive may have taken over. The
 * signal given to `body` then aborts as soon as the process resumes, and `confirm` rejects. Call `confirm`
 * before each step of `body` that others can see.
 * @throws TurnSuperseded when the attempt no longer holds the turn
 */
export async function whilePublishing<T>(
  db: Db,
  claim: TurnClaim,
  outer: AbortSignal,
  body: (signal: AbortSignal, confirm: () => Promise<void>) => Promise<T>,
): Promise<T> {
  while (!(await acquire(db, claim))) await sleep(POLL_MS, undefined, { signal: outer });
  let renewedAt = performance.now();
  const confirm = async () => {
    const from = performance.now();
    if (!(await renew(db, claim))) throw turnSuperseded(claim.jobId, claim.no);
    renewedAt = from;
  };
  const lost = new AbortController();
  const timer = setInterval(() => {
    confirm().catch((err: unknown) => {
      // A short database outage does not end a push: the lease is valid until its time.
      if (isSuperseded(err) || performance.now() - renewedAt > LEASE_MS - RENEW_MS) lost.abort(err);
    });
  }, RENEW_MS);
  try {
    return await body(AbortSignal.any([outer, lost.signal]), confirm);
  } finally {
    clearInterval(timer);
    // If this fails, the lease expires.
    await release(db, claim).catch(() => {});
  }
}

/**
 * For a transaction that ends the job's work and has locked it.
 * @throws Expected `being_published` under a lease
 */
export async function refuseWhilePublishing(tx: Queryable, jobId: string): Promise<void> {
  // Deleted, not only read, so that an expired holder cannot renew it.
  await tx.delete(publishLeases).where(and(eq(publishLeases.jobId, jobId), hasEnded));
  const [held] = await tx.select().from(publishLeases).where(eq(publishLeases.jobId, jobId));
  if (held) throw new Expected('being_published', `Job ${jobId} is being published.`);
}

/** False while another attempt holds it. @throws TurnSuperseded */
function acquire(db: Db, claim: TurnClaim): Promise<boolean> {
  const { jobId, no, fence } = claim;
  return db.transaction(async (tx) => {
    // Archiving locks the row too: one of the two comes first, and the other sees it.
    await tx.select({ id: jobs.id }).from(jobs).where(eq(jobs.id, jobId)).for('update');
    const [held] = await tx.select({ no: turns.no }).from(turns).where(isHeld(claim));
    if (!held) throw turnSuperseded(jobId, no);
    const taken = await tx
      .insert(publishLeases)
      .values({ jobId, fence, until: ends })
      .onConflictDoUpdate({
        target: publishLeases.jobId,
        set: { fence, until: ends },
        setWhere: or(hasEnded, eq(publishLeases.fence, fence)),
      })
      .returning({ jobId: publishLeases.jobId });
    return taken.length > 0;
  });
}

async function renew(db: Db, claim: TurnClaim): Promise<boolean> {
  const renewed = await db
    .update(publishLeases)
    .set({ until: ends })
    .where(and(isLeaseOf(claim), sql`EXISTS (SELECT 1 FROM turns WHERE ${isHeld(claim)})`))
    .returning({ jobId: publishLeases.jobId });
  return renewed.length > 0;
}

async function release(db: Db, claim: TurnClaim): Promise<void> {
  await db.delete(publishLeases).where(isLeaseOf(claim));
}

function isLeaseOf({ jobId, fence }: TurnClaim) {
  return and(eq(publishLeases.jobId, jobId), eq(publishLeases.fence, fence));
}
