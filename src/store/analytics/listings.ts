import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { analyticsListings } from './analytics-schema.ts';
import type { Queryable } from '../database.ts';

/**
 * A listing goes on with the version that it began with for ten minutes; a minute more, since no one writes
 * it down each time.
 */
const REMEMBER_SECONDS = 660;

/** A version that a listing goes on with. */
export interface RememberedListing {
  /** Of what comes next in it. */
  key: Buffer;
  version: number;
}

/** Remembers which versions listings go on with, for every process. @param listings each key once */
export async function rememberListings(q: Queryable, listings: readonly RememberedListing[]): Promise<void> {
  // In one order, so that processes which write some of the same wait for each other in turn.
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
