import { readManifest, type NewFile } from '../../store/analytics/manifest.ts';
import type { StorageDeps } from '../storage/storage.ts';
import { absolutePaths, dayExpression, ofFamily, overlapping, relation } from '../storage/tables.ts';

/** How many events of an unnamed file are new by id and day. Concurrent ones count as new for both. */
export async function countNew(
  { database, folder, duck }: StorageDeps,
  projectId: string,
  file: NewFile,
): Promise<number> {
  const { files } = await readManifest(database.db, projectId);
  const around = overlapping(files, file.minDay, file.maxDay);
  const [events, unmerged] = [ofFamily(around, 'events'), ofFamily(around, 'unmerged')];
  const day = `${dayExpression('time')} AS day`;
  const { fresh } = await duck.use((session) =>
    session.one<{ fresh: bigint }>(
      `WITH span AS (SELECT min(time) AS first, max(time) AS last FROM read_parquet($file)),
       known AS (
         SELECT id, ${day} FROM ${relation('events', events, 'events')}
         WHERE time BETWEEN (SELECT first FROM span) AND (SELECT last FROM span)
         UNION ALL
         SELECT id, ${day} FROM ${relation('unmerged', unmerged, 'unmerged')}
         WHERE time BETWEEN (SELECT first FROM span) AND (SELECT last FROM span)
       )
       SELECT count(*) AS fresh FROM (SELECT DISTINCT id, ${day} FROM read_parquet($file)) ANTI JOIN known USING (id, day)`,
      {
        file: absolutePaths(folder, [file]),
        ...(events.length > 0 ? { events: absolutePaths(folder, events) } : {}),
        ...(unmerged.length > 0 ? { unmerged: absolutePaths(folder, unmerged) } : {}),
      },
    ),
  );
  return Number(fresh);
}
