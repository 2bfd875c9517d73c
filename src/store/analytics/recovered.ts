import { like, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { analyticsFiles } from './analytics-schema.ts';

/** The source of a file of events that the database did not know, and that was taken in again. */
export const recoveredSource = (fileId: string): string => `recovered/${fileId}`;

/** Events that were added again after the database went back in time. Known for 15 minutes after a merge. */
export async function recoveredEvents(q: Queryable): Promise<number> {
  const [row] = await q
    .select({ events: sql<string>`coalesce(sum(${analyticsFiles.rows}), 0)` })
    .from(analyticsFiles)
    .where(like(analyticsFiles.source, 'recovered/%'));
  return Number(row?.events ?? 0);
}
