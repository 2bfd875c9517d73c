import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import { conditionsOf, kindsOf } from '../events/kinds.ts';
import { dayExpression } from '../storage/tables.ts';
import type { PinnedVersion } from './pinned-version.ts';
import { eventsIn, type Listed, type Query } from './span-relations.ts';
import type { Span } from './span.ts';

/** Only views of this page, by visitors from this host, or by this agent. All given conditions must hold. */
export interface Narrowing {
  path?: string | undefined;
  referrer?: string | undefined;
  agent?: string | undefined;
}

export const isNarrow = ({ path, referrer, agent }: Narrowing): boolean =>
  path !== undefined || referrer !== undefined || agent !== undefined;

/** The files of counts know each page. */
export const isPageAlone = (narrowing: Narrowing): narrowing is { path: string } =>
  narrowing.path !== undefined && narrowing.referrer === undefined && narrowing.agent === undefined;

/** Matching views and whom each counts for. All of a requested agent counts in `total`. */
export function narrowedViews(
  folder: AnalyticsFolder,
  pinned: PinnedVersion,
  span: Span,
  { path, referrer, agent }: Narrowing,
  who: 'those that count' | 'everybody' = 'those that count',
): Query {
  const { sql, values } = eventsIn(folder, pinned, span);
  const { human, ai, total } = conditionsOf(pinned.manifest.mapping);
  const wanted = [
    'NOT not_found',
    ...(agent !== undefined ? ['agent = $agent'] : who === 'everybody' ? [] : [total]),
    ...(path === undefined ? [] : ['path = $path']),
    ...(referrer === undefined ? [] : ['referrer = $referrer']),
  ];
  return {
    sql: `(SELECT path, visitor, referrer, class, agent, verified, ${dayExpression('time')} AS day, ${human} AS human, ${ai} AS ai
           FROM ${sql} WHERE ${wanted.join(' AND ')})`,
    values: {
      ...values,
      ...(path === undefined ? {} : { path }),
      ...(referrer === undefined ? {} : { referrer }),
      ...(agent === undefined ? {} : { agent }),
    },
  };
}

const COUNTS = `count(*) FILTER (human)::DOUBLE AS human, count(*) FILTER (ai)::DOUBLE AS ai, count(*)::DOUBLE AS total`;
const ONCE = 'bool_or(human) AS human, bool_or(ai) AS ai';

/** Visitors or views by page ('' for all), in one pass over the events, with numbered pages. */
export function narrowedPages({ sql, values }: Query, measure: 'visitors' | 'views'): Listed {
  const counted = measure === 'views' ? 'came' : `(SELECT no, visitor, ${ONCE} FROM came GROUP BY ALL)`;
  const all = measure === 'views' ? 'seen' : `(SELECT visitor, ${ONCE} FROM seen GROUP BY visitor)`;
  return {
    sql: `WITH seen AS MATERIALIZED (SELECT path, visitor, human, ai FROM ${sql}),
          pages AS MATERIALIZED (
            SELECT path, (row_number() OVER ())::INTEGER AS no FROM (SELECT DISTINCT path FROM seen)
          ),
          came AS (SELECT no, visitor, human, ai FROM seen JOIN pages USING (path))
          SELECT path, human, ai, total FROM (SELECT no, ${COUNTS} FROM ${counted} GROUP BY no) JOIN pages USING (no)
          UNION ALL SELECT '', ${COUNTS} FROM ${all} HAVING count(*) > 0`,
    values,
    order: 'total DESC, path',
    key: 'path',
  };
}

/** Rows (day, human, ai, total). */
export const narrowedDays = ({ sql }: Query, measure: 'visitors' | 'views'): string =>
  `SELECT day, ${COUNTS} FROM ${measure === 'views' ? sql : `(SELECT day, visitor, ${ONCE} FROM ${sql} GROUP BY ALL)`} GROUP BY day`;

/** Rows (kind, visitors, views) of agents and classes. */
export const narrowedAgents = ({ sql, values }: Query, { manifest }: PinnedVersion): Query => ({
  sql: `SELECT kind, count(*)::DOUBLE AS visitors, sum(n)::DOUBLE AS views
        FROM (SELECT kind, visitor, count(*) AS n
              FROM (SELECT visitor, unnest(${kindsOf(manifest.mapping).agents}) AS kind FROM ${sql}) GROUP BY ALL)
        GROUP BY kind`,
  values,
});
