import { useEffect, useRef } from 'preact/hooks';
import type { components } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { problemOf } from '../../api/problem.ts';
import { useResource, type Resource } from '../../api/resource.ts';
import { addDays, daysBetween, daysOf, rangeQuery, type Span } from './range.ts';

export type Counts = components['schemas']['Counts'];
export type Measure = 'visitors' | 'views';

/** The subject of the whole page. */
export interface Subject {
  projectId: string;
  measure: Measure;
  span: Span;
  before: Span | null;
  today: string;
  only: Only;
}

/** The filter of the whole page, as the API's parameters. */
export interface Only {
  path?: string;
  referrer?: string;
  agent?: string;
}

export const isNarrowed = (only: Only): boolean => Object.keys(only).length > 0;

/** Distinguishes requests for different subjects. */
export const keyOf = ({ projectId, only }: Pick<Subject, 'projectId' | 'only'>, span: Span): string =>
  JSON.stringify([projectId, span, only.path, only.referrer, only.agent]);

export interface Both {
  visitors: Counts;
  views: Counts;
}

/**
 * The large numbers, and the version that everything else on the page is counted on, so that all of it fits
 * together.
 */
export interface Head {
  version: number;
  now: Both;
  before: Both | null;
  /** No one ever came. */
  isEmpty: boolean;
}

const HOURS_AT_ONCE = 6;

export async function loadHead({ projectId, span, before, only }: Subject, signal: AbortSignal): Promise<Head> {
  const path = { projectId };
  const first = await answerOf(
    api.GET('/v1/analytics/{projectId}/visitors', {
      params: { path, query: { ...rangeQuery(span), ...only, limit: 1 } },
      signal,
    }),
  );
  const { version } = first;
  const views = async (of: Span) => {
    const query = { ...rangeQuery(of), ...only, limit: 1, version };
    return (await answerOf(api.GET('/v1/analytics/{projectId}/views', { params: { path, query }, signal }))).totals;
  };
  const visitors = async (of: Span) => {
    const query = { ...rangeQuery(of), ...only, limit: 1, version };
    return (await answerOf(api.GET('/v1/analytics/{projectId}/visitors', { params: { path, query }, signal }))).totals;
  };
  const [viewsNow, visitorsBefore, viewsBefore, isEmpty] = await Promise.all([
    views(span),
    before && visitors(before),
    before && views(before),
    first.totals.total === 0 && hasNeverHadVisitors(projectId, version, signal),
  ]);
  return {
    version,
    now: { visitors: first.totals, views: viewsNow },
    before: visitorsBefore && viewsBefore && { visitors: visitorsBefore, views: viewsBefore },
    isEmpty,
  };
}

/** Crawlers are outside all totals: a site with only crawler visits has data, too. */
async function hasNeverHadVisitors(projectId: string, version: number, signal: AbortSignal): Promise<boolean> {
  const params = { path: { projectId }, query: { version } };
  const [agents, days, missing] = await Promise.all([
    answerOf(api.GET('/v1/analytics/{projectId}/agents', { params, signal })),
    answerOf(api.GET('/v1/analytics/{projectId}/timeseries', { params, signal })),
    answerOf(
      api.GET('/v1/analytics/{projectId}/not-found', {
        params: { ...params, query: { version, limit: 1 } },
        signal,
      }),
    ),
  ]);
  return (
    agents.classes.length === 0 && missing.notFound.length === 0 && days.days.every(({ views }) => views.total === 0)
  );
}

/**
 * Data of a version. It is reloaded for each new version, and stays visible until then.
 * @param more other dependencies that keep the shown data, such as the number of rows
 */
export function useCounted<T>(
  key: string | null,
  version: number | undefined,
  load: (version: number, signal: AbortSignal) => Promise<T>,
  { more = 0, onGone }: { more?: number; onGone?: () => void } = {},
): Resource<T> {
  const resource = useResource<T>(version === undefined ? null : key, async (signal) => {
    try {
      return await load(version ?? 0, signal);
    } catch (thrown) {
      // The page was asleep for longer than a version is kept.
      if (problemOf(thrown).code === 'version_gone') onGone?.();
      throw thrown;
    }
  });
  const of = useRef({ key, version, more });
  useEffect(() => {
    const had = of.current;
    of.current = { key, version, more };
    if (had.key === key && had.version !== undefined && (had.version !== version || had.more !== more))
      resource.reload();
  }, [key, version, more]);
  return resource;
}

export interface Point {
  /** Seconds since 1970. */
  at: number;
  now: Counts;
  /** The same place of the comparison. */
  before: { at: number; counts: Counts } | null;
}

export interface Series {
  unit: 'day' | 'hour';
  points: Point[];
  /** Whether the last day or hour is not finished: its count will grow. */
  isOpen: boolean;
}

const NOBODY: Counts = { human: 0, ai: 0, total: 0 };

/** By day; for a single day, by hour. */
export async function loadSeries(subject: Subject, version: number, signal: AbortSignal): Promise<Series> {
  const { span, before } = subject;
  const isDay = span.from !== null && daysBetween(span.from, span.to) === 1;
  const load = isDay ? loadHours : loadDays;
  const [now, then] = await Promise.all([
    load(subject, span, version, signal),
    before ? load(subject, { from: before.from, to: before.to }, version, signal) : null,
  ]);
  const end = (now.at(-1)?.at ?? 0) + (isDay ? 3_600 : 86_400);
  return {
    unit: isDay ? 'hour' : 'day',
    points: now.map(({ at, counts }, i) => ({ at, now: counts, before: then?.[i] ?? null })),
    isOpen: end * 1_000 > Date.now(),
  };
}

type Moment = { at: number; counts: Counts };

async function loadDays(
  { projectId, measure, today, only }: Subject,
  span: Span,
  version: number,
  signal: AbortSignal,
): Promise<Moment[]> {
  const params = { path: { projectId }, query: { ...rangeQuery(span), ...only, version } };
  const { days } = await answerOf(api.GET('/v1/analytics/{projectId}/timeseries', { params, signal }));
  const known = new Map(days.map((day) => [day.date, day[measure]]));
  // A line needs some days, even if everything began yesterday.
  const weekAgo = addDays(today, -6);
  const first = days[0] && days[0].date < weekAgo ? days[0].date : weekAgo;
  return daysOf(span, first, today).map((day) => ({ at: Date.parse(day) / 1_000, counts: known.get(day) ?? NOBODY }));
}

/** One request per hour: a visitor counts in each hour of a visit. */
async function loadHours(
  { projectId, measure, only }: Subject,
  span: Span,
  version: number,
  signal: AbortSignal,
): Promise<Moment[]> {
  const start = Date.parse(span.from ?? span.to);
  const starts = Array.from({ length: 24 }, (_, hour) => start + hour * 3_600_000).filter((at) => at <= Date.now());
  const hours: Moment[] = [];
  const ask = async (at: number): Promise<Moment> => {
    const [dateFrom, dateTo] = [new Date(at).toISOString(), new Date(at + 3_600_000).toISOString()];
    const params = { path: { projectId }, query: { dateFrom, dateTo, ...only, version, limit: 1 } };
    const { totals } =
      measure === 'visitors'
        ? await answerOf(api.GET('/v1/analytics/{projectId}/visitors', { params, signal }))
        : await answerOf(api.GET('/v1/analytics/{projectId}/views', { params, signal }));
    return { at: at / 1_000, counts: totals };
  };
  for (let i = 0; i < starts.length; i += HOURS_AT_ONCE) {
    hours.push(...(await Promise.all(starts.slice(i, i + HOURS_AT_ONCE).map(ask))));
  }
  return hours;
}
