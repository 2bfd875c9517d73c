import { DAY_MS } from '@docent/base/time';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import type { Range } from '../events/days.ts';
import type { Duck } from '../storage/duck.ts';
import { conditionsOf } from '../events/kinds.ts';
import {
  absolutePaths,
  dayExpression,
  EVENT_COLUMNS,
  instantExpression,
  ofFamily,
  relation,
} from '../storage/tables.ts';
import type { PathCounts } from './counts.ts';
import type { PinnedVersion } from './pinned-version.ts';

/** Visitors and views by path ('' for the site), counted over all events: the reference for all answers. */
export async function bruteForce(
  folder: AnalyticsFolder,
  duck: Duck,
  { manifest }: PinnedVersion,
  measure: 'visitors' | 'views',
  range: Range,
): Promise<PathCounts[]> {
  const unmerged = ofFamily(manifest.files, 'unmerged');
  const events = ofFamily(manifest.files, 'events');
  const n = measure === 'visitors' ? 'count(DISTINCT visitor)' : 'count(*)';
  const is = conditionsOf(manifest.mapping);
  const counts = `${n} FILTER (WHERE ${is.human})::DOUBLE AS human, ${n} FILTER (WHERE ${is.ai})::DOUBLE AS ai,
    ${n} FILTER (WHERE ${is.total})::DOUBLE AS total`;
  const unmergedRows =
    unmerged.length === 0
      ? `SELECT *, 0 AS file, 0 AS row FROM ${relation('unmerged', [], '')}`
      : `SELECT ${EVENT_COLUMNS}, list_position($unmerged, filename) AS file, file_row_number AS row
         FROM read_parquet($unmerged, filename = true, file_row_number = true)`;
  return duck.use((session) =>
    session.all<PathCounts>(
      `WITH raw AS (
         SELECT *, 0 AS file, 0 AS row FROM ${relation('events', events, 'events')} UNION ALL ${unmergedRows}
       ),
       once AS (
         SELECT * FROM raw WHERE ${dayExpression('time')} >= $floor
         QUALIFY row_number() OVER (PARTITION BY id, ${dayExpression('time')} ORDER BY file, row) = 1
       ),
       asked AS (
         FROM once WHERE time >= ${instantExpression('$from')} AND time < ${instantExpression('$to')} AND NOT not_found
       )
       SELECT '' AS path, ${counts} FROM asked HAVING count(*) FILTER (WHERE ${is.total}) > 0
       UNION ALL
       SELECT path, ${counts} FROM asked GROUP BY path HAVING count(*) FILTER (WHERE ${is.total}) > 0
       ORDER BY total DESC, path`,
      {
        unmerged: absolutePaths(folder, unmerged),
        events: absolutePaths(folder, events),
        floor: manifest.floorDay ?? -1_000_000,
        from: Math.max(range.from ?? -Infinity, -100_000 * DAY_MS),
        to: Math.min(range.to ?? Infinity, 3_000_000 * DAY_MS),
      },
    ),
  );
}
