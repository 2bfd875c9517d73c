import { newId } from '../../store/ids.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import type { DuckSession } from '../storage/duck.ts';
import { conditionsOf } from '../events/kinds.ts';
import { visitorSlices } from '../counts/visitor-slices.ts';
import { relation } from '../storage/tables.ts';
import { edgeEvents, filesOf, valuesOf } from './span-relations.ts';
import type { PathCounts } from './counts.ts';
import type { PinnedVersion } from './pinned-version.ts';
import type { Span } from './span.ts';

/** Rows that are held against each other at once. */
const SLICE_ROWS = 1_000_000;

/** Names of temporary tables: pages by number, who was on them in the pieces, and who of all came back. */
interface Tables {
  pages: string;
  visits: string;
  known: string;
}

/**
 * Unique visitors by path, '' for the site, of the pieces of days of a span, counted where the visitor was not there on one of the whole
 * days. Whoever was there on both came back: from the day of the left piece, or on the day of the right one. So the revisits of those two
 * days say it all, and the days between are not read. Works range by range of visitors, so that what is held at once is bounded.
 * @returns each path once
 */
export async function countEdges(
  session: DuckSession,
  folder: AnalyticsFolder,
  pinned: PinnedVersion,
  span: Span,
): Promise<PathCounts[]> {
  const values = valuesOf(folder, pinned, span);
  const unmergedRevisits = await pinned.revisits();
  const id = newId();
  const tables: Tables = { pages: `pages_${id}`, visits: `visits_${id}`, known: `known_${id}` };
  const sums = new Map<string, PathCounts>();
  try {
    await session.run(pagesTable(tables, pinned, span), values);
    await session.run(visitsTable(tables, pinned, span), values);
    await session.run(knownTable(tables, pinned, span, unmergedRevisits), values);
    const { rows } = await session.one<{ rows: bigint }>(
      `SELECT (SELECT count(*) FROM ${tables.visits}) + (SELECT count(*) FROM ${tables.known}) AS rows`,
    );
    for (const slice of visitorSlices(Math.max(1, Math.ceil(Number(rows) / SLICE_ROWS)))) {
      for (const row of await countNew(session, tables, slice)) add(sums, row);
    }
  } finally {
    for (const table of Object.values(tables)) await session.run(`DROP TABLE IF EXISTS ${table}`);
  }
  return [...sums.values()];
}

/** Numbers take a third of the room of words. The site, path '', is number 0. */
function pagesTable({ pages }: Tables, pinned: PinnedVersion, span: Span): string {
  const views = relation('views', filesOf(pinned, span).viewsEdges, 'viewsEdges');
  return `CREATE TEMP TABLE ${pages} AS
    SELECT 0 AS page, '' AS path
    UNION ALL
    SELECT (row_number() OVER ())::INTEGER, path
    FROM (SELECT path FROM ${views} UNION SELECT path FROM ${pinned.unmerged}) WHERE path <> ''`;
}

/** Who was where in the pieces of days: `page`, `visitor`, and whether as a human and as an AI. */
function visitsTable({ pages, visits }: Tables, pinned: PinnedVersion, span: Span): string {
  const { human, ai, total } = conditionsOf(pinned.manifest.mapping);
  return `CREATE TEMP TABLE ${visits} AS
    SELECT page, visitor, bool_or(${human}) AS human, bool_or(${ai}) AS ai
    FROM (${edgeEvents(pinned, span)}) JOIN ${pages} USING (path) WHERE NOT not_found AND ${total} GROUP BY page, visitor`;
}

/** The revisits that join a piece of a day with a whole day. */
function knownTable(
  { pages, known }: Tables,
  pinned: PinnedVersion,
  span: Span,
  unmergedRevisits: string | null,
): string {
  const revisits = relation('revisits', filesOf(pinned, span).revisits, 'revisits');
  const near = [
    ...(span.left ? ['prev = $wholeFrom - 1 AND day >= $wholeFrom AND day < $wholeTo'] : []),
    ...(span.right ? ['day = $wholeTo AND prev >= $wholeFrom'] : []),
  ];
  const selects = near.flatMap((condition) =>
    [revisits, ...(unmergedRevisits === null ? [] : [unmergedRevisits])].map(
      (source) => `SELECT path, visitor, kind FROM ${source} WHERE ${condition}`,
    ),
  );
  const none = `SELECT path, visitor, kind FROM ${relation('revisits', [], '')}`;
  return `CREATE TEMP TABLE ${known} AS
    SELECT page, visitor, kind = 'human' AS human, kind = 'ai' AS ai
    FROM (${selects.length > 0 ? selects.join(' UNION ALL ') : none}) JOIN ${pages} USING (path)`;
}

/** Counts by path, and for the site, the visits of a slice that nothing known joins with a whole day. */
async function countNew(session: DuckSession, { pages, visits, known }: Tables, slice: string): Promise<PathCounts[]> {
  let counted: PathCounts[] = [];
  // Apart: for the site, a visitor's visits to several pages are one.
  for (const [from, was, keys] of [
    [`SELECT page, visitor, human, ai FROM ${visits} WHERE ${slice}`, 'page <> 0', 'page, visitor'],
    [
      `SELECT 0 AS page, visitor, bool_or(human) AS human, bool_or(ai) AS ai FROM ${visits} WHERE ${slice} GROUP BY visitor`,
      'page = 0',
      'visitor',
    ],
  ] as const) {
    const rows = await session.all<PathCounts>(
      `WITH seen AS MATERIALIZED (SELECT (row_number() OVER ())::INTEGER AS visit, * FROM (${from})),
       back AS (
         SELECT visit, bool_or(k.human) AS known_human, bool_or(k.ai) AS known_ai
         FROM (SELECT page, visitor, human, ai FROM ${known} WHERE ${slice} AND ${was}) k
           JOIN (SELECT ${keys}, visit FROM seen) USING (${keys})
         GROUP BY visit
       ),
       sums AS (
         SELECT page, ${count('human AND known_human IS NOT TRUE')} AS human, ${count('ai AND known_ai IS NOT TRUE')} AS ai,
           ${count('known_human IS NULL')} AS total
         FROM seen LEFT JOIN back USING (visit) GROUP BY page
       )
       SELECT path, human, ai, total FROM sums JOIN ${pages} USING (page)`,
    );
    // Not as arguments of `push`, of which there may be too many.
    counted = counted.concat(rows);
  }
  return counted;
}

const count = (condition: string) => `count(*) FILTER (${condition})::DOUBLE`;

function add(sums: Map<string, PathCounts>, row: PathCounts): void {
  const sum = sums.get(row.path);
  if (!sum) sums.set(row.path, row);
  else for (const kind of ['human', 'ai', 'total'] as const) sum[kind] += row[kind];
}
