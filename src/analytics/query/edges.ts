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

/** Visitors on pages that are counted at once. */
const SLICE_ROWS = 500_000;

/**
 * Unique visitors by path, '' for the site, of the pieces of days of a span, counted where the visitor was not there on one of the whole
 * days. Whoever was there on both came back: from the day of the left piece, or on the day of the right one. So the returns of those two
 * days say it all, and the days between are not read. Works range by range of visitors, so that what is held at once is bounded.
 * @returns each path once
 */
export async function countEdges(
  session: DuckSession,
  folder: AnalyticsFolder,
  snapshot: Snapshot,
  span: Span,
): Promise<PathCounts[]> {
  const values = valuesOf(folder, snapshot, span);
  const unfolded = await snapshot.returns();
  const [visits, known] = [`visits_${newId()}`, `known_${newId()}`];
  const sums = new Map<string, PathCounts>();
  try {
    await session.run(visitsTable(visits, snapshot, span), values);
    await session.run(knownTable(known, snapshot, span, unfolded), values);
    const { rows } = await session.one<{ rows: bigint }>(
      `SELECT (SELECT count(*) FROM ${visits}) + (SELECT count(*) FROM ${known}) AS rows`,
    );
    for (const slice of visitorSlices(Math.max(1, Math.ceil(Number(rows) / SLICE_ROWS)))) {
      for (const row of await countNew(session, visits, known, slice)) add(sums, row);
    }
  } finally {
    for (const table of [visits, known]) await session.run(`DROP TABLE IF EXISTS ${table}`);
  }
  return [...sums.values()];
}

/** Who was where in the pieces of days: `path`, `visitor`, and whether as a human and as an AI. */
function visitsTable(name: string, snapshot: Snapshot, span: Span): string {
  const { human, ai, total } = conditionsOf(snapshot.manifest.mapping);
  return `CREATE TEMP TABLE ${name} AS
    SELECT path, visitor, bool_or(${human}) AS human, bool_or(${ai}) AS ai
    FROM (${edgeEvents(snapshot, span)}) WHERE NOT not_found AND ${total} GROUP BY path, visitor`;
}

/** The returns that join a piece of a day with a whole day. */
function knownTable(name: string, snapshot: Snapshot, span: Span, unfolded: string | null): string {
  const returns = relation('returns', filesOf(snapshot, span).returns, 'returns');
  const near = [
    ...(span.left ? ['prev = $wholeFrom - 1 AND day >= $wholeFrom AND day < $wholeTo'] : []),
    ...(span.right ? ['day = $wholeTo AND prev >= $wholeFrom'] : []),
  ];
  const parts = near.flatMap((condition) =>
    [returns, ...(unfolded === null ? [] : [unfolded])].map(
      (source) => `SELECT path, visitor, kind FROM ${source} WHERE ${condition}`,
    ),
  );
  const none = `SELECT path, visitor, kind FROM ${relation('returns', [], '')}`;
  return `CREATE TEMP TABLE ${name} AS ${parts.length > 0 ? parts.join(' UNION ALL ') : none}`;
}

/** Counts by path, and for the site, the visits of a slice that nothing known joins with a whole day. */
async function countNew(session: DuckSession, visits: string, known: string, slice: string): Promise<PathCounts[]> {
  const returned = (pages: string) => `SELECT path, visitor, kind FROM ${known} WHERE ${slice} AND ${pages}`;
  const counted: PathCounts[] = [];
  // Apart: for the site, a visitor's visits to several pages are one.
  for (const [from, was, keys] of [
    [`SELECT path, visitor, human, ai FROM ${visits} WHERE ${slice}`, returned(`path <> ''`), 'path, visitor'],
    [
      `SELECT '' AS path, visitor, bool_or(human) AS human, bool_or(ai) AS ai FROM ${visits} WHERE ${slice} GROUP BY visitor`,
      returned(`path = ''`),
      'visitor',
    ],
  ] as const) {
    const rows = await session.all<PathCounts>(
      `WITH seen AS MATERIALIZED (SELECT (row_number() OVER ())::INTEGER AS visit, * FROM (${from})),
       known AS (
         SELECT visit, bool_or(kind = 'human') AS known_human, bool_or(kind = 'ai') AS known_ai
         FROM (${was}) JOIN (SELECT ${keys}, visit FROM seen) USING (${keys}) GROUP BY visit
       )
       SELECT path, ${count('human AND known_human IS NOT TRUE')} AS human, ${count('ai AND known_ai IS NOT TRUE')} AS ai,
         ${count('known_human IS NULL')} AS total
       FROM seen LEFT JOIN known USING (visit) GROUP BY path`,
    );
    counted.push(...rows);
  }
  return counted;
}

const count = (condition: string) => `count(*) FILTER (${condition})::DOUBLE`;

function add(sums: Map<string, PathCounts>, row: PathCounts): void {
  const sum = sums.get(row.path);
  if (!sum) sums.set(row.path, row);
  else for (const kind of ['human', 'ai', 'total'] as const) sum[kind] += row[kind];
}
