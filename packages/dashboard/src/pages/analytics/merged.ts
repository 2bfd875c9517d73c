import { api, answerOf } from '../../api/client.ts';
import type { Merged } from './chart.tsx';
import { rangeQuery, type Span } from './range.ts';

/** Pull requests that were merged in a span: the newest hundred. */
export async function loadMerged(
  projectId: string,
  span: Span,
  signal: AbortSignal,
): Promise<{ at: string; title: string; jobId: string }[]> {
  const { dateFrom, dateTo } = rangeQuery(span);
  const page = await answerOf(
    api.GET('/v1/projects/{projectId}/pull-requests', {
      params: {
        path: { projectId },
        query: { state: ['merged'], limit: 100, mergedTo: dateTo, ...(dateFrom ? { mergedFrom: dateFrom } : {}) },
      },
      signal,
    }),
  );
  return page.pullRequests.flatMap(({ mergedAt, title, jobId }) => (mergedAt ? [{ at: mergedAt, title, jobId }] : []));
}

/** Assigns changes to the day or hour in which they were merged. */
export function mergedIn(
  merged: readonly { at: string; title: string; jobId: string }[],
  unit: 'day' | 'hour',
): Merged[] {
  const length = unit === 'day' ? 86_400 : 3_600;
  return merged.map(({ at, ...rest }) => ({ at: Math.floor(Date.parse(at) / 1_000 / length) * length, ...rest }));
}
