import type { Listing } from '../../analytics/analytics.ts';
import type { Range } from '../../analytics/events/days.ts';
import { channelOf } from '@docent/access-log/pages/channels';
import { operatorOf } from '@docent/access-log/agents/agent-rules';
import type { Paging, Whole } from '../../analytics/query/counts.ts';
import type { Narrowing } from '../../analytics/query/narrowed.ts';
import type { PinnedVersion } from '../../analytics/query/pinned-version.ts';
import type { MissingPage, ReferrerCounts } from '../../analytics/query/queries.ts';
import type { VisitorClass } from '@docent/access-log/event-kind';
import { readRange } from '../analytics-range.ts';
import type { Handler } from '../contract/handler.ts';
import type { components } from '@docent/client';
import { csvOf, csvParts } from '@docent/base/csv';
import { AppError } from '../../platform/errors.ts';
import { nextLink } from '../presenters/next-link.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';
import { readableStream } from '../streams/readable-stream.ts';

type Mapping = components['schemas']['ClassMapping'];

interface Input {
  path: { projectId: string };
  query: Narrowing & {
    dateFrom?: string;
    dateTo?: string;
    version?: number;
    limit?: number;
    offset?: number;
    all?: boolean;
  };
  request: RequestContext;
}

/** The requested page. Operations without pages have neither. */
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
  const { path: page = null, referrer = null, agent = null } = query;
  const about = [request.caller, request.operation?.id ?? '', range.from, range.to, page, referrer, agent];
  const listing: Listing = { about, paging };
  const answer = await analytics().ask(path.projectId, { version: query.version, listing }, (pinned) =>
    work(pinned, range, paging),
  );
  return { ...answer, mapping: { human: [...answer.mapping.human], ai: [...answer.mapping.ai] } };
}

/** Fields that do not fit into a table; in JSON, a list has them once for all its rows. */
function headersOf(
  { query, request }: Input,
  { version, count, hasMore }: { version: number; count: number; hasMore: boolean },
): Record<string, string> {
  const { limit, offset } = pagingOf(query);
  const headers = {
    'X-Version': String(version),
    'X-Total-Count': String(count),
    'X-Has-More': String(hasMore),
  };
  if (!hasMore || !request.operation) return headers;
  return { ...headers, Link: nextLink(request.operation, request.sentQuery, { offset: offset + limit, version }) };
}

/** For operations without pages. */
const wholeHeaders = (count: number, version: number) => ({
  'X-Version': String(version),
  'X-Total-Count': String(count),
});

const asCsv = (text: string, headers: Record<string, string>) =>
  ({ status: 200, type: 'text/csv', text, headers }) as const;

/**
 * Whether the complete listing is wanted.
 * @throws AppError `bad_request` unless it is a table without paging
 */
function isWhole({ query, request }: Input): boolean {
  if (query.all !== true) return false;
  if (!request.wantsCsv) {
    throw new AppError('bad_request', '`all` requires CSV: send `Accept: text/csv`, or request pages.');
  }
  const sent = new URLSearchParams(request.sentQuery);
  const page = ['limit', 'offset'].find((name) => sent.has(name));
  if (page === undefined) return true;
  throw new AppError('bad_request', `\`all\` returns every row. Remove \`${page}\` or \`all\`.`);
}

/** Streams a table. Missing files fail before it begins; later failures close the connection. */
async function asWholeCsv<Row, Column extends string>(
  { path, query, request }: Input,
  services: ApiServices,
  columns: readonly Column[],
  read: (pinned: PinnedVersion, range: Range, signal: AbortSignal) => Promise<Whole<Row>>,
  cells: (row: Row) => Record<Column, string | number | null>,
) {
  const range = readRange(query);
  const leave = services.limits.wholeListings.take(request.caller);
  try {
    const whole = await services
      .analytics()
      .ask(path.projectId, { version: query.version }, (pinned) => read(pinned, range, request.gone));
    const headers = { ...wholeHeaders(whole.count, whole.version), 'X-Has-More': 'false' };
    if (request.isHead) {
      await whole.close();
      leave();
      return { status: 200, type: 'text/csv', stream: null, headers } as const;
    }
    const parts = (async function* () {
      for await (const rows of whole.rows()) yield rows.map((row) => cells(row));
    })();
    const stream = readableStream(csvParts(columns, parts), {
      stallMs: services.config.stallMs,
      close: (reason) => {
        // Also if no row was taken.
        void whole.close();
        leave();
        request.log.debug({ rows: whole.count, reason }, 'a whole listing was closed');
      },
    });
    return { status: 200, type: 'text/csv', stream, headers } as const;
  } catch (err) {
    leave();
    throw err;
  }
}

const PATH_COLUMNS = ['path', 'human', 'ai', 'total'] as const;

/** Counts by path, as a table or as the parts of a JSON answer. */
async function countedByPath(input: Input, services: ApiServices, measure: 'visitors' | 'views') {
  const { queries } = services.analytics();
  if (isWhole(input)) {
    const read = (pinned: PinnedVersion, range: Range, signal: AbortSignal) =>
      queries.allByPath(pinned, measure, range, signal, input.query);
    return { table: await asWholeCsv(input, services, PATH_COLUMNS, read, (row) => row) };
  }
  const { totals, rows, version, mapping, ...page } = await askAnalytics(input, services, (pinned, range, paging) =>
    queries.byPath(pinned, measure, range, paging, input.query),
  );
  const headers = headersOf(input, { version, ...page });
  if (input.request.wantsCsv) return { table: asCsv(csvOf(PATH_COLUMNS, rows), headers) };
  return { totals, rows, rest: { hasMore: page.hasMore, version, mapping }, headers };
}

export const getVisitors: Handler<'getVisitors'> = async (input, services) => {
  const counted = await countedByPath(input, services, 'visitors');
  if (counted.table) return counted.table;
  const { totals, rows, rest, headers } = counted;
  return { status: 200, body: { totals, visitors: rows, ...rest }, headers };
};

export const getViews: Handler<'getViews'> = async (input, services) => {
  const counted = await countedByPath(input, services, 'views');
  if (counted.table) return counted.table;
  const { totals, rows, rest, headers } = counted;
  return { status: 200, body: { totals, views: rows, ...rest }, headers };
};

export const getTimeseries: Handler<'getTimeseries'> = async (input, services) => {
  const { days, version, mapping } = await askAnalytics(input, services, async (pinned, range) => ({
    days: await services.analytics().queries.timeseries(pinned, range, input.query),
  }));
  const headers = wholeHeaders(days.length, version);
  if (!input.request.wantsCsv) return { status: 200, body: { days, version, mapping }, headers };
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
  return asCsv(csvOf(columns, rows), headers);
};

const AGENT_COLUMNS = [
  'agent',
  'operator',
  'class',
  'visitors',
  'views',
  'verifiedVisitors',
  'verifiedViews',
  'failedVisitors',
  'failedViews',
  'unknownVisitors',
  'unknownViews',
] as const;

export const getAgents: Handler<'getAgents'> = async (input, services) => {
  const { version, ...counted } = await askAnalytics(input, services, (pinned, range) =>
    services.analytics().queries.agents(pinned, range, input.query),
  );
  const agents = counted.agents.map(({ agent, class: visitorClass, ...counts }) => ({
    agent,
    operator: operatorOf(agent),
    class: visitorClass as VisitorClass,
    ...counts,
  }));
  const headers = wholeHeaders(agents.length, version);
  if (input.request.wantsCsv) {
    const rows = agents.map(({ verified, failed, unknown, ...agent }) => ({
      ...agent,
      verifiedVisitors: verified.visitors,
      verifiedViews: verified.views,
      failedVisitors: failed.visitors,
      failedViews: failed.views,
      unknownVisitors: unknown.visitors,
      unknownViews: unknown.views,
    }));
    return asCsv(csvOf(AGENT_COLUMNS, rows), headers);
  }
  const classes = counted.classes.map((row) => ({ ...row, class: row.class as VisitorClass }));
  return { status: 200, body: { agents, classes, version }, headers };
};

const REFERRER_COLUMNS = ['host', 'channel', 'visitors', 'views'] as const;
const presentReferrer = (row: ReferrerCounts) => {
  const host = row.host === '' ? null : row.host;
  return { ...row, host, channel: channelOf(host) };
};

export const getReferrers: Handler<'getReferrers'> = async (input, services) => {
  const { queries } = services.analytics();
  if (isWhole(input)) {
    const read = (pinned: PinnedVersion, range: Range, signal: AbortSignal) =>
      queries.allReferrers(pinned, range, signal, input.query);
    return asWholeCsv(input, services, REFERRER_COLUMNS, read, presentReferrer);
  }
  const { rows, version, count, hasMore } = await askAnalytics(input, services, (pinned, range, paging) =>
    queries.referrers(pinned, range, paging, input.query),
  );
  const headers = headersOf(input, { version, count, hasMore });
  const counted = rows.map(presentReferrer);
  if (input.request.wantsCsv) return asCsv(csvOf(REFERRER_COLUMNS, counted), headers);
  return { status: 200, body: { referrers: counted, hasMore, version }, headers };
};

const MISSING_COLUMNS = ['path', 'count', 'referrer', 'lastSeen'] as const;
const presentMissing = (row: MissingPage) => ({ ...row, lastSeen: row.lastSeen.toISOString() });

export const getNotFound: Handler<'getNotFound'> = async (input, services) => {
  const { queries } = services.analytics();
  if (isWhole(input)) {
    const read = (pinned: PinnedVersion, range: Range, signal: AbortSignal) =>
      queries.allNotFound(pinned, range, signal);
    return asWholeCsv(input, services, MISSING_COLUMNS, read, presentMissing);
  }
  const { rows, version, count, hasMore } = await askAnalytics(input, services, (pinned, range, paging) =>
    queries.notFound(pinned, range, paging),
  );
  const notFound = rows.map(presentMissing);
  const headers = headersOf(input, { version, count, hasMore });
  if (input.request.wantsCsv) return asCsv(csvOf(MISSING_COLUMNS, notFound), headers);
  return { status: 200, body: { notFound, hasMore, version }, headers };
};

/** Until an event that was taken counts: it is sealed after 1.5 s, and that takes a moment. */
const DELAY_SECONDS = 2;

export const getLiveVisitors: Handler<'getLiveVisitors'> = async ({ path }, { analytics }) => {
  const { asOf, mapping, minutes, agents, ...counted } = await analytics().live(path.projectId);
  return {
    status: 200,
    body: {
      asOf: new Date(asOf).toISOString(),
      delaySeconds: DELAY_SECONDS,
      ...counted,
      minutes: minutes.map(({ start, ...counts }) => ({ start: new Date(start).toISOString(), ...counts })),
      agents: agents.map(({ agent, class: visitorClass, ...counts }) => ({
        agent,
        operator: operatorOf(agent),
        class: visitorClass as VisitorClass,
        ...counts,
      })),
      mapping: { human: [...mapping.human], ai: [...mapping.ai] },
    },
  };
};
