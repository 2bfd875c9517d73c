import type { Manifest, NewFile } from '../../store/analytics-manifest.ts';
import { newId } from '../../store/ids.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import type { DuckSession } from '../storage/duck.ts';
import { writeParquet } from '../storage/parquet-writer.ts';
import { addedCube, presenceOf, viewsOf } from './count-sql.ts';
import { cubeChanges, slicesFor } from './cube-changes.ts';

/** What events change in the counts of those before them: names of tables, see {@link cubeChanges}. */
export interface CountChanges {
  /** How many events. */
  events: number;
  cube: string;
  revisits: string;
  added: string;
}

type ChangesFor = Pick<Manifest, 'projectId' | 'floorDay' | 'mapping'>;

/**
 * Lends tables of what events change; they go when `work` ends.
 * @param events a table of events that are not counted yet, with their `day`
 * @param known paths of the files of presence as they were
 */
export async function withCountChanges<T>(
  session: DuckSession,
  { floorDay, mapping }: ChangesFor,
  events: string,
  known: readonly string[],
  work: (changes: CountChanges) => Promise<T>,
): Promise<T> {
  const id = newId();
  const fresh = `presence_${id}`;
  const tables = { cube: `cube_${id}`, revisits: `revisits_${id}`, added: `added_${id}` };
  try {
    const { count } = await session.one<{ count: bigint }>(`SELECT count(*) AS count FROM ${events}`);
    await session.run(`CREATE TEMP TABLE ${fresh} AS FROM ${presenceOf(events, mapping)}`);
    await cubeChanges(session, { fresh, known, floorDay, mapping, slices: slicesFor(Number(count)), ...tables });
    return await work({ events: Number(count), ...tables });
  } finally {
    for (const table of [fresh, ...Object.values(tables)]) await session.run(`DROP TABLE IF EXISTS ${table}`);
  }
}

/**
 * Writes what events change as files of presence, the cube, the revisits and the views. Parameters as of {@link withCountChanges}.
 * @param into takes the files
 * @returns how many events
 */
export function writeCountChanges(
  session: DuckSession,
  folder: AnalyticsFolder,
  manifest: ChangesFor,
  events: string,
  known: readonly string[],
  into: NewFile[],
): Promise<number> {
  return withCountChanges(session, manifest, events, known, async (changes) => {
    const relations = {
      presence: changes.added,
      cube: addedCube(changes.cube),
      revisits: changes.revisits,
      views: viewsOf(events, manifest.mapping),
    };
    for (const family of ['presence', 'cube', 'revisits', 'views'] as const) {
      await writeParquet(session, folder, { projectId: manifest.projectId, family }, relations[family], {}, { into });
    }
    return changes.events;
  });
}
