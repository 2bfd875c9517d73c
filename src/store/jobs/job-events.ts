import { and, asc, eq, gt, sql, type SQL } from 'drizzle-orm';
import { withEllipsis } from '@docent/base/ellipsis';
import type { Queryable } from '../database.ts';
import type { JobEventData } from '../job-event-data.ts';
import { storable, storableText } from '../storable.ts';
import { jobEvents, type JobEventType } from '../schema.ts';

export type JobEventRow = typeof jobEvents.$inferSelect;

/** Longest text of an event, in characters; more is cut. */
const MAX_TEXT = 500;

/** An event to add to a job's history. */
export interface NewJobEvent {
  type: JobEventType;
  turnNo?: number | null;
  text: string;
  data?: JobEventData;
}

/** Adds an event in the transaction that makes it true. Locking the job keeps numbers gapless and ordered. */
export async function addEvent(tx: Queryable, event: NewJobEvent & { jobId: string }): Promise<void> {
  await tx.execute(sql`
    WITH counted AS (
      UPDATE jobs SET last_event_no = last_event_no + 1, updated_at = now() WHERE id = ${event.jobId}
      RETURNING id, last_event_no
    )
    ${eventFrom(sql.raw('counted'), event)}`);
}

/** A statement that adds an event to the job whose updated row another part of it returns. */
export function eventFrom(counted: SQL, { type, turnNo, text, data }: NewJobEvent): SQL {
  return sql`
    INSERT INTO job_events (job_id, no, type, turn_no, text, data)
    SELECT id, last_event_no, ${type}, ${turnNo ?? null}::int, ${shownText(text)}, ${shownData(data)}::jsonb
    FROM ${counted}`;
}

/** Events after number `after`, oldest first. */
export function listEvents(
  q: Queryable,
  jobId: string,
  page: { after: number; limit: number },
): Promise<JobEventRow[]> {
  return q
    .select()
    .from(jobEvents)
    .where(and(eq(jobEvents.jobId, jobId), gt(jobEvents.no, page.after)))
    .orderBy(asc(jobEvents.no))
    .limit(page.limit);
}

/** An event's data for programs, as a database value. */
export function shownData(data: JobEventData | undefined): string | null {
  return data === undefined ? null : JSON.stringify(storable(data));
}

/** A text as an event can hold it. */
export function shownText(given: string): string {
  return withEllipsis(storableText(given), MAX_TEXT);
}
