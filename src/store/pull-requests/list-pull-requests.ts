import { and, desc, eq, getTableColumns, gte, inArray, lt, sql, type SQL } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { Queryable } from '../database.ts';
import type { PullRequestRow } from './pull-requests.ts';
import { pullRequests, type PullRequestState } from '../schema.ts';
import { PLANNED_ANEW } from '../statement-names.ts';

/** The filters of a project's pull request list. All must match. Undefined: any. Ranges exclude their end. */
export interface PullRequestFilter {
  /** One of these. */
  state?: readonly PullRequestState[] | undefined;
  createdFrom?: Date | undefined;
  createdTo?: Date | undefined;
  mergedFrom?: Date | undefined;
  mergedTo?: Date | undefined;
}

/** A pull request without its large fields. */
export type ListedPullRequest = Omit<PullRequestRow, 'diff' | 'body' | 'commits'>;

interface PullRequestPage extends PullRequestFilter {
  projectId: string;
  limit: number;
  before?: { createdAt: Date; id: string } | undefined;
}

/** Newest first; `before` is the last row of the previous page. */
export async function listPullRequests(q: Queryable, page: PullRequestPage): Promise<ListedPullRequest[]> {
  const states = [...new Set(page.state)];
  const pages = states.length > 1 ? states.map((state) => ({ ...page, state: [state] })) : [page];
  const [first, second, ...others] = pages.map((one) => pageOf(q, one));
  // Each state has its own place in an index, in the order of the list.
  if (first && second) {
    return unionAll(first, second, ...others)
      .orderBy(sql`created_at DESC, id DESC`)
      .limit(page.limit);
  }
  return pageOf(q, page);
}

function pageOf(q: Queryable, page: PullRequestPage) {
  const { diff: _diff, body: _body, commits: _commits, ...columns } = getTableColumns(pullRequests);
  const { before } = page;
  return q
    .select(columns)
    .from(pullRequests)
    .where(
      and(
        eq(pullRequests.projectId, page.projectId),
        ...conditions(page),
        before && sql`(${pullRequests.createdAt}, ${pullRequests.id}) < (${before.createdAt}, ${before.id})`,
      ),
    )
    .orderBy(desc(pullRequests.createdAt), desc(pullRequests.id))
    .limit(page.limit);
}

function conditions(filter: PullRequestFilter): (SQL | undefined)[] {
  const { state, createdFrom, createdTo, mergedFrom, mergedTo } = filter;
  const [only] = state ?? [];
  return [
    mergedFrom || mergedTo || createdFrom || createdTo ? sql.raw(PLANNED_ANEW) : undefined,
    // As a literal, like in the index: PostgreSQL does not match a bound value.
    state?.length === 1 && only
      ? eq(pullRequests.state, sql.raw(`'${only}'`))
      : state && inArray(pullRequests.state, [...state]),
    createdFrom && gte(pullRequests.createdAt, createdFrom),
    createdTo && lt(pullRequests.createdAt, createdTo),
    (mergedFrom ?? mergedTo) && sql`${pullRequests.state} = 'merged' AND ${pullRequests.state} <> 'open'`,
    mergedFrom && gte(pullRequests.settledAt, mergedFrom),
    mergedTo && lt(pullRequests.settledAt, mergedTo),
  ];
}
