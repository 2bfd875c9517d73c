import type { JobFilter } from '../../store/jobs/list-jobs.ts';
import { readRangeOf } from '../analytics-range.ts';
import type { QueryOf } from '../contract/handler.ts';

/**
 * A job list's normalized filter, to which cursors are bound.
 * @throws AppError `bad_request` that names the parameter
 */
export function jobFilterOf(query: QueryOf<'listJobs'>): { [K in keyof JobFilter]: JobFilter[K] } {
  const { status, state, outcome, q, createdFrom, createdTo, hasPullRequest, model, automation, createdBy, metadata } =
    query;
  const { from, to } = readRangeOf('created', createdFrom, createdTo);
  return {
    status: status && [...new Set([status].flat())].toSorted(),
    state: state && [...new Set(state)].toSorted(),
    outcome: outcome && [...new Set(outcome)].toSorted(),
    text: q,
    createdFrom: from === null ? undefined : new Date(from),
    createdTo: to === null ? undefined : new Date(to),
    hasPullRequest,
    model,
    automation,
    createdBy,
    metadata: metadata && Object.fromEntries(Object.entries(metadata).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}
