import { DAY_MS } from '@docent/base/time';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import { dateText, type Range } from '../events/days.ts';
import { findDamage } from '../storage/file-check.ts';
import { FilesDamaged } from '../storage/files-damaged.ts';
import { IS_CUBE_KIND, KIND_FILTER, kindsOf } from '../events/kinds.ts';
import type { Duck, Values } from '../storage/duck.ts';
import { dayExpression, relation } from '../storage/tables.ts';
import type { Counts, CountsByPath, Page, Paging, PathCounts, Whole } from './counts.ts';
import type { PageSums } from './cube-index.ts';
import { countEdges } from './edges.ts';
import {
  agentVisitors,
  extraPresence,
  filesOf,
  hasEdges,
  looseEvents,
  valuesOf,
  viewCounts,
  type Listed,
  type Query,
} from './span-relations.ts';
import {
  type Counting,
  listedPages,
  missingPages,
  NOTHING_LISTED,
  pageOf,
  referrers,
  viewsByPath,
  withoutCount,
  wholeOf,
} from './listings.ts';
import {
  isPageAlone,
  isNarrow,
  narrowedAgents,
  narrowedDays,
  narrowedPages,
  narrowedViews,
  type Narrowing,
} from './narrowed.ts';
import { countAround, type PageEffect, type Windows } from './page-effect.ts';
import type { PinnedVersion } from './pinned-version.ts';
import { spanOf, type Span } from './span.ts';
import { allPages, compareUtf8, countsOfPage, topPages } from './top-pages.ts';

export interface DayCounts {
  date: string;
  visitors: Counts;
  views: Counts;
}

interface Readers {
  visitors: number;
  views: number;
}

/** How many readers passed the check of their agent, failed it, or could not be checked. */
export type Verification = Record<'verified' | 'failed' | 'unknown', Readers>;

export interface ClassCounts extends Readers {
  class: string;
}

export interface AgentCounts extends ClassCounts, Verification {
  agent: string;
}

export interface ReferrerCounts {
  host: string;
  visitors: number;
  views: number;
}

export interface MissingPage {
  path: string;
  count: number;
  /** The host that sent most of them, if known. */
  referrer: string | null;
  lastSeen: Date;
}

const NOTHING: Counts = { human: 0, ai: 0, total: 0 };
const PIVOT = ['human', 'ai', 'total']
  .map((kind) => `coalesce(sum(n) FILTER (WHERE kind = '${kind}'), 0)::DOUBLE AS ${kind}`)
  .join(', ');

/** The queries of a version. All ranges are half-open; answers are exact. */
export class Queries {
  readonly #folder: AnalyticsFolder;
  readonly #duck: Duck;

  constructor(folder: AnalyticsFolder, duck: Duck) {
    this.#folder = folder;
    this.#duck = duck;
  }

  /** Site-wide totals and rows by path, most visitors (or views) first, then by path. */
  async byPath(
    pinned: PinnedVersion,
    measure: 'visitors' | 'views',
    range: Range,
    paging: Paging,
    narrowing: Narrowing = {},
  ): Promise<CountsByPath> {
    const span = spanOf(pinned.manifest, range);
    if (!span) return { totals: NOTHING, rows: [], count: 0, hasMore: false };
    if (isPageAlone(narrowing)) {
      const totals = await this.#countsOfPage(pinned, measure, span, narrowing.path);
      const all = totals.total > 0 ? [{ path: narrowing.path, ...totals }] : [];
      const rows = all.slice(paging.offset, paging.offset + paging.limit);
      return { totals, rows, count: all.length, hasMore: false };
    }
    if (isNarrow(narrowing)) {
      return this.#countsByPath(narrowedPages(narrowedViews(this.#folder, pinned, span, narrowing), measure), paging);
    }
    if (measure === 'views') return this.#countsByPath(viewsByPath(this.#folder, pinned, span), paging);
    return topPages(...(await this.#visitors(pinned, span)), paging);
  }

  /**
   * All rows in the order of {@link byPath}.
   * @param signal stops counting
   * @throws AppError `unavailable` after the signal
   */
  async allByPath(
    pinned: PinnedVersion,
    measure: 'visitors' | 'views',
    range: Range,
    signal: AbortSignal,
    narrowing: Narrowing = {},
  ): Promise<Whole<PathCounts>> {
    const span = spanOf(pinned.manifest, range);
    if (!span) return NOTHING_LISTED;
    const isAll = !isNarrow(narrowing);
    if (isAll && measure === 'visitors') {
      const pages = allPages(...(await this.#visitors(pinned, span)));
      return wholeOf(this.#duck, (session) => listedPages(session, pages), signal);
    }
    const { sql, ...views } = isAll
      ? viewsByPath(this.#folder, pinned, span)
      : narrowedPages(narrowedViews(this.#folder, pinned, span, narrowing), measure);
    const ofPages = { ...views, sql: `FROM (${sql}) WHERE path <> ''` };
    return wholeOf(this.#duck, async () => ofPages, signal);
  }

  async #countsOfPage(pinned: PinnedVersion, measure: 'visitors' | 'views', span: Span, path: string): Promise<Counts> {
    if (measure === 'visitors') return countsOfPage(...(await this.#visitors(pinned, span)), path);
    const { sql, values } = viewsByPath(this.#folder, pinned, span);
    const [row] = await this.#duck.use((session) =>
      session.all<Counts>(`FROM (${sql}) WHERE path = $path`, { ...values, path }),
    );
    return row ? countsOf(row) : NOTHING;
  }

  #visitors(pinned: PinnedVersion, span: Span): Promise<[PageSums, PathCounts[]]> {
    return Promise.all([
      pinned.cube.count(span.wholeFrom, span.wholeTo),
      hasEdges(span) ? this.#edges(pinned, span) : [],
    ]);
  }

  async #edges(pinned: PinnedVersion, span: Span): Promise<PathCounts[]> {
    const { revisits } = filesOf(pinned, span);
    const damaged = await findDamage(this.#folder, revisits, Infinity);
    if (damaged.length > 0) throw new FilesDamaged(damaged);
    return this.#duck.use((session) => countEdges(session, this.#folder, pinned, span));
  }

  /** @param listed path '' is the site */
  async #countsByPath({ sql, values, order }: Listed, paging: Paging): Promise<CountsByPath> {
    const rows = await this.#duck.use((session) =>
      session.all<Counting<PathCounts>>(
        `WITH paths AS MATERIALIZED (${sql}), pages AS (FROM paths WHERE path <> '')
         SELECT *, (SELECT count(*) FROM pages)::DOUBLE AS listed
         FROM (FROM paths WHERE path = '' UNION ALL (FROM pages ORDER BY ${order} LIMIT $limit OFFSET $offset))`,
        { ...values, limit: paging.limit, offset: paging.offset },
      ),
    );
    const site = rows.find((row) => row.path === '');
    const count = site?.listed ?? 0;
    const paths = rows
      .filter((row) => row.path !== '')
      .map((row) => withoutCount<PathCounts>(row))
      .toSorted((a, b) => b.total - a.total || compareUtf8(a.path, b.path));
    return {
      totals: site ? countsOf(site) : NOTHING,
      rows: paths,
      count,
      hasMore: paging.offset + paging.limit < count,
    };
  }

  /** Whether a visitor of the export's kinds has read this page. */
  async hasPath(pinned: PinnedVersion, path: string): Promise<boolean> {
    const isMerged = await pinned.cube.hasPage(path);
    if (isMerged || pinned.isAllMerged) return isMerged;
    const found = await this.#duck.use((session) =>
      session.all(`SELECT 1 AS found FROM ${pinned.unmerged} WHERE path = $path LIMIT 1`, { path }),
    );
    return found.length > 0;
  }

  /** By day, from the range's first to last day with data, including days without visitors. */
  async timeseries(pinned: PinnedVersion, range: Range, narrowing: Narrowing = {}): Promise<DayCounts[]> {
    const span = spanOf(pinned.manifest, range);
    if (!span) return [];
    const isOfEvents = narrowing.referrer !== undefined || narrowing.agent !== undefined;
    const [visitors, views, values] = isOfEvents
      ? this.#daysOfEvents(pinned, span, narrowing)
      : this.#daysOfCounts(pinned, span, narrowing.path ?? '');
    const [visitorRows, viewRows] = await this.#duck.use(async (session) => [
      await session.all<Counts & { day: number }>(visitors, values),
      await session.all<Counts & { day: number }>(views, values),
    ]);
    const [visitorDays, viewDays] = [byDay(visitorRows), byDay(viewRows)];
    const days: DayCounts[] = [];
    for (let day = Math.floor(span.from / DAY_MS); day * DAY_MS < span.to; day += 1) {
      days.push({
        date: dateText(day),
        visitors: visitorDays.get(day) ?? NOTHING,
        views: viewDays.get(day) ?? NOTHING,
      });
    }
    return days;
  }

  #daysOfEvents(pinned: PinnedVersion, span: Span, narrowing: Narrowing): Daily {
    const came = narrowedViews(this.#folder, pinned, span, narrowing);
    return [narrowedDays(came, 'visitors'), narrowedDays(came, 'views'), came.values];
  }

  /** @param path a page's, or '' for the site */
  #daysOfCounts(pinned: PinnedVersion, span: Span, path: string): Daily {
    const files = filesOf(pinned, span);
    const values = { ...valuesOf(this.#folder, pinned, span), path };
    const ofPath = path === '' ? '' : 'AND path = $path';
    const extras = extraPresence(pinned, span, ofPath);
    const loose = looseEvents(pinned, span);
    const whole = `path = $path AND day >= $wholeFrom AND day < $wholeTo`;
    const visitors = [
      `SELECT day, unnest(CASE WHEN kind = 'both' THEN ['total'] ELSE [kind, 'total'] END) AS kind, n
       FROM ${relation('cube', files.cube, 'cube')} WHERE ${IS_CUBE_KIND} AND ${whole}`,
    ];
    const views = [
      `SELECT day, kind, n FROM ${relation('views', files.views, 'views')} WHERE ${KIND_FILTER.export} AND ${whole}`,
    ];
    if (extras) {
      visitors.push(`
        SELECT day, kind, count(*) AS n FROM (
          SELECT DISTINCT day, visitor, unnest(${kindsOf(pinned.manifest.mapping).export}) AS kind FROM (${extras})
        ) ANTI JOIN (
          SELECT DISTINCT day, visitor, unnest(${kindsOf(pinned.manifest.mapping).export}) AS kind
          FROM ${relation('presence', files.presenceWhole, 'presenceWhole')}
          WHERE ${whole}
        ) USING (day, visitor, kind) GROUP BY ALL`);
    }
    if (loose) {
      views.push(`
        SELECT day, kind, count(*) AS n
        FROM (SELECT ${dayExpression('time')} AS day, unnest(${kindsOf(pinned.manifest.mapping).export}) AS kind FROM (${loose}) WHERE NOT not_found ${ofPath})
        GROUP BY ALL`);
    }
    return [daily(visitors), daily(views), values];
  }

  /** By AI agent, and by class of non-human visitors as a whole; most visitors first. */
  async agents(
    pinned: PinnedVersion,
    range: Range,
    narrowing: Narrowing = {},
  ): Promise<{ agents: AgentCounts[]; classes: ClassCounts[] }> {
    const span = spanOf(pinned.manifest, range);
    if (!span) return { agents: [], classes: [] };
    const { sql, values } = isNarrow(narrowing)
      ? narrowedAgents(narrowedViews(this.#folder, pinned, span, narrowing, 'everybody'), pinned)
      : this.#agentCounts(pinned, span);
    const rows = await this.#duck.use((session) =>
      session.all<{ kind: string; visitors: number; views: number }>(
        `FROM (${sql}) ORDER BY visitors DESC, views DESC, kind`,
        values,
      ),
    );
    const byKind = new Map(rows.map(({ kind, ...counts }) => [kind, counts]));
    const agents: AgentCounts[] = [];
    const classes: ClassCounts[] = [];
    for (const [kind, counts] of byKind) {
      const [what, visitorClass = '', ...rest] = kind.split(':');
      if (what === 'class') classes.push({ class: visitorClass, ...counts });
      if (what !== 'agent') continue;
      const agent = rest.join(':');
      const checked = (result: string) => byKind.get(`${result}:${visitorClass}:${agent}`) ?? { visitors: 0, views: 0 };
      agents.push({
        agent,
        class: visitorClass,
        ...counts,
        verified: checked('verified'),
        failed: checked('failed'),
        unknown: checked('unknown'),
      });
    }
    return { agents, classes };
  }

  #agentCounts(pinned: PinnedVersion, span: Span): Query {
    const visitors = agentVisitors(this.#folder, pinned, span);
    const views = viewCounts(this.#folder, pinned, span, 'agents', 'site');
    return {
      sql: `SELECT kind, coalesce(sum(visitors), 0)::DOUBLE AS visitors, coalesce(sum(views), 0)::DOUBLE AS views
            FROM (SELECT kind, n AS visitors, 0 AS views FROM ${visitors.sql}
                  UNION ALL SELECT kind, 0, n FROM ${views.sql})
            GROUP BY kind HAVING sum(views) > 0`,
      values: { ...visitors.values, ...views.values },
    };
  }

  /** Readers of pages before and after an instant: see {@link countAround}. */
  around(pinned: PinnedVersion, windows: Windows, pages: readonly (readonly string[])[]): Promise<PageEffect[]> {
    return countAround({ folder: this.#folder, duck: this.#duck }, pinned, windows, pages);
  }

  /** Visitors in `total` by referring host; most visitors first. */
  async referrers(
    pinned: PinnedVersion,
    range: Range,
    paging: Paging,
    narrowing: Narrowing = {},
  ): Promise<Page<ReferrerCounts>> {
    return this.#page(pinned, range, paging, (...asked) => referrers(...asked, narrowing));
  }

  /** As {@link allByPath}. */
  async allReferrers(
    pinned: PinnedVersion,
    range: Range,
    signal: AbortSignal,
    narrowing: Narrowing = {},
  ): Promise<Whole<ReferrerCounts>> {
    return this.#whole(pinned, range, signal, (...asked) => referrers(...asked, narrowing));
  }

  /** Requested addresses that did not exist; the most requested first. */
  async notFound(pinned: PinnedVersion, range: Range, paging: Paging): Promise<Page<MissingPage>> {
    return this.#page(pinned, range, paging, missingPages);
  }

  /** As {@link allByPath}. */
  async allNotFound(pinned: PinnedVersion, range: Range, signal: AbortSignal): Promise<Whole<MissingPage>> {
    return this.#whole(pinned, range, signal, missingPages);
  }

  async #page<R extends object>(
    pinned: PinnedVersion,
    range: Range,
    paging: Paging,
    listing: Listing,
  ): Promise<Page<R>> {
    const span = spanOf(pinned.manifest, range);
    if (!span) return { rows: [], count: 0, hasMore: false };
    return this.#duck.use((session) => pageOf<R>(session, listing(this.#folder, pinned, span), paging));
  }

  async #whole<R extends object>(
    pinned: PinnedVersion,
    range: Range,
    signal: AbortSignal,
    listing: Listing,
  ): Promise<Whole<R>> {
    const span = spanOf(pinned.manifest, range);
    if (!span) return NOTHING_LISTED;
    return wholeOf<R>(this.#duck, async () => listing(this.#folder, pinned, span), signal);
  }
}

/** SQL of visitors and of views by day, and the values of both. */
type Daily = [visitors: string, views: string, values: Values];

type Listing = (folder: AnalyticsFolder, pinned: PinnedVersion, span: Span) => Listed;

const daily = (selects: readonly string[]) => `SELECT day, ${PIVOT} FROM (${selects.join(' UNION ALL ')}) GROUP BY day`;

function byDay(rows: readonly (Counts & { day: number })[] = []): Map<number, Counts> {
  return new Map(rows.map((row) => [row.day, countsOf(row)]));
}

function countsOf({ human, ai, total }: Counts): Counts {
  return { human, ai, total };
}
