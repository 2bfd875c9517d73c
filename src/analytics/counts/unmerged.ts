import type { FileRow, Manifest } from '../../store/analytics/manifest.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import type { DuckSession, Values } from '../storage/duck.ts';
import { findKnownIds } from './id-index/known-ids.ts';
import { absolutePaths, dayExpression, EVENT_COLUMNS, ofFamily, overlapping, relation } from '../storage/tables.ts';

/**
 * Makes a table of unmerged events with `day`, each id once a day: the first in the manifest. Leaves out
 * merged ids and expired days.
 * @param files in the manifest's order
 */
export async function unpackUnmerged(
  session: DuckSession,
  folder: AnalyticsFolder,
  manifest: Manifest,
  files: readonly FileRow[],
  table: string,
  options: { temporary: boolean },
): Promise<void> {
  const kind = options.temporary ? 'TEMP TABLE' : 'TABLE';
  if (files.length === 0) {
    const empty = relation('unmerged', [], '');
    await session.run(`CREATE ${kind} ${table} AS SELECT *, 0::INTEGER AS day FROM ${empty}`);
    return;
  }
  const minDay = Math.min(...files.map((file) => file.minDay));
  const maxDay = Math.max(...files.map((file) => file.maxDay));
  const merged = overlapping(ofFamily(manifest.files, 'events'), minDay, maxDay);
  try {
    await session.run(
      `CREATE ${kind} ${table} AS
       SELECT ${EVENT_COLUMNS}, ${dayExpression('time')} AS day, list_position($unmerged, filename) AS file, file_row_number AS row
       FROM read_parquet($unmerged, filename = true, file_row_number = true)
       WHERE ${dayExpression('time')} >= $floor`,
      { unmerged: absolutePaths(folder, files), floor: manifest.floorDay ?? -1_000_000 },
    );
    // Repeats are rare: the window covers only ids with repeats, and the others are not written again.
    await session.run(
      `DELETE FROM ${table} WHERE rowid IN (
         WITH repeated AS (SELECT day, id FROM ${table} GROUP BY ALL HAVING count(*) > 1)
         SELECT rowid FROM ${table} SEMI JOIN repeated USING (day, id)
         QUALIFY row_number() OVER (PARTITION BY day, id ORDER BY file, row) > 1)`,
    );
    await deleteKnown(session, folder, merged, table, { minDay, maxDay });
    for (const column of ['file', 'row']) await session.run(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  } catch (err) {
    await session.drop(table);
    throw err;
  }
}

/** Deletes events that merged files hold. Only the matching ids are held in memory: there may be many. */
async function deleteKnown(
  session: DuckSession,
  folder: AnalyticsFolder,
  merged: readonly FileRow[],
  table: string,
  days: { minDay: number; maxDay: number },
): Promise<void> {
  const found = `${table}_found`;
  try {
    const { isFound, unread } = await findKnownIds(session, folder, { events: table, files: merged, into: found });
    const known = knownIds(folder, unread, days);
    const parts: string[] = [];
    if (isFound) parts.push(`SELECT id, day FROM ${found}`);
    if (unread.length > 0) parts.push(`SELECT id, day FROM (${known.sql}) SEMI JOIN ${table} USING (id, day)`);
    if (parts.length === 0) return;
    await session.run(
      `DELETE FROM ${table} WHERE rowid IN (
         WITH known AS (${parts.join(' UNION ALL ')})
         SELECT rowid FROM ${table} SEMI JOIN known USING (id, day))`,
      known.values,
    );
  } finally {
    await session.drop(found);
  }
}

/** The most days that are read separately. */
const MOST_DAYS = 4;

/** Ids and days of merged events. Skips times in files of one day, which halves the time. */
function knownIds(
  folder: AnalyticsFolder,
  files: readonly FileRow[],
  { minDay, maxDay }: { minDay: number; maxDay: number },
): { sql: string; values: Values } {
  const byDay = Map.groupBy(files, (file) => (file.minDay === file.maxDay ? file.minDay : null));
  const ofOneDay = [...byDay.keys()].filter((day) => day !== null);
  const rest = ofOneDay.length > MOST_DAYS ? files : (byDay.get(null) ?? []);
  const parts = [
    `SELECT id, ${dayExpression('time')} AS day FROM ${relation('events', rest, 'known')}
     WHERE time >= make_timestamp($minDay * 86400000000) AND time < make_timestamp(($maxDay + 1) * 86400000000)`,
  ];
  const values: Record<string, Values[string]> = { known: absolutePaths(folder, rest), minDay, maxDay };
  for (const [no, day] of (ofOneDay.length > MOST_DAYS ? [] : ofOneDay).entries()) {
    const own = byDay.get(day)!;
    parts.push(`SELECT id, ${day} AS day FROM ${relation('events', own, `known${no}`)}`);
    values[`known${no}`] = absolutePaths(folder, own);
  }
  return { sql: parts.join(' UNION ALL '), values };
}
