import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { analyticsListings } from './analytics-schema.ts';
import type { Queryable } from './database.ts';

/** A listing goes on with the version that it began with for ten minutes; a minute more, since nobody writes it down each time. */
const REMEMBER_SECONDS = 660;

/** Remembers which version a listing goes on with, for every process. @param key of what comes next in it */
export async function rememberListing(q: Queryable, key: Buffer, version: number): Promise<void> {
  const expiresAt = sql`now() + make_interval(secs => ${REMEMBER_SECONDS})`;
  await q
    .insert(analyticsListings)
    .values({ key, version, expiresAt })
    .onConflictDoUpdate({ target: analyticsListings.key, set: { version, expiresAt } });
}

/** The version that what came before in the listing was read from, or null. */
export async function recallListing(q: Queryable, key: Buffer): Promise<number | null> {
  const [row] = await q
    .select({ version: analyticsListings.version })
    .from(analyticsListings)
    .where(and(eq(analyticsListings.key, key), gt(analyticsListings.expiresAt, sql`now()`)));
  return row?.version ?? null;
}

export async function forgetOldListings(q: Queryable): Promise<void> {
  await q.delete(analyticsListings).where(lt(analyticsListings.expiresAt, sql`now()`));
}
