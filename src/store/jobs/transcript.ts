import { and, asc, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { transcript } from '../schema.ts';

const PART_ORDER = sql`CASE ${transcript.part} WHEN 'compact' THEN 0 WHEN 'model' THEN 1 WHEN 'tools' THEN 2 ELSE 3 END`;

export type TranscriptPart = 'compact' | 'note' | 'model' | 'tools';

/** A recorded half of a step. `entries` are the agent's, opaque to the store. */
export type TranscriptRow = typeof transcript.$inferSelect;

/** Records from where on the model sees a shortened transcript. A later decision replaces it. */
export async function recordCompaction(
  tx: Queryable,
  at: { jobId: string; turnNo: number; stepNo: number },
  mark: unknown,
): Promise<void> {
  const entries = [mark];
  await tx
    .insert(transcript)
    .values({ ...at, part: 'compact', entries })
    .onConflictDoUpdate({
      target: [transcript.jobId, transcript.turnNo, transcript.stepNo, transcript.part],
      set: { entries },
    });
}

export async function findPart(
  q: Queryable,
  jobId: string,
  turnNo: number,
  stepNo: number,
  part: TranscriptPart,
): Promise<unknown[] | null> {
  const [row] = await q
    .select({ entries: transcript.entries })
    .from(transcript)
    .where(
      and(
        eq(transcript.jobId, jobId),
        eq(transcript.turnNo, turnNo),
        eq(transcript.stepNo, stepNo),
        eq(transcript.part, part),
      ),
    );
  return row?.entries ?? null;
}

/** All records of the job, in order. */
export async function readTranscript(q: Queryable, jobId: string): Promise<TranscriptRow[]> {
  return q
    .select()
    .from(transcript)
    .where(eq(transcript.jobId, jobId))
    .orderBy(asc(transcript.turnNo), asc(transcript.stepNo), PART_ORDER);
}

/**
 * The records at and after a step, in order, and the number and times of earlier ones. Before the newest
 * recorded step nothing changes, except after a restore or failover: then other records may have replaced
 * cached ones.
 */
export async function readTranscriptFrom(
  q: Queryable,
  jobId: string,
  { turnNo, stepNo }: Pick<TranscriptRow, 'turnNo' | 'stepNo'>,
): Promise<{ rows: TranscriptRow[]; before: RecordedBefore }> {
  const place = sql`(${transcript.turnNo}, ${transcript.stepNo})`;
  const given = sql`(${turnNo}::int, ${stepNo}::int)`;
  const found = await q
    .select({
      row: getTableColumns(transcript),
      before: sql<RecordedBefore>`(
        SELECT json_build_object(
          'count', count(*), 'times', coalesce(sum((extract(epoch FROM t.created_at) * 1000)::bigint), 0)::text)
        FROM transcript t WHERE t.job_id = ${jobId} AND (t.turn_no, t.step_no) < ${given})`,
    })
    .from(transcript)
    .where(and(eq(transcript.jobId, jobId), sql`${place} >= ${given}`))
    .orderBy(asc(transcript.turnNo), asc(transcript.stepNo), PART_ORDER);
  return { rows: found.map(({ row }) => row), before: found[0]?.before ?? recordedBefore([]) };
}

/** How many records there are, and the sum of the times at which they were made, in milliseconds. */
interface RecordedBefore {
  count: number;
  times: string;
}

/** The same of records that are at hand. */
export function recordedBefore(rows: readonly Pick<TranscriptRow, 'createdAt'>[]): RecordedBefore {
  const times = rows.reduce((sum, { createdAt }) => sum + BigInt(createdAt.getTime()), 0n);
  return { count: rows.length, times: String(times) };
}

/** The records of one turn, in order. */
export async function readTurnTranscript(q: Queryable, jobId: string, turnNo: number): Promise<TranscriptRow[]> {
  return q
    .select()
    .from(transcript)
    .where(and(eq(transcript.jobId, jobId), eq(transcript.turnNo, turnNo)))
    .orderBy(asc(transcript.stepNo), PART_ORDER);
}

/** The newest step of the turn that has a recorded answer of the model, or 0. */
export async function lastStepOf(q: Queryable, jobId: string, turnNo: number): Promise<number> {
  const [row] = await q
    .select({ stepNo: transcript.stepNo })
    .from(transcript)
    .where(and(eq(transcript.jobId, jobId), eq(transcript.turnNo, turnNo), eq(transcript.part, 'model')))
    .orderBy(desc(transcript.stepNo))
    .limit(1);
  return row?.stepNo ?? 0;
}
