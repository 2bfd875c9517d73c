import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { analyticsPages } from './analytics-schema.ts';
import type { Queryable } from './database.ts';

/** The next page of a listing reads what the page before it read for ten minutes; a minute more, since nobody writes it down each time. */
const REMEMBER_SECONDS = 660;

/** Remembers which version the next page of a listing reads, for every process. */
export async function rememberPage(q: Queryable, key: Buffer, version: number): Promise<void> {
  const expiresAt = sql`now() + make_interval(secs => ${REMEMBER_SECONDS})` as never;
  await q
    .insert(analyticsPages)
    .values({ key, version, expiresAt })
    .onConflictDoUpdate({ target: analyticsPages.key, set: { version, expiresAt } });
}

/** The version that the page before was read from, or null. */
export async function recallPage(q: Queryable, key: Buffer): Promise<number | null> {
  const [row] = await q
    .select({ version: analyticsPages.version })
    .from(analyticsPages)
    .where(and(eq(analyticsPages.key, key), gt(analyticsPages.expiresAt, sql`now()`)));
  return row?.version ?? null;
}

export async function forgetOldPages(q: Queryable): Promise<void> {
  await q.delete(analyticsPages).where(lt(analyticsPages.expiresAt, sql`now()`));
}
