import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { analyticsListings } from './analytics-schema.ts';
import type { Queryable } from '../database.ts';

/** A listing keeps its version for ten minutes. One minute more, because not every request is recorded. */
const REMEMBER_SECONDS = 660;

/** The version with which a listing continues. */
export interface RememberedListing {
  /** The key of the listing's next request. */
  key: Buffer;
  version: number;
}

/** Records the versions of listings for all processes. @param listings each key once */
export async function rememberListings(q: Queryable, listings: readonly RememberedListing[]): Promise<void> {
  // In a fixed order, so that processes with common rows cannot deadlock.
  const inOrder = listings.toSorted((a, b) => Buffer.compare(a.key, b.key));
  await q.execute(sql`
    INSERT INTO ${analyticsListings} (key, version, expires_at)
    SELECT decode(key, 'hex'), version, now() + make_interval(secs => ${REMEMBER_SECONDS})
    FROM unnest(
      ${sql.param(inOrder.map(({ key }) => key.toString('hex')))}::text[],
      ${sql.param(inOrder.map(({ version }) => version))}::bigint[]
    ) AS listings (key, version)
    ON CONFLICT (key) DO UPDATE SET version = excluded.version, expires_at = excluded.expires_at`);
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
