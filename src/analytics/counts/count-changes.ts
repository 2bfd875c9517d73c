import type { Manifest, NewFile } from '../../store/analytics/manifest.ts';
import { newId } from '../../store/ids.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import type { DuckSession } from '../storage/duck.ts';
import { writeParquet } from '../storage/parquet-writer.ts';
import { absolutePaths, ofFamily } from '../storage/tables.ts';
import { addedCube, presenceOf, viewsOf } from './count-sql.ts';
import { cubeChanges, slicesFor } from './cube-changes.ts';

/** The effect of new events on the existing counts: table names, see {@link cubeChanges}. */
export interface CountChanges {
  /** How many events. */
  events: number;
  cube: string;
  revisits: string;
  added: string;
}

type ChangesFor = Pick<Manifest, 'projectId' | 'floorDay' | 'mapping'>;

/** The source of the new events, and the existing data. */
interface ChangesIn {
  /** Name of a table, see {@link withCountChanges}. */
  events: string;
  /** Files that hold the presence as it was; others are passed over. */
  known: readonly NewFile[];
}

/**
 * Passes tables of what events change to `work`, then drops them.
 * @param events a table of uncounted events with `day`
 * @param known paths of the former files of presence
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
    await session.drop(fresh, ...Object.values(tables));
  }
}

/**
 * Writes the changes as files of all count families.
 * @param into receives the files
 * @returns the number of events
 */
export function writeCountChanges(
  session: DuckSession,
  folder: AnalyticsFolder,
  manifest: ChangesFor,
  { events, known }: ChangesIn,
  into: NewFile[],
): Promise<number> {
  const paths = absolutePaths(folder, ofFamily(known, 'presence'));
  return withCountChanges(session, manifest, events, paths, async (changes) => {
    const views = `views_${newId()}`;
    const relations = { presence: changes.added, cube: addedCube(changes.cube), revisits: changes.revisits, views };
    try {
      // As a table: a file's rows are read twice, to sum them up and to write them.
      await session.run(`CREATE TEMP TABLE ${views} AS FROM ${viewsOf(events, manifest.mapping)}`);
      for (const family of ['presence', 'cube', 'revisits', 'views'] as const) {
        const target = { projectId: manifest.projectId, family };
        await writeParquet(session, folder, target, relations[family], {}, { into });
      }
    } finally {
      await session.drop(views);
    }
    return changes.events;
  });
}
