import { readManifest } from '../../store/analytics/manifest.ts';
import { newId } from '../../store/ids.ts';
import { unpackUnmerged } from '../counts/unmerged.ts';
import type { StorageDeps } from '../storage/storage.ts';
import { absolutePaths, dayExpression, ofFamily, overlapping, relation } from '../storage/tables.ts';

/** The days before `day` with events: their number and the first (null for none). */
export async function countBefore(
  { database, folder, duck }: StorageDeps,
  projectId: string,
  day: number,
): Promise<{ days: number; events: number; firstDay: number | null }> {
  const manifest = await readManifest(database.db, projectId);
  const from = manifest.floorDay ?? -1_000_000;
  const old = overlapping(manifest.files, from, day - 1);
  const events = ofFamily(old, 'events');
  const unmerged = `before_${newId()}`;
  return duck.use(async (session) => {
    await unpackUnmerged(session, folder, manifest, ofFamily(old, 'unmerged'), unmerged, { temporary: true });
    try {
      const found = await session.one<{ days: bigint; events: bigint; firstDay: number | null }>(
        `SELECT count(DISTINCT day) AS days, count(*) AS events, min(day) AS "firstDay" FROM (
           SELECT ${dayExpression('time')} AS day FROM ${relation('events', events, 'events')}
           UNION ALL SELECT day FROM ${unmerged}
         ) WHERE day >= $from AND day < $day`,
        { from, day, ...(events.length > 0 ? { events: absolutePaths(folder, events) } : {}) },
      );
      return { days: Number(found.days), events: Number(found.events), firstDay: found.firstDay };
    } finally {
      await session.drop(unmerged);
    }
  });
}
