import type { Range } from '../../analytics/events/days.ts';
import type { Listing } from '../../analytics/analytics.ts';
import type { Page } from '../../analytics/query/queries.ts';
import type { Snapshot } from '../../analytics/query/snapshot.ts';
import { readRange } from '../analytics-range.ts';
import type { components } from '../generated/openapi.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';

type Mapping = components['schemas']['ClassMapping'];

interface Input {
  path: { projectId: string };
  query: { dateFrom?: string; dateTo?: string; version?: number; limit?: number; offset?: number };
  request: RequestContext;
}

/** Asks a question of the project's newest data, or of the version that goes with the request. */
export async function askAnalytics<T extends object>(
  { path, query, request }: Input,
  { analytics }: ApiServices,
  work: (snapshot: Snapshot, range: Range, page: Page) => Promise<T>,
): Promise<T & { version: number; mapping: Mapping }> {
  const range = readRange(query);
  const page = { limit: query.limit ?? 50, offset: query.offset ?? 0 };
  const who = request.principal?.kind === 'key' ? request.principal.key.id : 'operator';
  const listing: Listing = { about: [who, request.operation?.id ?? '', range.from, range.to], page };
  const answer = await analytics().ask(path.projectId, { version: query.version, listing }, (snapshot) =>
    work(snapshot, range, page),
  );
  return { ...answer, mapping: { human: [...answer.mapping.human], ai: [...answer.mapping.ai] } };
}

export const asCsv = (text: string) => ({ status: 200, type: 'text/csv', text }) as const;
