import { and, eq, sql } from 'drizzle-orm';
import type { Queryable } from './database.ts';
import { duties } from './duty-schema.ts';

/** Something that one process at a time does every `everyMs`, and how long others wait beyond that before they take it over. */
export interface DutyTerms {
  name: string;
  everyMs: number;
  graceMs: number;
}

const after = (ms: number) => sql`now() + ${ms} * interval '1 millisecond'`;

/**
 * Takes a duty for `everyMs`, by the database's clock: of many who claim it at once, one has it, and keeps it for as long as it claims it in
 * time. Who does not get it only reads.
 * @returns null where it is the caller's now; else how long it is somebody else's, in milliseconds, without the grace
 */
export async function claimDuty(q: Queryable, terms: DutyTerms, holder: string): Promise<number | null> {
  const { name, everyMs, graceMs } = terms;
  const dueAt = after(everyMs);
  const claimed = await q
    .update(duties)
    .set({ holder, dueAt })
    .where(
      and(
        eq(duties.name, name),
        sql`(${duties.holder} = ${holder} OR ${duties.dueAt} < now() - ${graceMs} * interval '1 millisecond')`,
      ),
    )
    .returning({ name: duties.name });
  if (claimed.length > 0) return null;
  const [found] = await q
    .select({ ms: sql<string>`extract(epoch FROM ${duties.dueAt} - now()) * 1000` })
    .from(duties)
    .where(eq(duties.name, name));
  if (found) return Math.max(0, Math.min(everyMs, Number(found.ms)));
  const [first] = await q.insert(duties).values({ name, holder, dueAt }).onConflictDoNothing().returning();
  return first ? null : everyMs;
}

/** Its holder is still at it. Does nothing where it was taken over. */
export async function keepDuty(q: Queryable, { name, everyMs }: DutyTerms, holder: string): Promise<void> {
  await q
    .update(duties)
    .set({ dueAt: after(everyMs) })
    .where(and(eq(duties.name, name), eq(duties.holder, holder)));
}

/** The next who asks has it. Does nothing where it was taken over. */
export async function leaveDuty(q: Queryable, name: string, holder: string): Promise<void> {
  await q.delete(duties).where(and(eq(duties.name, name), eq(duties.holder, holder)));
}
