import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import type { JobRow } from './jobs.ts';
import { jobs, turns } from '../schema.ts';

/** A job as the deprecated routes show it. The end of its last turn shows whether it was stopped. */
export interface SessionRow {
  job: JobRow;
  /** Null before its first turn. */
  turnState: (typeof turns.$inferSelect)['state'] | null;
}

const turnState = sql<SessionRow['turnState']>`(SELECT ${turns.state} FROM ${turns}
  WHERE ${turns.jobId} = ${jobs.id} AND ${turns.no} = ${jobs.lastTurnNo})`;

export async function findSession(q: Queryable, projectId: string, id: string): Promise<SessionRow | null> {
  const [row] = await q
    .select({ job: getTableColumns(jobs), turnState })
    .from(jobs)
    .where(and(eq(jobs.id, id), eq(jobs.projectId, projectId)));
  return row ?? null;
}

/** Newest first. */
export function listSessions(
  q: Queryable,
  { projectId, skip, take }: { projectId: string; skip: number; take: number },
): Promise<SessionRow[]> {
  // Skipped rows are only counted in the index.
  const page = q
    .select({ id: jobs.id })
    .from(jobs)
    .where(eq(jobs.projectId, projectId))
    .orderBy(desc(jobs.createdAt), desc(jobs.id))
    .offset(skip)
    .limit(take);
  return q
    .select({ job: getTableColumns(jobs), turnState })
    .from(jobs)
    .where(sql`${jobs.id} = ANY(ARRAY(${page}))`)
    .orderBy(desc(jobs.createdAt), desc(jobs.id));
}
