import { listPullRequests as list, type PullRequestFilter } from '../../store/pull-requests/list-pull-requests.ts';
import { findProject, projectNotFound } from '../../store/projects/projects.ts';
import { readRangeOf } from '../analytics-range.ts';
import type { Handler, QueryOf } from '../contract/handler.ts';
import { pageOf, readTimeCursor, timeCursorOf } from '../presenters/cursor.ts';
import { presentPullRequest } from '../presenters/pull-request.ts';

export const listPullRequests: Handler<'listPullRequests'> = async ({ path, query }, services) => {
  const { db } = services;
  const filter = filterOf(query);
  const before = readTimeCursor(query.cursor, filter);
  const found = await list(db, { ...filter, projectId: path.projectId, limit: query.limit + 1, before });
  if (found.length === 0 && !(await findProject(db, path.projectId))) throw projectNotFound(path.projectId);
  const { rows, nextCursor } = pageOf(found, query.limit, timeCursorOf, filter);
  return { status: 200, body: { pullRequests: rows.map((row) => presentPullRequest(row, services)), nextCursor } };
};

/** Normalized, because cursors are bound to it. @throws AppError `bad_request` that names the parameter */
function filterOf(query: QueryOf<'listPullRequests'>): { [K in keyof PullRequestFilter]: PullRequestFilter[K] } {
  const created = readRangeOf('created', query.createdFrom, query.createdTo);
  const merged = readRangeOf('merged', query.mergedFrom, query.mergedTo);
  return {
    state: query.state && [...new Set(query.state)].toSorted(),
    createdFrom: dateOf(created.from),
    createdTo: dateOf(created.to),
    mergedFrom: dateOf(merged.from),
    mergedTo: dateOf(merged.to),
  };
}

const dateOf = (instant: number | null): Date | undefined => (instant === null ? undefined : new Date(instant));
