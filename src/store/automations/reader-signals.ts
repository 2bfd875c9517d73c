import { sql } from 'drizzle-orm';
import type { ReaderSignal } from '../../config/automation-values.ts';
import type { Queryable } from '../database.ts';

/** A page or a search with a signal, and how many visitors it has. */
export interface SignalSubject {
  /** The path of a page, or a search text, in lower case: hostile. */
  subject: string;
  visitors: number;
  /** Comments of its newest visitors, at most five: hostile. */
  comments: string[];
}

interface SignalQuestion {
  projectId: string;
  from: Date;
  threshold: number;
  limit: number;
}

/** Signals that are counted from readers' feedback and searches. */
type ReportedSignal = Exclude<ReaderSignal, 'not_found' | 'read_by_ai_only'>;

/**
 * Pages or searches with at least that many distinct visitors, most visitors first. Visitors who object to
 * being counted do not count.
 */
export async function countReports(
  q: Queryable,
  signal: ReportedSignal,
  question: SignalQuestion,
): Promise<SignalSubject[]> {
  const { projectId, threshold, limit } = question;
  const of = sql`project_id = ${projectId} AND created_at >= ${question.from.toISOString()}::timestamptz`;
  const comments = sql`coalesce((array_agg(left(comment, 500) ORDER BY created_at DESC) FILTER (WHERE comment <> ''))[1:5], '{}')`;
  const counted = {
    search_without_click: sql`
      SELECT lower(query) AS subject, count(DISTINCT visitor)::int AS visitors, '{}'::text[] AS comments
      FROM reader_searches s WHERE ${of} AND clicked_path IS NULL AND NOT EXISTS (
        SELECT 1 FROM reader_searches c WHERE c.project_id = s.project_id AND c.visitor = s.visitor
          AND lower(c.query) = lower(s.query) AND c.clicked_path IS NOT NULL AND c.created_at >= ${question.from.toISOString()}::timestamptz)
      GROUP BY 1`,
    negative_feedback: sql`
      SELECT path AS subject, count(DISTINCT visitor)::int AS visitors, ${comments} AS comments
      FROM reader_feedback WHERE ${of} AND source <> 'agent' AND NOT helpful AND status = 'pending' GROUP BY 1`,
    // Agents have no ids of visitors where they send their feedback themselves: then each message counts.
    agent_feedback: sql`
      SELECT path AS subject, count(DISTINCT coalesce(visitor::text, id))::int AS visitors, ${comments} AS comments
      FROM reader_feedback WHERE ${of} AND source = 'agent' AND status = 'pending' GROUP BY 1`,
  };
  const { rows } = await q.execute<SignalSubject & Record<string, unknown>>(sql`
    SELECT subject, visitors, comments FROM (${counted[signal]}) counted
    WHERE visitors >= ${threshold} ORDER BY visitors DESC, subject COLLATE "C" LIMIT ${limit}`);
  return rows;
}

/** Enabled automations that readers start. */
export async function listReaderAutomations(
  q: Queryable,
): Promise<{ projectId: string; id: string; updatedAt: string }[]> {
  const { rows } = await q.execute<{ projectId: string; id: string; updatedAt: string }>(sql`
    SELECT project_id AS "projectId", id, updated_at::text AS "updatedAt" FROM automations
    WHERE trigger ->> 'type' = 'readers' AND enabled AND paused_at IS NULL ORDER BY project_id, id`);
  return rows;
}
