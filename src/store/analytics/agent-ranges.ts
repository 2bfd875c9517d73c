import { sql } from 'drizzle-orm';
import { agentRanges } from './analytics-schema.ts';
import type { Queryable } from '../database.ts';

/** The lists of addresses that were read from operators. */
export const listAgentRanges = (q: Queryable) => q.select().from(agentRanges);

/** Replaces one list. Idempotent. */
export async function saveAgentRanges(q: Queryable, url: string, ranges: string[]): Promise<void> {
  await q
    .insert(agentRanges)
    .values({ url, ranges })
    .onConflictDoUpdate({ target: agentRanges.url, set: { ranges, readAt: sql`now()` } });
}
