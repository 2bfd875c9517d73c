import { api, answerOf } from '../../api/client.ts';
import { isNarrowed, type Subject } from './counted.ts';
import { addDays, rangeQuery } from './range.ts';

type Table = 'visitors' | 'views' | 'timeseries' | 'agents' | 'referrers' | 'not-found';

/** Every row of a table, as the API writes it. */
export async function loadTable({ projectId, span, only }: Subject, table: Table, version: number): Promise<Blob> {
  const path = { projectId };
  const some = { ...rangeQuery(span), version };
  const as = { headers: { Accept: 'text/csv' }, parseAs: 'blob' } as const;
  const all = { ...as, params: { path, query: { ...some, ...only, all: true } } };
  const whole = { ...as, params: { path, query: { ...some, ...only } } };
  const unfiltered = { ...as, params: { path, query: { ...some, all: true } } };
  const asked = {
    visitors: () => api.GET('/v1/analytics/{projectId}/visitors', all),
    views: () => api.GET('/v1/analytics/{projectId}/views', all),
    referrers: () => api.GET('/v1/analytics/{projectId}/referrers', all),
    'not-found': () => api.GET('/v1/analytics/{projectId}/not-found', unfiltered),
    timeseries: () => api.GET('/v1/analytics/{projectId}/timeseries', whole),
    agents: () => api.GET('/v1/analytics/{projectId}/agents', whole),
  }[table]();
  return answerOf(asked as Promise<{ data?: Blob; error?: unknown; response: Response }>);
}

/** Names the site, the content, and the days. */
export function fileNameOf({ projectId, span, only }: Subject, table: Table): string {
  const filtered = isNarrowed(only) ? '-filtered' : '';
  return `${projectId}-${table}${filtered}-${span.from ?? 'all'}-to-${addDays(span.to, -1)}.csv`;
}
