import type { FileRow, Manifest } from '../../store/analytics-manifest.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import type { DuckSession, Values } from '../storage/duck.ts';
import { absolutePaths, dayExpression, EVENT_COLUMNS, ofFamily, overlapping, relation } from '../storage/tables.ts';

/**
 * Makes a table of the events of some unmerged files, with their `day`, each id once a day: the one that entered the manifest
 * first. Those that are among the merged events already, and days that are not kept any more, are left out.
 * @param files unmerged files in the manifest's order
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
  const raw = `${table}_raw`;
  if (files.length === 0) {
    const empty = relation('unmerged', [], '');
    await session.run(`CREATE ${kind} ${table} AS SELECT *, 0::INTEGER AS day FROM ${empty}`);
    return;
  }
  const minDay = Math.min(...files.map((file) => file.minDay));
  const maxDay = Math.max(...files.map((file) => file.maxDay));
  const known = knownIds(folder, overlapping(ofFamily(manifest.files, 'events'), minDay, maxDay), { minDay, maxDay });
  await session.run(
    `CREATE TEMP TABLE ${raw} AS
     SELECT ${EVENT_COLUMNS}, ${dayExpression('time')} AS day, list_position($unmerged, filename) AS file, file_row_number AS row
     FROM read_parquet($unmerged, filename = true, file_row_number = true)
     WHERE ${dayExpression('time')} >= $floor`,
    { unmerged: absolutePaths(folder, files), floor: manifest.floorDay ?? -1_000_000 },
  );
  try {
    // Repeats are rare: a window over the few ids that have any, not over all; and of the merged events of a day, which may be very many,
    // those alone are held that these have the ids of.
    await session.run(
      `CREATE ${kind} ${table} AS
       WITH repeated AS (SELECT day, id FROM ${raw} GROUP BY ALL HAVING count(*) > 1),
       late AS (
         SELECT file, row FROM ${raw} SEMI JOIN repeated USING (day, id)
         QUALIFY row_number() OVER (PARTITION BY day, id ORDER BY file, row) > 1
       ),
       known AS (SELECT id, day FROM (${known.sql}) SEMI JOIN ${raw} USING (id, day))
       SELECT * EXCLUDE (file, row) FROM ${raw} ANTI JOIN late USING (file, row) ANTI JOIN known USING (id, day)`,
      known.values,
    );
  } finally {
    await session.run(`DROP TABLE ${raw}`);
  }
}

/** Days of which each is read by itself. */
const MOST_DAYS = 4;

/** The ids of merged events, each with its day. Of a file of one day, times are not read: that takes half as long. */
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
