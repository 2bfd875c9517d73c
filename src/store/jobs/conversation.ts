import { sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import type { MessageState, Outcome } from '../schema.ts';

/** A message of a job's conversation: one that it was sent, or what a turn answered. */
export interface ConversationEntry {
  /** Its place, from 1. */
  no: number;
  id: string;
  role: 'user' | 'assistant';
  text: string;
  state: MessageState;
  turn: number | null;
  outcome: Outcome | null;
  attachments: string[];
  createdAt: Date;
}

/**
 * A page of a job's conversation. An answer comes after the messages that the job had when its turn ended.
 * Both numbers are assigned with the job's row locked, so new entries always come last, and no number
 * changes.
 * @param page.after the number before the first one (`asc`), or after it (`desc`)
 */
export async function readConversation(
  q: Queryable,
  jobId: string,
  page: { order: 'asc' | 'desc'; after?: number | undefined; limit: number },
): Promise<ConversationEntry[]> {
  const isAsc = page.order === 'asc';
  const direction = sql.raw(isAsc ? 'ASC' : 'DESC');
  const from = page.after === undefined ? sql`true` : isAsc ? sql`no > ${page.after}` : sql`no < ${page.after}`;
  const { rows } = await q.execute<Record<string, unknown> & Omit<ConversationEntry, 'createdAt'> & { ms: string }>(sql`
    WITH said AS (
      SELECT m.no AS place, 0 AS kind, m.no AS ordinal, m.id, 'user' AS role, m.prompt AS text, m.state,
        m.turn_no AS turn, NULL::text AS outcome, m.attachments, m.created_at
      FROM messages m WHERE m.job_id = ${jobId}
      UNION ALL
      SELECT t.answered_after, 1, t.no, t.job_id || '-' || t.no, 'assistant', coalesce(t.summary, t.error_message), 'done',
        t.no, t.outcome, '[]'::jsonb, coalesce(t.ended_at, t.started_at)
      FROM turns t WHERE t.job_id = ${jobId} AND t.state <> 'running' AND coalesce(t.summary, t.error_message) IS NOT NULL
    ), numbered AS (
      SELECT *, (row_number() OVER (ORDER BY place, kind, ordinal))::int AS no FROM said
    )
    SELECT no, id, role, text, state, turn, outcome, attachments, (extract(epoch FROM created_at) * 1000)::bigint::text AS ms
    FROM numbered WHERE ${from} ORDER BY no ${direction} LIMIT ${page.limit}`);
  return rows.map(({ ms, ...said }) => ({ ...said, createdAt: new Date(Number(ms)) }));
}
