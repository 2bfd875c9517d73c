import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { analyticsListings } from './analytics-schema.ts';
import type { Queryable } from '../database.ts';

/** A listing keeps its version for ten minutes. One minute more, because not every request is recorded. */
const REMEMBER_SECONDS = 660;

/** Records the version with which a listing continues, for all processes. @param key of its next request */
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
