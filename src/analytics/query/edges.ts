import { newId } from '../../store/ids.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import type { DuckSession } from '../storage/duck.ts';
import { conditionsOf } from '../events/kinds.ts';
import { relation } from '../storage/tables.ts';
import { edgeEvents, filesOf, valuesOf } from './span-relations.ts';
import type { PathCounts } from './counts.ts';
import type { PinnedVersion } from './pinned-version.ts';
import type { Span } from './span.ts';

/** A visitor's facts on a page, as bits: visited in a piece of a day, and known from a whole day. */
const [HUMAN, AI, KNOWN_HUMAN, KNOWN_AI, KNOWN] = [1, 2, 4, 8, 16];

/**
 * Unique visitors by path ('' for the site) of the pieces of days in a span, without those of its whole days.
 * Revisits of the two edge days show which visitors are in both, so the days between are not read.
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
  const [pages, visits] = [`pages_${id}`, `visits_${id}`];
  try {
    await session.run(`CREATE TEMP TABLE ${pages} AS ${pageNumbers(pinned, span)}`, values);
    // One grouping of all facts of a visitor: DuckDB moves what does not fit into memory to the disk.
    await session.run(
      `CREATE TEMP TABLE ${visits} AS
       SELECT page, visitor, bit_or(said)::UTINYINT AS said
       FROM (${visitsIn(pinned, span)} UNION ALL ${knownIn(pinned, span, unmergedRevisits)}) JOIN ${pages} USING (path)
       GROUP BY page, visitor`,
      values,
    );
    // For the site, a visitor's visits to several pages are one; its whole days differ from the pages'.
    return await session.all<PathCounts>(
      `SELECT path, human, ai, total FROM ${pages} JOIN (
         SELECT page, ${COUNTS} FROM ${visits} WHERE page <> 0 GROUP BY page
         UNION ALL
         SELECT 0, ${COUNTS} FROM (
           SELECT bit_or(CASE WHEN page = 0 THEN said ELSE said & ${HUMAN | AI} END) AS said FROM ${visits} GROUP BY visitor
         )
       ) USING (page) WHERE total > 0 OR human > 0 OR ai > 0`,
    );
  } finally {
    await session.drop(pages, visits);
  }
}

/** Numbers take a third of the room of words. The site, path '', is number 0. */
function pageNumbers(pinned: PinnedVersion, span: Span): string {
  const views = relation('views', filesOf(pinned, span).viewsEdges, 'viewsEdges');
  return `
    SELECT 0 AS page, '' AS path
    UNION ALL
    SELECT (row_number() OVER ())::INTEGER, path
    FROM (SELECT path FROM ${views} UNION SELECT path FROM ${pinned.unmerged}) WHERE path <> ''`;
}

/** The visits in the partial days. */
function visitsIn(pinned: PinnedVersion, span: Span): string {
  const { human, ai, total } = conditionsOf(pinned.manifest.mapping);
  return `
    SELECT path, visitor, CASE WHEN ${human} THEN ${HUMAN} ELSE 0 END | CASE WHEN ${ai} THEN ${AI} ELSE 0 END AS said
    FROM (${edgeEvents(pinned, span)}) WHERE NOT not_found AND ${total}`;
}

/** The revisits that join a piece of a day with a whole day. */
function knownIn(pinned: PinnedVersion, span: Span, unmergedRevisits: string | null): string {
  const revisits = relation('revisits', filesOf(pinned, span).revisits, 'revisits');
  const near = [
    ...(span.left ? ['prev = $wholeFrom - 1 AND day >= $wholeFrom AND day < $wholeTo'] : []),
    ...(span.right ? ['day = $wholeTo AND prev >= $wholeFrom'] : []),
  ];
  // Separately: files that cannot have such rows are skipped.
  const selects = near.flatMap((condition) =>
    [revisits, ...(unmergedRevisits === null ? [] : [unmergedRevisits])].map(
      (source) => `SELECT path, visitor, kind FROM ${source} WHERE ${condition}`,
    ),
  );
  const all =
    selects.length > 0
      ? selects.join(' UNION ALL ')
      : `SELECT path, visitor, kind FROM ${relation('revisits', [], '')}`;
  return `
    SELECT path, visitor, ${KNOWN} | CASE kind WHEN 'human' THEN ${KNOWN_HUMAN} WHEN 'ai' THEN ${KNOWN_AI} ELSE 0 END AS said
    FROM (${all})`;
}

const count = (wanted: number, known: number) =>
  `count(*) FILTER (said & ${wanted} <> 0 AND said & ${known} = 0)::DOUBLE`;
const COUNTS = `${count(HUMAN, KNOWN_HUMAN)} AS human, ${count(AI, KNOWN_AI)} AS ai, ${count(HUMAN | AI, KNOWN)} AS total`;
