import { randomBytes } from 'node:crypto';
import { and, eq, lt, ne } from 'drizzle-orm';
import type { Queryable } from './database.ts';
import { analyticsSalts } from './analytics-schema.ts';

/** The salt of a project's period, made on first use; the same for every process. */
export async function saltOf(q: Queryable, projectId: string, period: string): Promise<Buffer> {
  const find = () =>
    q
      .select({ salt: analyticsSalts.salt })
      .from(analyticsSalts)
      .where(and(eq(analyticsSalts.projectId, projectId), eq(analyticsSalts.period, period)));
  const [found] = await find();
  if (found) return found.salt;
  await q
    .insert(analyticsSalts)
    .values({ projectId, period, salt: randomBytes(32) })
    .onConflictDoNothing();
  const [made] = await find();
  if (!made) throw new Error('A salt could not be read back.');
  return made.salt;
}

/** Every salt that a project still has, by period. */
export async function saltsOf(q: Queryable, projectId: string): Promise<Map<string, Buffer>> {
  const rows = await q.select().from(analyticsSalts).where(eq(analyticsSalts.projectId, projectId));
  return new Map(rows.map((row) => [row.period, row.salt]));
}

/** Destroys the salts of daily or monthly periods before `period`. Idempotent. */
export async function destroySaltsBefore(q: Queryable, projectId: string, period: string): Promise<void> {
  await q
    .delete(analyticsSalts)
    .where(
      and(eq(analyticsSalts.projectId, projectId), ne(analyticsSalts.period, ''), lt(analyticsSalts.period, period)),
    );
}
