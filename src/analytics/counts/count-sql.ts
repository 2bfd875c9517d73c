import type { ClassMapping } from '../../store/analytics-settings.ts';
import { NEVER } from '../events/days.ts';
import { conditionsOf, kindsOf } from '../events/kinds.ts';

/** Presence of a table of events with `day`: on pages that count, and always on the site (path ''). */
export const presenceOf = (events: string, mapping: ClassMapping): string => `(
  SELECT DISTINCT visitor, path, class, NULL::VARCHAR AS agent, NULL::BOOLEAN AS verified, day FROM ${events} WHERE NOT not_found AND ${conditionsOf(mapping).total}
  UNION ALL
  SELECT DISTINCT visitor, '' AS path, class, agent, verified, day FROM ${events} WHERE NOT not_found)`;

/** Page views by day of a table of events with `day`. Agents only for the whole site. */
export const viewsOf = (events: string, mapping: ClassMapping): string => `(
  WITH seen AS MATERIALIZED (
    SELECT path, class, agent, verified, day, count(*) AS views FROM ${events} WHERE NOT not_found GROUP BY ALL
  )
  SELECT path, kind, day, sum(views)::BIGINT AS n
  FROM (SELECT path, unnest(${kindsOf(mapping).export}) AS kind, day, views FROM seen
        UNION ALL SELECT '' AS path, unnest(${kindsOf(mapping).all}) AS kind, day, views FROM seen)
  GROUP BY ALL)`;

/** The sum of cube rows from several files or slices. Zero sums are dropped. */
export const addedCube = (cube: string): string =>
  `(SELECT path, kind, day, prev, sum(n)::BIGINT AS n FROM ${cube} GROUP BY ALL HAVING sum(n) <> 0)`;

/**
 * The cube of presence rows on their own, each day linked to the visitor's former one.
 * @param presence a relation that is read once
 */
export const cubeOf = (presence: string, mapping: ClassMapping): string => `(
  WITH given AS MATERIALIZED (FROM ${presence}),
  kinds AS (
    SELECT DISTINCT path, visitor, unnest(CASE WHEN path = '' THEN ${kindsOf(mapping).all} ELSE ${kindsOf(mapping).export} END) AS kind, day
    FROM given
  ),
  links AS (
    SELECT path, kind, day, lag(day, 1, ${NEVER}) OVER (PARTITION BY path, visitor, kind ORDER BY day) AS prev, 1 AS n
    FROM kinds
  )
  ${storedOf('links')})`;

/** Links as stored in the cube: `total` as its difference from human and AI, for visitors who are both. */
const storedOf = (links: string): string => `
  SELECT path, kind, day, prev, sum(n)::BIGINT AS n
  FROM (
    SELECT path, kind, day, prev, n FROM ${links} WHERE kind <> 'total'
    UNION ALL
    SELECT path, 'both' AS kind, day, prev, CASE WHEN kind = 'total' THEN n ELSE -n END AS n
    FROM ${links} WHERE kind IN ('human', 'ai', 'total')
  )
  GROUP BY ALL HAVING sum(n) <> 0`;
