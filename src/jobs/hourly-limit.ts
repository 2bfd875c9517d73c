import { sql, type SQL } from 'drizzle-orm';
import { AppError, type Quota } from '../platform/errors.ts';
import type { Queryable } from '../store/database.ts';
import { PLANNED_ANEW } from '../store/statement-names.ts';

const HOUR_SECONDS = 3_600;

export type Limited = 'jobs' | 'messages' | 'attachments';

const WORDS: Record<Limited, string> = { jobs: 'new jobs', messages: 'messages', attachments: 'uploads' };

/** The used part of a limit. `seconds`: until the oldest entry is an hour old; null if there is none. */
export interface UsedHour {
  used: number;
  seconds: number | null;
}

/**
 * A sliding hour: the row `limit` rows back decides. When it leaves the hour, the next one is accepted. Exact
 * if acceptances of a project are serialized (`acceptingLock`) and this runs in its own statement after the
 * lock.
 * @returns the rest of the limit after this acceptance
 * @throws AppError `rate_limited`
 */
export async function refuseAboveLimit(tx: Queryable, kind: Limited, projectId: string, limit: number): Promise<Quota> {
  const { rows } = await tx.execute<{ used: number; seconds: number | null }>(usedHour(kind, projectId, limit));
  const { used = 0, seconds = null } = rows[0] ?? {};
  if (used >= limit && seconds !== null && seconds > 0) throw rateLimited(kind, limit, seconds);
  return quotaAfter(kind, limit, { used, seconds });
}

/** The rest of the limit after one more acceptance. */
export function quotaAfter(kind: Limited, limit: number, { used, seconds }: UsedHour): Quota {
  const resetSeconds = Math.max(1, Math.ceil(seconds ?? HOUR_SECONDS));
  return { name: kind, limit, windowSeconds: HOUR_SECONDS, remaining: Math.max(0, limit - used - 1), resetSeconds };
}

export function rateLimited(kind: Limited, limit: number, seconds: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(seconds));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return new AppError(
    'rate_limited',
    `Rate limit reached: ${limit} ${WORDS[kind]} per hour. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    {
      retryAfterSeconds,
      quota: { name: kind, limit, windowSeconds: HOUR_SECONDS, remaining: 0, resetSeconds: retryAfterSeconds },
    },
  );
}

/** A query for one row, {@link UsedHour}: the oldest of the hour's newest `limit` rows decides. */
export function usedHour(kind: Limited, projectId: string, limit: number): SQL {
  // As a literal: with a parameter, PostgreSQL would plan for a tenth of all rows.
  const most = sql.raw(String(Math.trunc(limit)));
  const newest =
    kind !== 'messages'
      ? sql`SELECT created_at FROM ${sql.raw(kind)} WHERE project_id = ${projectId} AND created_at > now() - interval '1 hour'
            ORDER BY created_at DESC LIMIT ${most}`
      : sql`SELECT m.created_at FROM messages m JOIN jobs j ON j.id = m.job_id
            WHERE j.project_id = ${projectId} AND m.no > 1 AND ${sql.raw(PLANNED_ANEW)} AND m.created_at > now() - interval '1 hour'
            ORDER BY m.created_at DESC LIMIT ${most}`;
  return sql`SELECT count(*)::int AS used,
      ${HOUR_SECONDS}::int - extract(epoch FROM clock_timestamp() - min(created_at))::float8 AS seconds FROM (${newest}) newest`;
}
