import type { Listing } from '../../analytics/analytics.ts';
import type { Range } from '../../analytics/events/days.ts';
import { operatorOf } from '../../analytics/events/classify/agent-rules.ts';
import type { Paging } from '../../analytics/query/counts.ts';
import type { PinnedVersion } from '../../analytics/query/pinned-version.ts';
import type { VisitorClass } from '../../config/project-settings.ts';
import { readRange } from '../analytics-range.ts';
import type { Handler, Handlers } from '../contract/handler.ts';
import type { components } from '../generated/openapi.ts';
import { csvOf } from '../../platform/csv.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';

type Mapping = components['schemas']['ClassMapping'];

interface Input {
  path: { projectId: string };
  query: { dateFrom?: string; dateTo?: string; version?: number; limit?: number; offset?: number };
  request: RequestContext;
}

/** The rows that are asked for. Operations without pages have neither. */
function pagingOf({ limit = 50, offset = 0 }: Input['query']): Paging {
  return { limit, offset };
}

/** Asks a question of the project's newest data, or of the version that goes with the request. */
async function askAnalytics<T extends object>(
  { path, query, request }: Input,
  { analytics }: ApiServices,
  work: (pinned: PinnedVersion, range: Range, paging: Paging) => Promise<T>,
): Promise<T & { version: number; mapping: Mapping }> {
  const range = readRange(query);
  const paging = pagingOf(query);
  const who = request.principal?.kind === 'key' ? request.principal.key.id : 'operator';
  const listing: Listing = { about: [who, request.operation?.id ?? '', range.from, range.to], paging };
  const answer = await analytics().ask(path.projectId, { version: query.version, listing }, (pinned) =>
    work(pinned, range, paging),
  );
  return { ...answer, mapping: { human: [...answer.mapping.human], ai: [...answer.mapping.ai] } };
}

const asCsv = (text: string) => ({ status: 200, type: 'text/csv', text }) as const;

/** Rows that may not be all: CSV has no place to say so, its headers have. The rest is asked for of the same version. */
function asCsvPage({ query }: Input, text: string, { hasMore, version }: { hasMore: boolean; version: number }) {
  const { limit, offset } = pagingOf(query);
  const next = new URLSearchParams(
    Object.entries({ ...query, limit, offset: offset + limit, version }).map(([name, value]) => [name, String(value)]),
  );
  const headers: Record<string, string> = { 'X-Has-More': String(hasMore) };
  if (hasMore) headers.Link = `<?${next}>; rel="next"`;
  return { ...asCsv(text), headers };
}

const getVisitors: Handler<'getVisitors'> = async (input, services) => {
  const { totals, rows, hasMore, version, mapping } = await askAnalytics(input, services, (pinned, range, paging) =>
    services.analytics().queries.byPath(pinned, 'visitors', range, paging),
  );
  if (input.request.wantsCsv)
    return asCsvPage(input, csvOf(['path', 'human', 'ai', 'total'], rows), { hasMore, version });
  return { status: 200, body: { totals, visitors: rows, hasMore, version, mapping } };
};

const getViews: Handler<'getViews'> = async (input, services) => {
  const { totals, rows, hasMore, version, mapping } = await askAnalytics(input, services, (pinned, range, paging) =>
    services.analytics().queries.byPath(pinned, 'views', range, paging),
  );
  if (input.request.wantsCsv)
    return asCsvPage(input, csvOf(['path', 'human', 'ai', 'total'], rows), { hasMore, version });
  return { status: 200, body: { totals, views: rows, hasMore, version, mapping } };
};

const getTimeseries: Handler<'getTimeseries'> = async (input, services) => {
  const { days, version, mapping } = await askAnalytics(input, services, async (pinned, range) => ({
    days: await services.analytics().queries.timeseries(pinned, range),
  }));
  if (!input.request.wantsCsv) return { status: 200, body: { days, version, mapping } };
  const columns = [
    'date',
    'visitorsHuman',
    'visitorsAi',
    'visitorsTotal',
    'viewsHuman',
    'viewsAi',
    'viewsTotal',
  ] as const;
  const rows = days.map(({ date, visitors, views }) => ({
    date,
    visitorsHuman: visitors.human,
    visitorsAi: visitors.ai,
    visitorsTotal: visitors.total,
    viewsHuman: views.human,
    viewsAi: views.ai,
    viewsTotal: views.total,
  }));
  return asCsv(csvOf(columns, rows));
};

const getAgents: Handler<'getAgents'> = async (input, services) => {
  const { rows, version } = await askAnalytics(input, services, async (pinned, range) => ({
    rows: await services.analytics().queries.agents(pinned, range),
  }));
  const agents = rows.flatMap(({ agent, class: visitorClass, visitors, views }) =>
    agent === null
      ? []
      : [{ agent, operator: operatorOf(agent), class: visitorClass as VisitorClass, visitors, views }],
  );
  if (input.request.wantsCsv) return asCsv(csvOf(['agent', 'operator', 'class', 'visitors', 'views'], agents));
  const classes = rows
    .filter((row) => row.agent === null)
    .map((row) => ({ class: row.class as VisitorClass, visitors: row.visitors, views: row.views }));
  return { status: 200, body: { agents, classes, version } };
};

const getReferrers: Handler<'getReferrers'> = async (input, services) => {
  const { rows, hasMore, version } = await askAnalytics(input, services, (pinned, range, paging) =>
    services.analytics().queries.referrers(pinned, range, paging),
  );
  if (input.request.wantsCsv) return asCsvPage(input, csvOf(['host', 'visitors', 'views'], rows), { hasMore, version });
  return { status: 200, body: { referrers: rows, hasMore, version } };
};

const getNotFound: Handler<'getNotFound'> = async (input, services) => {
  const { rows, hasMore, version } = await askAnalytics(input, services, (pinned, range, paging) =>
    services.analytics().queries.notFound(pinned, range, paging),
  );
  const notFound = rows.map((row) => ({ ...row, lastSeen: row.lastSeen.toISOString() }));
  if (input.request.wantsCsv) {
    const text = csvOf(['path', 'count', 'referrer', 'lastSeen'], notFound);
    return asCsvPage(input, text, { hasMore, version });
  }
  return { status: 200, body: { notFound, hasMore, version } };
};

export const analyticsRoutes = {
  getVisitors,
  getViews,
  getTimeseries,
  getAgents,
  getReferrers,
  getNotFound,
} satisfies Partial<Handlers>;
