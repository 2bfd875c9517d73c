import type { FileRow } from '../../store/analytics/manifest.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import type { Values } from '../storage/duck.ts';
import { KIND_FILTER, kindsOf, type KindSet } from '../events/kinds.ts';
import {
  absolutePaths,
  COLUMNS,
  dayExpression,
  instantExpression,
  ofFamily,
  overlapping,
  relation,
} from '../storage/tables.ts';
import type { PinnedVersion } from './pinned-version.ts';
import type { Span } from './span.ts';

/** SQL and the values that it names. */
export interface Query {
  sql: string;
  values: Values;
}

/** Rows as a query, and their order: the same for a page and for the whole. */
export interface Listed extends Query {
  order: string;
  /** The column that no row is without. */
  key: string;
  /** Temporary tables that were made for it. */
  tables?: readonly string[];
}

/** The requested rows: only the whole site's, or all. */
export type Scope = 'site' | 'all';

const scopeFilter = (scope: Scope) => (scope === 'site' ? `path = ''` : 'true');
const IN_SPAN = `time >= ${instantExpression('$from')} AND time < ${instantExpression('$to')}`;

/** Unique visitors of the kinds of agents, of the site, as relations (kind, n) to be added up. */
export function agentVisitors(folder: AnalyticsFolder, pinned: PinnedVersion, span: Span): Query {
  const { cube } = filesOf(pinned, span);
  const counted = `SELECT kind, n FROM ${relation('cube', cube, 'cube')}
    WHERE ${KIND_FILTER.agents} AND path = '' AND day >= $wholeFrom AND day < $wholeTo AND prev < $wholeFrom`;
  const extra = extraAgents(folder, pinned, span);
  return extra
    ? { sql: `(${counted} UNION ALL SELECT kind, n FROM ${extra.sql})`, values: extra.values }
    : { sql: `(${counted})`, values: valuesOf(folder, pinned, span) };
}

/** Unique visitors (kind, n) of the site's agents beyond the cube: pieces of days, and unmerged events. */
function extraAgents(folder: AnalyticsFolder, pinned: PinnedVersion, span: Span): Query | null {
  const extras = extraPresence(pinned, span);
  if (extras === null) return null;
  const { presenceWhole } = filesOf(pinned, span);
  const { agents } = kindsOf(pinned.manifest.mapping);
  return {
    sql: `(
      WITH extra AS MATERIALIZED (${extras}),
      extra_kinds AS (SELECT DISTINCT visitor, unnest(${agents}) AS kind FROM extra),
      counted_kinds AS (
        SELECT DISTINCT visitor, unnest(${agents}) AS kind
        FROM (
          SELECT visitor, class, agent, verified FROM ${relation('presence', presenceWhole, 'presenceWhole')}
          WHERE day >= $wholeFrom AND day < $wholeTo AND path = ''
        ) SEMI JOIN extra USING (visitor)
      )
      SELECT kind, count(*) AS n FROM extra_kinds ANTI JOIN counted_kinds USING (visitor, kind) GROUP BY ALL
    )`,
    values: valuesOf(folder, pinned, span),
  };
}

/** Page views as relations (path, kind, n), in the same way. */
export function viewCounts(
  folder: AnalyticsFolder,
  pinned: PinnedVersion,
  span: Span,
  kinds: Exclude<KindSet, 'all'>,
  scope: Scope,
): Query {
  const { views } = filesOf(pinned, span);
  const loose = looseEvents(pinned, span);
  const counted = `
    SELECT path, kind, sum(n)::BIGINT AS n FROM ${relation('views', views, 'views')}
    WHERE ${KIND_FILTER[kinds]} AND day >= $wholeFrom AND day < $wholeTo AND ${scopeFilter(scope)} GROUP BY ALL`;
  const paths = scope === 'site' ? `['']` : `['', path]`;
  return {
    sql: loose
      ? `(${counted} UNION ALL
          SELECT path, kind, count(*) AS n
          FROM (
            SELECT unnest(paths) AS path, kinds FROM (
              SELECT ${paths} AS paths, ${kindsOf(pinned.manifest.mapping)[kinds]} AS kinds FROM (${loose}) WHERE NOT not_found
            )
          ), unnest(kinds) AS k(kind)
          GROUP BY ALL)`
      : `(${counted})`,
    values: valuesOf(folder, pinned, span),
  };
}

/** All events of a span, one by one, merged or not. */
export function eventsIn(folder: AnalyticsFolder, pinned: PinnedVersion, span: Span): Query {
  const { events } = filesOf(pinned, span);
  const columns = Object.keys(COLUMNS.events).join(', ');
  return {
    sql: `(SELECT ${columns} FROM ${relation('events', events, 'events')} WHERE ${IN_SPAN}
           UNION ALL SELECT ${columns} FROM ${pinned.unmerged} WHERE ${IN_SPAN})`,
    values: valuesOf(folder, pinned, span),
  };
}

/**
 * Rows (visitor, class, agent, verified, day) of the site beyond the cube's whole days; null for none.
 * @param condition SQL on events, beginning with `AND`
 */
export function extraPresence(pinned: PinnedVersion, span: Span, condition = ''): string | null {
  const loose = looseEvents(pinned, span);
  if (!loose) return null;
  return `(SELECT DISTINCT visitor, class, agent, verified, ${dayExpression('time')} AS day FROM (${loose}) WHERE NOT not_found ${condition})`;
}

const LOOSE = 'time, path, visitor, class, agent, verified, not_found';
const IS_EDGE = `${IN_SPAN}
  AND NOT (time >= ${instantExpression('$wholeFrom * 86400000')} AND time < ${instantExpression('$wholeTo * 86400000')})`;

/** Events in the span that no whole merged day holds, or null if there can be none. */
export function looseEvents(pinned: PinnedVersion, span: Span): string | null {
  const selects: string[] = [];
  if (hasEdges(span)) selects.push(mergedEdge(pinned, span));
  if (!pinned.isAllMerged) selects.push(`SELECT ${LOOSE} FROM ${pinned.unmerged} WHERE ${IN_SPAN}`);
  return selects.length > 0 ? selects.join(' UNION ALL ') : null;
}

/** Events in the pieces of days of the span. */
export function edgeEvents(pinned: PinnedVersion, span: Span): string {
  return `${mergedEdge(pinned, span)} UNION ALL SELECT ${LOOSE} FROM ${pinned.unmerged} WHERE ${IS_EDGE}`;
}

/** Whether a range has partial days. */
export const hasEdges = ({ left, right, inside }: Span): boolean => Boolean(left ?? right ?? inside);

const mergedEdge = (pinned: PinnedVersion, span: Span): string =>
  `SELECT ${LOOSE} FROM ${relation('events', filesOf(pinned, span).eventsEdges, 'eventsEdges')} WHERE ${IS_EDGE}`;

export function filesOf({ manifest }: PinnedVersion, span: Span) {
  const { files } = manifest;
  const { wholeFrom, wholeTo, left, right, inside } = span;
  const edges = [left?.day, right?.day, inside?.day].filter((day) => day !== undefined);
  const whole = (family: 'cube' | 'views' | 'presence') => overlapping(ofFamily(files, family), wholeFrom, wholeTo - 1);
  const isOnEdge = (file: FileRow) => edges.some((day) => file.minDay <= day && file.maxDay >= day);
  const last = inside ? inside.day : right ? right.day : wholeTo - 1;
  return {
    cube: whole('cube'),
    views: whole('views'),
    presenceWhole: whole('presence'),
    revisits: overlapping(ofFamily(files, 'revisits'), wholeFrom, right ? right.day : wholeTo - 1),
    eventsEdges: ofFamily(files, 'events').filter(isOnEdge),
    viewsEdges: ofFamily(files, 'views').filter(isOnEdge),
    events: overlapping(ofFamily(files, 'events'), left ? left.day : inside ? inside.day : wholeFrom, last),
  };
}

export function valuesOf(folder: AnalyticsFolder, pinned: PinnedVersion, span: Span): Values {
  const files = Object.entries(filesOf(pinned, span)).map(([name, list]) => [name, absolutePaths(folder, list)]);
  return {
    ...Object.fromEntries(files),
    from: span.from,
    to: span.to,
    wholeFrom: span.wholeFrom,
    wholeTo: span.wholeTo,
  };
}
