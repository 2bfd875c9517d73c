import { newId } from '../../store/ids.ts';
import type { AnalyticsFolder } from '../analytics-folder.ts';
import type { DuckSession } from '../duck.ts';
import { conditionsOf } from '../kinds.ts';
import { visitorSlices } from '../rollup.ts';
import { relation } from '../tables.ts';
import { edgeEvents, filesOf, valuesOf } from './parts.ts';
import type { PathCounts } from './queries.ts';
import type { Snapshot } from './snapshot.ts';
import type { Span } from './span.ts';

/** Visitors on pages that are looked up at once. */
const SLICE_ROWS = 200_000;

/**
 * Unique visitors by path, '' for the site, of pieces of days, counted where the visitor was not there on one of the whole days. Works
 * range by range of visitors, so that what is held at once is bounded; the roll-up lies in that order, so each reads its share alone.
 * @returns each path once; none where the range has no such pieces
 */
export async function countEdges(
  session: DuckSession,
  folder: AnalyticsFolder,
  snapshot: Snapshot,
  span: Span,
): Promise<PathCounts[]> {
  const edges = edgeEvents(snapshot, span);
  if (edges === null) return [];
  const { human, ai, total } = conditionsOf(snapshot.manifest.mapping);
  const values = valuesOf(folder, snapshot, span);
  const { rollupWhole } = filesOf(snapshot, span);
  const seen = `edges_${newId()}`;
  const sums = new Map<string, PathCounts>();
  try {
    await session.run(
      `CREATE TEMP TABLE ${seen} AS
       SELECT path, visitor, bool_or(${human}) AS human, bool_or(${ai}) AS ai
       FROM (${edges}) WHERE NOT not_found AND ${total} GROUP BY path, visitor`,
      values,
    );
    const { rows } = await session.one<{ rows: bigint }>(`SELECT count(*) AS rows FROM ${seen}`);
    for (const slice of visitorSlices(Math.max(1, Math.ceil(Number(rows) / SLICE_ROWS)))) {
      const isKnown = `${slice} AND day >= $wholeFrom AND day < $wholeTo`;
      const knownOn = (pages: string) => `
        SELECT path, visitor, class FROM ${relation('rollup', rollupWhole, 'rollupWhole')} WHERE ${pages} AND ${isKnown}
        UNION ALL SELECT path, visitor, class FROM ${snapshot.presence} WHERE ${pages} AND ${isKnown}`;
      // Apart: the site's rows take no look at paths, and lie by themselves.
      for (const [visits, known, keys] of [
        [`SELECT path, visitor, human, ai FROM ${seen} WHERE ${slice}`, knownOn(`path <> ''`), 'path, visitor'],
        [
          `SELECT '' AS path, visitor, bool_or(human) AS human, bool_or(ai) AS ai FROM ${seen} WHERE ${slice} GROUP BY visitor`,
          knownOn(`path = ''`),
          'visitor',
        ],
      ] as const) {
        const counted = await session.all<PathCounts>(
          `WITH visits AS MATERIALIZED (SELECT (row_number() OVER ())::INTEGER AS visit, * FROM (${visits})),
           known AS (
             SELECT visit, bool_or(${human}) AS known_human, bool_or(${ai}) AS known_ai
             FROM (${known}) JOIN (SELECT ${keys}, visit FROM visits) USING (${keys}) GROUP BY visit
           )
           SELECT path, ${countNew('human', 'known_human')} AS human, ${countNew('ai', 'known_ai')} AS ai,
             ${countNew('(human OR ai)', '(known_human OR known_ai)')} AS total
           FROM visits LEFT JOIN known USING (visit) GROUP BY path`,
          values,
        );
        for (const row of counted) add(sums, row);
      }
    }
  } finally {
    await session.run(`DROP TABLE IF EXISTS ${seen}`);
  }
  return [...sums.values()];
}

/** Counts rows that are of a kind, and were not before. */
const countNew = (kind: string, known: string) => `count(*) FILTER (${kind} AND NOT coalesce(${known}, false))::DOUBLE`;

function add(sums: Map<string, PathCounts>, row: PathCounts): void {
  const sum = sums.get(row.path);
  if (!sum) sums.set(row.path, row);
  else for (const kind of ['human', 'ai', 'total'] as const) sum[kind] += row[kind];
}
