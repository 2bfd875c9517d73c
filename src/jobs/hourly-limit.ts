import { sql, type SQL } from 'drizzle-orm';
import { AppError } from '../platform/errors.ts';
import type { Queryable } from '../store/database.ts';

const HOUR_SECONDS = 3_600;

export type Limited = 'jobs' | 'messages' | 'attachments';

const WORDS: Record<Limited, string> = { jobs: 'new jobs', messages: 'messages', attachments: 'uploads' };

/**
 * A sliding hour: the row that is `limit` rows back decides; when it leaves the hour, the next is accepted. Exact, where acceptances
 * of one project take turns (`acceptingLock`) and this runs in a statement of its own after the lock.
 * @throws AppError `rate_limited`
 */
export async function refuseAboveLimit(tx: Queryable, kind: Limited, projectId: string, limit: number): Promise<void> {
  const { rows } = await tx.execute<{ seconds: number }>(secondsToWait(kind, projectId, limit));
  const seconds = rows[0]?.seconds ?? 0;
  if (seconds > 0) throw rateLimited(kind, limit, seconds);
}

export function rateLimited(kind: Limited, limit: number, seconds: number): AppError {
  return new AppError(
    'rate_limited',
    `This project has had its ${limit} ${WORDS[kind]} of the last hour. Try again later.`,
    { retryAfterSeconds: Math.max(1, Math.ceil(seconds)) },
  );
}

/**
 * A query for `seconds`: how long the row that decides stays in the hour. No row where the limit is not reached. It counts the hour's
 * rows only: a project may have had any number before.
 */
export function secondsToWait(kind: Limited, projectId: string, limit: number): SQL {
  const nth =
    kind !== 'messages'
      ? sql`SELECT created_at FROM ${sql.raw(kind)} WHERE project_id = ${projectId} AND created_at > now() - interval '1 hour'
            ORDER BY created_at DESC OFFSET ${limit - 1} LIMIT 1`
      : sql`SELECT m.created_at FROM messages m JOIN jobs j ON j.id = m.job_id
            WHERE j.project_id = ${projectId} AND m.no > 1 AND m.created_at > now() - interval '1 hour'
            ORDER BY m.created_at DESC OFFSET ${limit - 1} LIMIT 1`;
  return sql`SELECT ${HOUR_SECONDS}::int - extract(epoch FROM clock_timestamp() - created_at)::float8 AS seconds FROM (${nth}) nth`;
}
