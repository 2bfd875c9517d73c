import { findAnalytics, readManifest } from '../../store/analytics/manifest.ts';
import { isOutOfMemory } from '../storage/duck.ts';
import { isStorageFull } from '../storage/durable-files.ts';
import type { StorageDeps } from '../storage/storage.ts';
import { absolutePaths, dayExpression, ofFamily, overlapping, relation } from '../storage/tables.ts';

/** How many events of an unnamed file count nowhere; expired days do count. Null if unknown. */
export async function missingEvents(
  { database, folder, duck, log }: StorageDeps,
  projectId: string,
  file: string,
): Promise<number | null> {
  if (!(await findAnalytics(database.db, projectId))) return null;
  const manifest = await readManifest(database.db, projectId);
  try {
    return await duck.use(async (session) => {
      const day = dayExpression('time');
      const floor = manifest.floorDay ?? -1_000_000;
      const span = await session.one<{ first: number | null; last: number | null }>(
        `SELECT min(${day}) AS first, max(${day}) AS last FROM read_parquet($file) WHERE ${day} >= $floor`,
        { file, floor },
      );
      if (span.first === null || span.last === null) return 0;
      const [events, unmerged] = (['events', 'unmerged'] as const).map((family) =>
        overlapping(ofFamily(manifest.files, family), span.first ?? 0, span.last ?? 0),
      );
      const { missing } = await session.one<{ missing: bigint }>(
        `SELECT count(*) AS missing FROM (SELECT DISTINCT id, ${day} AS day FROM ${relation('events', [file], 'file')} WHERE ${day} >= $floor)
         ANTI JOIN (
           SELECT id, ${day} AS day FROM ${relation('events', events ?? [], 'events')}
           UNION ALL SELECT id, ${day} AS day FROM ${relation('unmerged', unmerged ?? [], 'unmerged')}
         ) USING (id, day)`,
        { file, floor, events: absolutePaths(folder, events ?? []), unmerged: absolutePaths(folder, unmerged ?? []) },
      );
      return Number(missing);
    });
  } catch (err) {
    if (isOutOfMemory(err) || isStorageFull(err)) throw err;
    log.warn(
      { err, projectId, file },
      'could not determine whether the events of an unknown file are counted elsewhere',
    );
    return null;
  }
}
