import { DAY_MS } from '@docent/base/time';
import { dayOf } from '../events/days.ts';
import { conditionsOf } from '../events/kinds.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import type { Duck } from '../storage/duck.ts';
import { instantExpression } from '../storage/tables.ts';
import type { PinnedVersion } from './pinned-version.ts';
import { eventsIn } from './span-relations.ts';
import { spanOf } from './span.ts';

/** What happened at the addresses of a page within a window. */
export interface PageReaders {
  /** Unique visitors. */
  human: number;
  ai: number;
  /** Requests for an address that did not exist. */
  notFound: number;
}

export interface PageEffect {
  before: PageReaders;
  after: PageReaders;
}

/** The days before and after an instant, in milliseconds since 1970. */
export interface Windows {
  from: number;
  at: number;
  to: number;
}

export function windowsAround(at: number, days: number): Windows {
  return { from: at - days * DAY_MS, at, to: at + days * DAY_MS };
}

const NOTHING: PageReaders = { human: 0, ai: 0, notFound: 0 };

/**
 * Exact counts of pages before and after an instant. A visitor of several addresses of a page counts once.
 * @param pages the addresses of each page, as events have them
 */
export async function countAround(
  { folder, duck }: { folder: AnalyticsFolder; duck: Duck },
  pinned: PinnedVersion,
  { from, at, to }: Windows,
  pages: readonly (readonly string[])[],
): Promise<PageEffect[]> {
  const counted = pages.map((): PageEffect => ({ before: NOTHING, after: NOTHING }));
  const span = spanOf(pinned.manifest, { from, to });
  if (!span || pages.length === 0) return counted;
  const { human, ai } = conditionsOf(pinned.manifest.mapping);
  const { sql, values } = eventsIn(folder, pinned, span);
  const asked = pages.flatMap((addresses, no) => addresses.map((address) => ({ address, no: String(no) })));
  // Visitors are put together first: DuckDB can write that to its disk, and not what COUNT(DISTINCT) counts.
  const rows = await duck.use((session) =>
    session.all<PageReaders & { no: number; later: boolean }>(
      `WITH asked AS (SELECT unnest($addresses) AS path, unnest($numbers)::INTEGER AS no),
       came AS (
         SELECT no, time >= ${instantExpression('$at')} AS later, visitor, bool_or(NOT not_found AND ${human}) AS human,
           bool_or(NOT not_found AND ${ai}) AS ai, count(*) FILTER (not_found) AS missing
         FROM ${sql} JOIN asked USING (path) GROUP BY ALL
       )
       SELECT no, later, count(*) FILTER (human)::DOUBLE AS human, count(*) FILTER (ai)::DOUBLE AS ai,
         sum(missing)::DOUBLE AS "notFound"
       FROM came GROUP BY ALL`,
      { ...values, at, addresses: asked.map(({ address }) => address), numbers: asked.map(({ no }) => no) },
    ),
  );
  for (const { no, later, ...readers } of rows) counted[no]![later ? 'after' : 'before'] = readers;
  return counted;
}

/**
 * Whether a window has ended and the project has page views from its first to its last day. Later imports and
 * earlier deletions leave gaps.
 */
export function isWhole(
  { manifest: { files, floorDay } }: PinnedVersion,
  { from, to }: { from: number; to: number },
  now: number,
): boolean {
  if (files.length === 0 || to > now) return false;
  const first = Math.max(Math.min(...files.map(({ minDay }) => minDay)), floorDay ?? -Infinity);
  const last = Math.max(...files.map(({ maxDay }) => maxDay));
  return first <= dayOf(from) && last >= dayOf(to - 1);
}
