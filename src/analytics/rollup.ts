import type { ClassMapping } from '../store/analytics-settings.ts';
import { NEVER } from './days.ts';
import type { DuckSession } from './duck.ts';
import { conditionsOf, kindsOf } from './kinds.ts';
import { relation } from './tables.ts';

/** Who was where on which day, of a table of events with their `day`: on a page where they count, on the site (path '') anyhow. */
export const rollupOf = (events: string, mapping: ClassMapping): string => `(
  SELECT DISTINCT visitor, path, class, NULL::VARCHAR AS agent, day FROM ${events} WHERE NOT not_found AND ${conditionsOf(mapping).total}
  UNION ALL
  SELECT DISTINCT visitor, '' AS path, class, agent, day FROM ${events} WHERE NOT not_found)`;

/** Page views by day, of a table of events with their `day`. Agents are told apart for the whole site alone. */
export const viewsOf = (events: string, mapping: ClassMapping): string => `(
  WITH seen AS MATERIALIZED (
    SELECT path, class, agent, day, count(*) AS views FROM ${events} WHERE NOT not_found GROUP BY ALL
  )
  SELECT path, kind, day, sum(views)::BIGINT AS n
  FROM (SELECT path, unnest(${kindsOf(mapping).export}) AS kind, day, views FROM seen
        UNION ALL SELECT '' AS path, unnest(${kindsOf(mapping).all}) AS kind, day, views FROM seen)
  GROUP BY ALL)`;

/** Cube rows of several files or parts added up; what cancels out is dropped. */
export const addedCube = (cube: string): string =>
  `(SELECT path, kind, day, prev, sum(n)::BIGINT AS n FROM ${cube} GROUP BY ALL HAVING sum(n) <> 0)`;

/**
 * What the cube counts of roll-up rows, each visitor's days linked to the one before: for rows that nothing else is known beside.
 * @param rollup a relation that is read once
 */
export const cubeOf = (rollup: string, mapping: ClassMapping): string => `(
  WITH presence AS MATERIALIZED (FROM ${rollup}),
  kinds AS (
    SELECT DISTINCT path, visitor, unnest(CASE WHEN path = '' THEN ${kindsOf(mapping).all} ELSE ${kindsOf(mapping).export} END) AS kind, day
    FROM presence
  ),
  links AS (
    SELECT path, kind, day, lag(day, 1, ${NEVER}) OVER (PARTITION BY path, visitor, kind ORDER BY day) AS prev, 1 AS n, true AS mixed
    FROM kinds
  )
  ${storedOf('links')})`;

/** Links as the cube keeps them: `total` as what it differs by from human and AI, for visitors who are both. */
const storedOf = (links: string): string => `
  SELECT path, kind, day, prev, sum(n)::BIGINT AS n
  FROM (
    SELECT path, kind, day, prev, n FROM ${links} WHERE kind <> 'total'
    UNION ALL
    SELECT path, 'both' AS kind, day, prev, CASE WHEN kind = 'total' THEN n ELSE -n END AS n
    FROM ${links} WHERE mixed AND kind IN ('human', 'ai', 'total')
  )
  GROUP BY ALL HAVING sum(n) <> 0`;

/**
 * Works out what the cube has to change so that it counts `fresh` beside what it counted: links of a visitor's days, each to the one
 * before. A day in the middle re-links the next one, so late events come out as signed counts.
 *
 * Works range by range of visitors, in `shards` parts, so that what must be held at once is bounded; the files of the roll-up lie in that
 * order, so each part reads its share of them alone.
 * @param fresh a table of roll-up rows
 * @param known files of the roll-up as it was
 * @param cube the table to make: signed counts
 * @param added the table to make: the rows of `fresh` that `known` does not hold
 */
export async function cubeChanges(
  session: DuckSession,
  input: {
    fresh: string;
    known: readonly string[];
    floorDay: number | null;
    mapping: ClassMapping;
    shards: number;
    cube: string;
    added: string;
  },
): Promise<void> {
  const { fresh, known, shards, cube, added } = input;
  const { human, ai, total } = conditionsOf(input.mapping);
  const [chains, was, kinds] = [`${cube}_chains`, `${cube}_was`, `${cube}_kinds`];
  await session.run(`CREATE TEMP TABLE ${cube} (path VARCHAR, kind VARCHAR, day INTEGER, prev INTEGER, n BIGINT)`);
  await session.run(`CREATE TEMP TABLE ${added} AS FROM ${fresh} WHERE false`);
  for (let shard = 0; shard < shards; shard += 1) {
    const slice = `visitor BETWEEN ${edge(shard, shards)} AND ${edge(shard + 1, shards) - 1n}`;
    try {
      // A chain is a visitor on a page. Of the days known before, only those matter that lie next to a new one.
      await session.run(
        `CREATE TEMP TABLE ${chains} AS
         SELECT (row_number() OVER ())::INTEGER AS chain, * FROM (
           SELECT visitor, path, min(day) AS first, max(day) AS last FROM ${fresh} WHERE ${slice} GROUP BY ALL)`,
      );
      await session.run(
        `CREATE TEMP TABLE ${was} AS
         SELECT chain, class, agent, CASE WHEN place < 0 THEN max(day) ELSE min(day) END AS day
         FROM (
           SELECT chain, class, agent, day, CASE WHEN day < first THEN -1 WHEN day > last THEN ${FAR} ELSE day - first END AS place
           FROM ${relation('rollup', known, 'known')} JOIN ${chains} USING (visitor, path)
           WHERE ${slice} AND day >= $floor
         ) GROUP BY chain, class, agent, place`,
        { known, floor: input.floorDay ?? -1_000_000 },
      );
      await session.run(
        `CREATE TEMP TABLE ${kinds} AS
         WITH rows AS (
           SELECT chain, path, class, agent, day, true AS is_new FROM ${fresh} JOIN ${chains} USING (visitor, path) WHERE ${slice}
           UNION ALL SELECT chain, path, class, agent, day, false FROM ${was} JOIN ${chains} USING (chain)
         ),
         mixed AS (SELECT chain FROM rows GROUP BY chain HAVING bool_or(${human}) AND bool_or(${ai}))
         SELECT chain, kind, day, bool_and(is_new) AS is_new
         FROM (
           SELECT chain, 'human' AS kind, day, is_new FROM rows WHERE ${human}
           UNION ALL SELECT chain, 'ai', day, is_new FROM rows WHERE ${ai}
           UNION ALL SELECT chain, 'total', day, is_new FROM rows SEMI JOIN mixed USING (chain) WHERE ${total}
           UNION ALL SELECT chain, unnest(${kindsOf(input.mapping).agents}), day, is_new FROM rows WHERE path = '' AND (class <> 'human' OR agent IS NOT NULL)
         ) GROUP BY ALL`,
      );
      await session.run(
        `INSERT INTO ${cube}
         WITH changed AS (SELECT DISTINCT chain, kind FROM ${kinds} WHERE is_new),
         mixed AS (SELECT DISTINCT chain FROM ${kinds} WHERE kind = 'total'),
         touched AS MATERIALIZED (FROM ${kinds} SEMI JOIN changed USING (chain, kind)),
         linked AS (
           SELECT chain, kind, day, lag(day, 1, ${NEVER}) OVER (PARTITION BY chain, kind ORDER BY day) AS prev, -1 AS n
           FROM touched WHERE NOT is_new
           UNION ALL
           SELECT chain, kind, day, lag(day, 1, ${NEVER}) OVER (PARTITION BY chain, kind ORDER BY day) AS prev, 1 AS n
           FROM touched
         ),
         links AS (
           SELECT path, kind, day, prev, sum(n) AS n, mixed
           FROM (SELECT linked.*, mixed.chain IS NOT NULL AS mixed FROM linked LEFT JOIN mixed USING (chain))
           JOIN ${chains} USING (chain)
           GROUP BY ALL HAVING sum(n) <> 0
         )
         ${storedOf('links')}`,
      );
      await session.run(
        `INSERT INTO ${added}
         SELECT fresh.* FROM ${fresh} AS fresh JOIN ${chains} USING (visitor, path)
         ANTI JOIN ${was} AS was
           ON was.chain = ${chains}.chain AND was.day = fresh.day AND was.class = fresh.class AND was.agent IS NOT DISTINCT FROM fresh.agent
         WHERE ${slice}`,
      );
    } finally {
      for (const table of [chains, was, kinds]) await session.run(`DROP TABLE IF EXISTS ${table}`);
    }
  }
}

/** Behind every day between two of one chain. */
const FAR = 2_000_000_000;

/** Where a part of all visitors begins. */
const edge = (shard: number, shards: number): bigint => (2n ** 64n * BigInt(shard)) / BigInt(shards);
