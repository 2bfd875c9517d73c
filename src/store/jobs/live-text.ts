import { sql } from 'drizzle-orm';
import type { Db, Queryable } from '../database.ts';
import type { JobStatus } from '../schema.ts';
import { isHeld, type TurnClaim } from './turn-fence.ts';

/** A model's text of an unfinished answer. */
export interface LiveText {
  turn: number;
  step: number;
  /** The number of the attempt at this answer, from 1. A new one starts from nothing. */
  attempt: number;
  text: string;
}

/** A job's row as watchers get it. */
export interface WatchedJobRow {
  status: JobStatus;
  lastEventNo: number;
  /** The progress column, whatever the status. */
  progress: string | null;
  /** Another one with each change of the words. */
  revision: number;
}

const NOW_MICROS = sql`(extract(epoch FROM clock_timestamp()) * 1000000)::bigint`;

/**
 * Shows what a model has written, if the job is watched and the attempt holds its turn.
 * @returns whether it is watched
 */
export async function showLiveText(
  q: Queryable,
  claim: TurnClaim,
  { step, attempt, text }: Omit<LiveText, 'turn'>,
): Promise<boolean> {
  const { rowCount } = await q.execute(sql`
    UPDATE live_texts SET turn_no = ${claim.no}, step_no = ${step}, attempt = ${attempt}, text = ${text}, revision = ${NOW_MICROS}
    WHERE job_id = ${claim.jobId} AND watched_until > now() AND EXISTS (SELECT 1 FROM turns WHERE ${isHeld(claim)})`);
  return (rowCount ?? 0) > 0;
}

/** Marks jobs as watched for some seconds; forgets those unwatched for an hour. Idempotent. */
export async function keepWatched(q: Queryable, jobIds: readonly string[], seconds: number): Promise<void> {
  // In a fixed order, so that two processes cannot deadlock.
  const ids = [...new Set(jobIds)].toSorted();
  await q.execute(sql`
    INSERT INTO live_texts (job_id, watched_until)
    SELECT id, now() + ${seconds} * interval '1 second' FROM unnest(${sql.param(ids)}::text[]) AS id
    ON CONFLICT (job_id) DO UPDATE SET watched_until = greatest(live_texts.watched_until, excluded.watched_until)`);
  await q.execute(sql`
    DELETE FROM live_texts WHERE job_id IN (
      SELECT job_id FROM live_texts WHERE watched_until < now() - interval '1 hour' LIMIT 1000 FOR UPDATE SKIP LOCKED)`);
}

export type Change =
  | { id: string; isGone: true }
  | ({ id: string; isGone: false; words: LiveText | null } & WatchedJobRow);

/** The changed jobs among these, in one statement. `words` are null if unchanged or absent. */
export async function readLiveJobs(
  db: Db,
  known: readonly (Omit<WatchedJobRow, 'progress'> & { id: string; progress: string | null })[],
): Promise<Change[]> {
  const column = <T>(of: (job: (typeof known)[number]) => T) => sql.param(known.map(of));
  const { rows } = await db.execute<{
    id: string;
    status: JobStatus | null;
    lastEventNo: number;
    progress: string | null;
    revision: string;
    turn: number | null;
    step: number;
    attempt: number;
    text: string | null;
  }>(sql`
    SELECT k.id, j.status, j.last_event_no AS "lastEventNo", j.progress, coalesce(w.revision, 0) AS revision,
           w.turn_no AS turn, w.step_no AS step, w.attempt, CASE WHEN w.revision <> k.revision THEN w.text END AS text
    FROM unnest(${column(({ id }) => id)}::text[], ${column(({ status }) => status)}::text[],
                ${column(({ lastEventNo }) => lastEventNo)}::int[], ${column(({ progress }) => progress)}::text[],
                ${column(({ revision }) => revision)}::bigint[])
      AS k (id, status, last_event_no, progress, revision)
    LEFT JOIN jobs j ON j.id = k.id
    LEFT JOIN live_texts w ON w.job_id = k.id
    WHERE (j.status, j.last_event_no, j.progress, coalesce(w.revision, 0))
      IS DISTINCT FROM (k.status, k.last_event_no, k.progress, k.revision)`);
  return rows.map((row): Change => {
    const { id, status, lastEventNo, progress, turn, step, attempt, text } = row;
    if (status === null) return { id, isGone: true };
    const words = turn === null || text === null ? null : { turn, step, attempt, text };
    return { id, isGone: false, status, lastEventNo, progress, revision: Number(row.revision), words };
  });
}
