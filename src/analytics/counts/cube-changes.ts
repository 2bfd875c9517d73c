import type { ClassMapping } from '../../store/analytics-settings.ts';
import { NEVER } from '../events/days.ts';
import type { DuckSession } from '../storage/duck.ts';
import { conditionsOf, CUBE_KINDS, EXPORT_KINDS, kindsOf, sqlList } from '../events/kinds.ts';
import { knownDays } from './presence-index/known-days.ts';
import { visitorSlices } from '../events/visitor-slices.ts';

/** Events whose links are computed together. */
const SLICE_EVENTS = 400_000;

/** The number of slices of visitors in which {@link cubeChanges} should handle this many events. */
export const slicesFor = (events: number): number => Math.max(1, Math.ceil(events / SLICE_EVENTS));

/**
 * Computes the changes of the cube for `fresh` in addition to what it counts: links between consecutive days
 * of a visitor. A day in the middle changes the link of the next one, so late events produce signed counts.
 *
 * Works by slices of visitors, to limit memory. Presence files have the same order, so each slice only reads
 * its part.
 * @param fresh a table of rows of presence
 * @param known existing presence files
 * @param cube the table to create: signed counts
 * @param revisits the table to create: visitors behind the counts of the export's kinds that have an earlier
 *   day. `total` only for visitors who are human and AI; others follow from those. Nothing is removed: a
 *   visitor in between was there on both days as well
 * @param added the table to create: rows of `fresh` that `known` does not have
 */
export async function cubeChanges(
  session: DuckSession,
  input: {
    fresh: string;
    known: readonly string[];
    floorDay: number | null;
    mapping: ClassMapping;
    slices: number;
    cube: string;
    revisits: string;
    added: string;
  },
): Promise<void> {
  const { fresh, known, slices, cube, revisits, added } = input;
  const { human, ai, total } = conditionsOf(input.mapping);
  const names = `${cube}_names`;
  const chains = `${cube}_chains`;
  const rows = `${cube}_rows`;
  const nearest = `${cube}_nearest`;
  const was = `${cube}_was`;
  const kinds = `${cube}_kinds`;
  const links = `${cube}_links`;
  await session.run(`CREATE TEMP TABLE ${cube} (path VARCHAR, kind VARCHAR, day INTEGER, prev INTEGER, n BIGINT)`);
  await session.run(
    `CREATE TEMP TABLE ${revisits} (path VARCHAR, kind VARCHAR, day INTEGER, prev INTEGER, visitor UBIGINT)`,
  );
  await session.run(`CREATE TEMP TABLE ${added} AS FROM ${fresh} WHERE false`);
  // Links are identified by numbers, which sort faster than strings.
  await session.run(
    `CREATE TEMP TABLE ${names} AS
     SELECT unnest([${sqlList(CUBE_KINDS)}]) AS kind, unnest(range(${CUBE_KINDS.length}))::INTEGER AS code
     UNION ALL
     SELECT kind, (row_number() OVER () + ${CUBE_KINDS.length - 1})::INTEGER
     FROM (SELECT DISTINCT unnest(${kindsOf(input.mapping).agents}) AS kind FROM ${fresh} WHERE path = '')`,
  );
  for (const slice of visitorSlices(slices)) {
    try {
      // A chain is a visitor on a page. Of the known days, only those next to a new one matter.
      await session.run(
        `CREATE TEMP TABLE ${chains} AS
         SELECT (row_number() OVER ())::INTEGER AS chain, * FROM (
           SELECT visitor, path, min(day) AS first, max(day) AS last FROM ${fresh} WHERE ${slice} GROUP BY ALL)`,
      );
      await session.run(
        `CREATE TEMP TABLE ${rows} AS
         SELECT chain, path = '' AS is_site, class, agent, verified, day, true AS is_new
         FROM ${fresh} JOIN ${chains} USING (visitor, path) WHERE ${slice}`,
      );
      await knownDays(session, { chains, known, slice, floor: input.floorDay ?? -1_000_000, into: nearest });
      await session.run(
        `CREATE TEMP TABLE ${was} AS
         SELECT chain, path = '' AS is_site, class, agent, verified, day, false AS is_new FROM ${nearest} JOIN ${chains} USING (chain)`,
      );
      await session.run(
        `CREATE TEMP TABLE ${kinds} AS
         WITH both_rows AS (FROM ${rows} UNION ALL FROM ${was}),
         mixed AS (SELECT chain FROM both_rows GROUP BY chain HAVING bool_or(${human}) AND bool_or(${ai})),
         of_export AS (
           SELECT chain, ${EXPORT_CODES.human} AS kind, day, is_new FROM both_rows WHERE ${human}
           UNION ALL SELECT chain, ${EXPORT_CODES.ai}, day, is_new FROM both_rows WHERE ${ai}
           UNION ALL SELECT chain, ${EXPORT_CODES.total}, day, is_new FROM both_rows SEMI JOIN mixed USING (chain) WHERE ${total}
         )
         SELECT chain, kind::INTEGER AS kind, day, bool_and(is_new) AS is_new
         FROM (
           FROM of_export
           UNION ALL
           SELECT chain, code, day, is_new
           FROM (
             SELECT chain, unnest(${kindsOf(input.mapping).agents}) AS kind, day, is_new
             FROM both_rows WHERE is_site AND (class <> 'human' OR agent IS NOT NULL)
           ) JOIN ${names} USING (kind)
         ) GROUP BY ALL`,
      );
      // A new day links to the previous one; a known one after it is linked again.
      await session.run(
        `CREATE TEMP TABLE ${links} AS
         WITH linked AS (
           SELECT chain, kind, day, is_new,
             lag(day, 1, ${NEVER}) OVER days AS prev,
             coalesce(lag(CASE WHEN NOT is_new THEN day END IGNORE NULLS) OVER days, ${NEVER}) AS known_prev
           FROM ${kinds}
           WINDOW days AS (PARTITION BY chain, kind ORDER BY day)
         )
         SELECT chain, kind, day, prev, 1 AS n FROM linked WHERE is_new OR prev <> known_prev
         UNION ALL SELECT chain, kind, day, known_prev, -1 FROM linked WHERE NOT is_new AND prev <> known_prev`,
      );
      await session.run(
        `INSERT INTO ${revisits}
         SELECT path, [${sqlList(EXPORT_KINDS)}][kind + 1], day, prev, visitor
         FROM ${links} JOIN ${chains} USING (chain) WHERE n > 0 AND kind <= ${EXPORT_CODES.total} AND prev <> ${NEVER}`,
      );
      await session.run(
        `INSERT INTO ${cube}
         WITH mixed AS (SELECT DISTINCT chain FROM ${kinds} WHERE kind = ${EXPORT_CODES.total})
         SELECT path, names.kind, day, prev, sum(n)::BIGINT AS n
         FROM (
           SELECT path, kind AS code, day, prev, sum(n) AS n
           FROM (
             SELECT * FROM ${links} WHERE kind <> ${EXPORT_CODES.total}
             UNION ALL
             SELECT chain, ${EXPORT_CODES.total}, day, prev, CASE WHEN kind = ${EXPORT_CODES.total} THEN n ELSE -n END
             FROM ${links} SEMI JOIN mixed USING (chain) WHERE kind <= ${EXPORT_CODES.total}
           ) JOIN ${chains} USING (chain)
           GROUP BY ALL HAVING sum(n) <> 0
         ) JOIN ${names} AS names USING (code)
         GROUP BY ALL`,
      );
      await session.run(
        `INSERT INTO ${added}
         SELECT visitor, path, class, agent, verified, day
         FROM (
           FROM ${rows} ANTI JOIN ${was} AS was
             ON was.chain = ${rows}.chain AND was.day = ${rows}.day AND was.class = ${rows}.class
               AND was.agent IS NOT DISTINCT FROM ${rows}.agent AND was.verified IS NOT DISTINCT FROM ${rows}.verified
         ) JOIN ${chains} USING (chain)`,
      );
    } finally {
      await session.drop(chains, rows, nearest, was, kinds, links);
    }
  }
  await session.drop(names);
}

/** Codes of {@link EXPORT_KINDS}; `total` is where {@link CUBE_KINDS} has the difference. */
const EXPORT_CODES = { human: 0, ai: 1, total: 2 };
