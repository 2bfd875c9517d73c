import { and, desc, eq, gte, inArray, lt, sql, type SQL } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import { readerFeedback, readerSearches, type FeedbackSource, type FeedbackStatus } from './reader-reports-schema.ts';

export type FeedbackRow = typeof readerFeedback.$inferSelect;
export type NewFeedback = Omit<typeof readerFeedback.$inferInsert, 'id' | 'status' | 'notes' | 'createdAt'>;
export type NewSearch = Omit<typeof readerSearches.$inferInsert, 'id' | 'createdAt'>;

/** Milliseconds since 1970, half-open; null for no bound. */
interface Range {
  from: number | null;
  to: number | null;
}

export interface FeedbackFilter {
  projectId: string;
  range: Range;
  source?: FeedbackSource | undefined;
  statuses?: readonly FeedbackStatus[] | undefined;
}

export interface PageFeedback extends Record<string, unknown> {
  path: string;
  thumbsUp: number;
  thumbsDown: number;
  code: number;
  total: number;
}

export interface SearchTerm extends Record<string, unknown> {
  searchQuery: string;
  hits: number;
  clicks: number;
  topClickedPage: string | null;
  lastSearchedAt: string;
}

/** A hash of 64 bits as the columns hold it. */
export const visitorColumn = (visitor: bigint): bigint => BigInt.asIntN(64, visitor);

export async function addFeedback(q: Queryable, feedback: NewFeedback): Promise<void> {
  await q.insert(readerFeedback).values({ ...feedback, id: `fb_${newId()}` });
}

/** Safe to repeat. Undefined fields stay. @returns the row as it is then; null if the project has none */
export async function updateFeedback(
  q: Queryable,
  at: { projectId: string; id: string },
  set: { status?: FeedbackStatus | undefined; notes?: string | null | undefined },
): Promise<FeedbackRow | null> {
  const [row] = await q
    .update(readerFeedback)
    .set(set)
    .where(and(eq(readerFeedback.projectId, at.projectId), eq(readerFeedback.id, at.id)))
    .returning();
  return row ?? null;
}

export async function addSearch(q: Queryable, search: NewSearch): Promise<void> {
  await q.insert(readerSearches).values(search);
}

/** Newest first; `before` is the last row of the previous page. */
export function listFeedback(
  q: Queryable,
  filter: FeedbackFilter & { limit: number; before?: { createdAt: Date; id: string } | undefined },
): Promise<FeedbackRow[]> {
  const { before } = filter;
  return q
    .select()
    .from(readerFeedback)
    .where(
      and(
        matching(filter),
        before && sql`(${readerFeedback.createdAt}, ${readerFeedback.id}) < (${before.createdAt}, ${before.id})`,
      ),
    )
    .orderBy(desc(readerFeedback.createdAt), desc(readerFeedback.id))
    .limit(filter.limit);
}

/** Most feedback first, then by path. */
export async function feedbackByPage(
  q: Queryable,
  filter: FeedbackFilter & { limit: number },
): Promise<PageFeedback[]> {
  const { rows } = await q.execute<PageFeedback>(sql`
    SELECT path, count(*) FILTER (WHERE helpful AND source <> 'code_snippet')::int AS "thumbsUp",
      count(*) FILTER (WHERE NOT helpful AND source <> 'code_snippet')::int AS "thumbsDown",
      count(*) FILTER (WHERE source = 'code_snippet')::int AS code, count(*)::int AS total
    FROM reader_feedback WHERE ${matching(filter)} GROUP BY path ORDER BY total DESC, path LIMIT ${filter.limit}`);
  return rows;
}

/**
 * Most searched first, then by name; `after` is the last row of the previous page. Capitals do not matter.
 */
export async function listSearches(
  q: Queryable,
  filter: { projectId: string; range: Range; limit: number; after?: { hits: number; query: string } | undefined },
): Promise<SearchTerm[]> {
  const { after } = filter;
  const further = after
    ? sql`AND (hits < ${after.hits} OR (hits = ${after.hits} AND "searchQuery" > ${after.query}))`
    : sql``;
  const { rows } = await q.execute<SearchTerm>(sql`
    SELECT * FROM (
      SELECT lower(query) COLLATE "C" AS "searchQuery", count(*) FILTER (WHERE clicked_path IS NULL)::int AS hits,
        count(*) FILTER (WHERE clicked_path IS NOT NULL)::int AS clicks,
        mode() WITHIN GROUP (ORDER BY clicked_path) AS "topClickedPage",
        to_char(max(created_at) FILTER (WHERE clicked_path IS NULL) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "lastSearchedAt"
      FROM reader_searches WHERE ${searchesOf(filter)} GROUP BY 1) terms
    WHERE hits > 0 ${further} ORDER BY hits DESC, "searchQuery" LIMIT ${filter.limit}`);
  return rows;
}

/** How often anything was searched for. */
export function countSearches(q: Queryable, filter: { projectId: string; range: Range }): Promise<number> {
  const searches = q
    .select({ id: readerSearches.id })
    .from(readerSearches)
    .where(and(searchesOf(filter), sql`${readerSearches.clickedPath} IS NULL`));
  return q.$count(searches.as('searches'));
}

/** At the addresses of a page, by its number. */
export interface PageReports extends Record<string, unknown> {
  no: number;
  /** Whether it was after the instant. */
  later: boolean;
  /** Readers who opened the page from their search. */
  searches: number;
  negativeFeedback: number;
}

/**
 * Counts searches that ended at pages, and negative feedback, before and after an instant. Omits pages
 * without any.
 */
export async function countReportsAround(
  q: Queryable,
  { projectId, from, at, to }: { projectId: string; from: number; at: number; to: number },
  pages: readonly (readonly string[])[],
): Promise<PageReports[]> {
  const asked = pages.flatMap((addresses, no) => addresses.map((address) => ({ address, no })));
  if (asked.length === 0) return [];
  const [start, middle, end] = [from, at, to].map((instant) => sql`${new Date(instant).toISOString()}::timestamptz`);
  const { rows } = await q.execute<PageReports>(sql`
    WITH asked AS (
      SELECT * FROM unnest(${sql.param(asked.map(({ address }) => address))}::text[], ${sql.param(asked.map(({ no }) => no))}::int[]) AS a(path, no)
    ), said AS (
      SELECT clicked_path AS path, created_at, 1 AS searched, 0 AS negative FROM reader_searches
      WHERE project_id = ${projectId} AND clicked_path IS NOT NULL
      UNION ALL
      SELECT path, created_at, 0, 1 FROM reader_feedback
      WHERE project_id = ${projectId} AND NOT helpful AND source <> 'code_snippet'
    )
    SELECT no, created_at >= ${middle} AS later, sum(searched)::int AS searches, sum(negative)::int AS "negativeFeedback"
    FROM said JOIN asked USING (path) WHERE created_at >= ${start} AND created_at < ${end} GROUP BY 1, 2`);
  return rows;
}

/** Deletes older feedback and searches. Idempotent. @returns how many */
export async function deleteReportsBefore(q: Queryable, projectId: string, before: number): Promise<number> {
  const at = new Date(before);
  return deleted(q, [
    and(eq(readerFeedback.projectId, projectId), lt(readerFeedback.createdAt, at)),
    and(eq(readerSearches.projectId, projectId), lt(readerSearches.createdAt, at)),
  ]);
}

/** Deletes one visitor's feedback and searches, under each of its ids. Idempotent. @returns how many */
export async function deleteReportsOf(q: Queryable, projectId: string, visitors: readonly bigint[]): Promise<number> {
  if (visitors.length === 0) return 0;
  const ids = visitors.map(visitorColumn);
  return deleted(q, [
    and(eq(readerFeedback.projectId, projectId), inArray(readerFeedback.visitor, ids)),
    and(eq(readerSearches.projectId, projectId), inArray(readerSearches.visitor, ids)),
  ]);
}

async function deleted(
  q: Queryable,
  [feedback, searches]: readonly [SQL | undefined, SQL | undefined],
): Promise<number> {
  const first = await q.delete(readerFeedback).where(feedback);
  const second = await q.delete(readerSearches).where(searches);
  return (first.rowCount ?? 0) + (second.rowCount ?? 0);
}

function matching({ projectId, range, source, statuses }: FeedbackFilter): SQL | undefined {
  const { createdAt } = readerFeedback;
  return and(
    eq(readerFeedback.projectId, projectId),
    range.from === null ? undefined : gte(createdAt, new Date(range.from)),
    range.to === null ? undefined : lt(createdAt, new Date(range.to)),
    source && eq(readerFeedback.source, source),
    statuses && inArray(readerFeedback.status, [...statuses]),
  );
}

function searchesOf({ projectId, range }: { projectId: string; range: Range }): SQL | undefined {
  const { createdAt } = readerSearches;
  return and(
    eq(readerSearches.projectId, projectId),
    range.from === null ? undefined : gte(createdAt, new Date(range.from)),
    range.to === null ? undefined : lt(createdAt, new Date(range.to)),
  );
}
