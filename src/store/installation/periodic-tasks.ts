import { and, eq, sql, type SQLWrapper } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { periodicTasks } from './periodic-task-schema.ts';

/** A task that one process at a time runs every `everyMs`, and how long others wait beyond that. */
export interface TaskTerms {
  name: string;
  everyMs: number;
  graceMs: number;
}

const after = (ms: number) => sql`now() + ${ms} * interval '1 millisecond'`;

/** A claim: whether there is work for its holder, or for how many milliseconds another one holds the task. */
export type Claim = { isMine: true; hasWork: boolean } | { isMine: false; forMs: number };

/**
 * Claims a task for `everyMs` by the database's clock. Its holder keeps it by claiming it in time.
 * @param work queries that find rows if there is work; asked with the claim, so that a task without work
 * costs one statement. Without queries, there always is.
 */
export async function claimTask(
  q: Queryable,
  terms: TaskTerms,
  holder: string,
  work: readonly SQLWrapper[] = [],
): Promise<Claim> {
  const { name, everyMs, graceMs } = terms;
  const dueAt = after(everyMs);
  const found = work.map((query) => sql`EXISTS (${query})`);
  const hasWork = found.length > 0 ? sql.join(found, sql` OR `) : sql`true`;
  const claimed = await q
    .update(periodicTasks)
    .set({ holder, dueAt })
    .where(
      and(
        eq(periodicTasks.name, name),
        sql`(${periodicTasks.holder} = ${holder} OR ${periodicTasks.dueAt} < now() - ${graceMs} * interval '1 millisecond')`,
      ),
    )
    .returning({ hasWork: sql<boolean>`${hasWork}` });
  if (claimed[0]) return { isMine: true, hasWork: claimed[0].hasWork };
  const [other] = await q
    .select({ ms: sql<string>`extract(epoch FROM ${periodicTasks.dueAt} - now()) * 1000` })
    .from(periodicTasks)
    .where(eq(periodicTasks.name, name));
  if (other) return { isMine: false, forMs: Math.max(0, Math.min(everyMs, Number(other.ms))) };
  const [first] = await q.insert(periodicTasks).values({ name, holder, dueAt }).onConflictDoNothing().returning();
  return first ? { isMine: true, hasWork: true } : { isMine: false, forMs: everyMs };
}

/** Its holder is still at it. Does nothing if it was taken over. */
export async function keepTask(q: Queryable, { name, everyMs }: TaskTerms, holder: string): Promise<void> {
  await q
    .update(periodicTasks)
    .set({ dueAt: after(everyMs) })
    .where(and(eq(periodicTasks.name, name), eq(periodicTasks.holder, holder)));
}

/** Releases the task for the next caller. Does nothing if it was taken over. */
export async function leaveTask(q: Queryable, name: string, holder: string): Promise<void> {
  await q.delete(periodicTasks).where(and(eq(periodicTasks.name, name), eq(periodicTasks.holder, holder)));
}
