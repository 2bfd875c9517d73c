import type { ClassMapping } from '../store/analytics-settings.ts';
import { NEVER } from './days.ts';
import type { DuckSession } from './duck.ts';
import { kindsOf } from './kinds.ts';
import { relation } from './tables.ts';

/** Who was where on which day, of a table of events with their `day`: a row for the page and one for the site. */
export function rollupOf(events: string): string {
  const rest = `visitor, class, agent, count(*) AS views, min(time) AS first, max(time) AS last FROM ${events} WHERE NOT not_found`;
  return `(SELECT day, path, ${rest} GROUP BY day, path, visitor, class, agent
    UNION ALL SELECT day, '' AS path, ${rest} GROUP BY day, visitor, class, agent)`;
}

/**
 * Fills a table with what the cube has to change so that it counts `fresh` beside what it counted: links of a visitor's
 * days, each to the one before. A day in the middle re-links the next one, so late events come out as signed counts.
 *
 * Works visitor by visitor, in `shards` parts, so that what must be held at once is bounded.
 * @param fresh a table of roll-up rows that are not among `known`
 * @param known files of the roll-up as it was
 */
export async function cubeChanges(
  session: DuckSession,
  input: {
    fresh: string;
    known: readonly string[];
    floorDay: number | null;
    mapping: ClassMapping;
    shards: number;
    into: string;
  },
): Promise<void> {
  const { fresh, known, shards, into } = input;
  const kinds = kindsOf(input.mapping).all;
  await session.run(`CREATE TEMP TABLE ${into} (path VARCHAR, kind VARCHAR, day INTEGER, prev INTEGER, n BIGINT)`);
  for (let shard = 0; shard < shards; shard += 1) {
    await session.run(
      `INSERT INTO ${into}
       WITH came AS (SELECT * FROM ${fresh} WHERE visitor % ${shards} = ${shard}),
       was AS (
         SELECT path, visitor, class, agent, day FROM ${relation('rollup', known, 'known')}
         WHERE visitor % ${shards} = ${shard} AND day >= $floor
       ),
       came_kinds AS (SELECT DISTINCT path, visitor, unnest(${kinds}) AS kind, day FROM came),
       was_kinds AS (
         SELECT DISTINCT path, visitor, unnest(${kinds}) AS kind, day
         FROM was SEMI JOIN came USING (path, visitor)
       ),
       added AS MATERIALIZED (SELECT * FROM came_kinds ANTI JOIN was_kinds USING (path, visitor, kind, day)),
       chains AS MATERIALIZED (SELECT * FROM was_kinds SEMI JOIN added USING (path, visitor, kind)),
       links AS (
         SELECT path, kind, day, lag(day, 1, ${NEVER}) OVER (PARTITION BY path, visitor, kind ORDER BY day) AS prev, -1 AS sign
         FROM chains
         UNION ALL
         SELECT path, kind, day, lag(day, 1, ${NEVER}) OVER (PARTITION BY path, visitor, kind ORDER BY day) AS prev, 1 AS sign
         FROM (FROM chains UNION ALL FROM added)
       )
       SELECT path, kind, day, prev, sum(sign)::BIGINT AS n FROM links GROUP BY ALL HAVING sum(sign) <> 0`,
      { known, floor: input.floorDay ?? -1_000_000 },
    );
  }
}

/** Cube rows of several files or parts added up; what cancels out is dropped. */
export const addedCube = (cube: string): string =>
  `(SELECT path, kind, day, prev, sum(n)::BIGINT AS n FROM ${cube} GROUP BY ALL HAVING sum(n) <> 0)`;

/** Page views by day, of roll-up rows. */
export const viewsOf = (rollup: string, mapping: ClassMapping): string =>
  `(SELECT path, kind, day, sum(views)::BIGINT AS n
    FROM (SELECT path, unnest(${kindsOf(mapping).all}) AS kind, day, views FROM ${rollup}) GROUP BY ALL)`;
