import { and, eq, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { periodicTasks } from './periodic-task-schema.ts';

/** A task that one process at a time runs every `everyMs`, and how long others wait beyond that. */
export interface TaskTerms {
  name: string;
  everyMs: number;
  graceMs: number;
}

const after = (ms: number) => sql`now() + ${ms} * interval '1 millisecond'`;

/**
 * Claims a task for `everyMs` by the database's clock. Its holder keeps it by claiming it in time. @returns
 * null if the caller holds it, else for how many milliseconds another one does, without grace
 */
export async function claimTask(q: Queryable, terms: TaskTerms, holder: string): Promise<number | null> {
  const { name, everyMs, graceMs } = terms;
  const dueAt = after(everyMs);
  const claimed = await q
    .update(periodicTasks)
    .set({ holder, dueAt })
    .where(
      and(
        eq(periodicTasks.name, name),
        sql`(${periodicTasks.holder} = ${holder} OR ${periodicTasks.dueAt} < now() - ${graceMs} * interval '1 millisecond')`,
      ),
    )
    .returning({ name: periodicTasks.name });
  if (claimed.length > 0) return null;
  const [found] = await q
    .select({ ms: sql<string>`extract(epoch FROM ${periodicTasks.dueAt} - now()) * 1000` })
    .from(periodicTasks)
    .where(eq(periodicTasks.name, name));
  if (found) return Math.max(0, Math.min(everyMs, Number(found.ms)));
  const [first] = await q.insert(periodicTasks).values({ name, holder, dueAt }).onConflictDoNothing().returning();
  return first ? null : everyMs;
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
