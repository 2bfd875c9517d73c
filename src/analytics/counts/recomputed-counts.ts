import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Manifest, NewFile } from '../../store/analytics/manifest.ts';
import { newId } from '../../store/ids.ts';
import { visitorSlices } from '../events/visitor-slices.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import type { DuckSession } from '../storage/duck.ts';
import { claimOwned, type OwnedFolder } from '../storage/folder-claim.ts';
import { writeParquet } from '../storage/parquet-writer.ts';
import { relation } from '../storage/tables.ts';
import { addedCube, presenceOf, viewsOf } from './count-sql.ts';
import { cubeChanges } from './cube-changes.ts';

type CountsOf = Pick<Manifest, 'projectId' | 'floorDay' | 'mapping'>;

/** Rows of presence that are linked together. */
const SLICE_ROWS = 600_000;
/** Rows per group of a run: slices read only their groups. Smaller groups take more memory to write. */
const GROUP_ROWS = 30_720;
/** Rows of revisits in a file, and rows of the cube that wait to be added up. */
const WAITING_ROWS = 4_000_000;

/**
 * Computes the counts of any number of uncounted events. Their presence is sorted by visitor in runs on the
 * disk, and then linked visitor by visitor, each with all days. So neither the cost per event nor the memory
 * grows with their number.
 */
export class RecomputedCounts {
  readonly #session: DuckSession;
  readonly #folder: AnalyticsFolder;
  readonly #of: CountsOf;
  readonly #sliceRows: number;
  readonly #owned: OwnedFolder;
  readonly #runs: string[] = [];
  #rows = 0;

  private constructor(session: DuckSession, folder: AnalyticsFolder, of: CountsOf, sliceRows: number) {
    this.#session = session;
    this.#folder = folder;
    this.#of = of;
    this.#sliceRows = sliceRows;
    this.#owned = claimOwned(folder.temporaryFolder, 'runs');
  }

  /** @param sliceRows rows of presence that are linked together */
  static async open(
    session: DuckSession,
    folder: AnalyticsFolder,
    of: CountsOf,
    sliceRows = SLICE_ROWS,
  ): Promise<RecomputedCounts> {
    const counts = new RecomputedCounts(session, folder, of, sliceRows);
    await mkdir(counts.#owned.path, { recursive: true, mode: 0o700 });
    return counts;
  }

  /** Adds events and writes their views. @param events a table with `day` @param into receives the files */
  async add(events: string, into: NewFile[]): Promise<void> {
    const { mapping } = this.#of;
    const fresh = `presence_${newId()}`;
    try {
      // Created before sorting: both together may take too much memory.
      await this.#session.run(`CREATE TEMP TABLE ${fresh} AS FROM ${presenceOf(events, mapping)}`);
      const run = await this.#writeRun(`run-${this.#runs.length}`, fresh);
      this.#runs.push(run.file);
      this.#rows += run.rows;
    } finally {
      await this.#session.drop(fresh);
    }
    await this.#publish('views', viewsOf(events, mapping), into);
  }

  /**
   * Writes presence, cube and revisits of everything that was added.
   * @param into receives the files
   * @param onProgress gets the completed part, up to 1
   */
  async write(into: NewFile[], onProgress: (part: number) => void): Promise<void> {
    const presence = await this.#link(into, onProgress);
    for (const run of this.#runs.splice(0)) await rm(run);
    await this.#publish('presence', relation('presence', presence, 'presence'), into, { presence });
  }

  /** Deletes the temporary files. */
  close(): void {
    this.#owned.release();
  }

  /** Writes cube and revisits. @returns files of presence, each row once, by visitor */
  async #link(into: NewFile[], onProgress: (part: number) => void): Promise<string[]> {
    const id = newId();
    const [cube, revisits] = [`all_cube_${id}`, `all_revisits_${id}`];
    const slices = visitorSlices(Math.max(1, Math.ceil(this.#rows / this.#sliceRows)));
    const presence: string[] = [];
    let addedUp = 0;
    try {
      for (const family of ['cube', 'revisits'] as const) await this.#makeTable({ cube, revisits }[family], family);
      for (const [no, slice] of slices.entries()) {
        presence.push(await this.#linkSlice(no, slice, { cube, revisits }));
        if ((await this.#count(cube)) > Math.max(WAITING_ROWS, 2 * addedUp)) {
          await this.#session.run(`CREATE TEMP TABLE ${cube}_sum AS FROM ${addedCube(cube)}`);
          await this.#session.run(`DROP TABLE ${cube}`);
          await this.#session.run(`ALTER TABLE ${cube}_sum RENAME TO ${cube}`);
          addedUp = await this.#count(cube);
        }
        if ((await this.#count(revisits)) > WAITING_ROWS) {
          await this.#publish('revisits', revisits, into);
          await this.#session.run(`DROP TABLE ${revisits}`);
          await this.#makeTable(revisits, 'revisits');
        }
        onProgress((no + 1) / slices.length);
      }
      await this.#publish('revisits', revisits, into);
      await this.#publish('cube', addedCube(cube), into);
    } finally {
      await this.#session.drop(cube, revisits, `${cube}_sum`);
    }
    return presence;
  }

  /** Adds to the tables what the visitors of a slice count. @returns their presence */
  async #linkSlice(no: number, slice: string, all: { cube: string; revisits: string }): Promise<string> {
    const { floorDay, mapping } = this.#of;
    const id = newId();
    const fresh = `presence_${id}`;
    const tables = { cube: `cube_${id}`, revisits: `revisits_${id}`, added: `added_${id}` };
    try {
      // The same visitor, page and day may be in several runs.
      await this.#session.run(
        `CREATE TEMP TABLE ${fresh} AS SELECT DISTINCT * FROM ${relation('presence', this.#runs, 'runs')} WHERE ${slice}`,
        { runs: this.#runs },
      );
      await cubeChanges(this.#session, { fresh, known: [], floorDay, mapping, slices: 1, ...tables });
      for (const family of ['cube', 'revisits'] as const)
        await this.#session.run(`INSERT INTO ${all[family]} FROM ${tables[family]}`);
      return (await this.#writeRun(`presence-${no}`, fresh)).file;
    } finally {
      await this.#session.drop(fresh, ...Object.values(tables));
    }
  }

  /** Writes rows of presence by visitor, so that a range of visitors reads about its share of the file. */
  async #writeRun(name: string, table: string): Promise<{ file: string; rows: number }> {
    const file = path.join(this.#owned.path, `${name}.parquet`);
    const { Count } = await this.#session.one<{ Count: bigint }>(
      `COPY (FROM ${table} ORDER BY visitor) TO '${file.replaceAll("'", "''")}' (FORMAT parquet, COMPRESSION lz4_raw, ROW_GROUP_SIZE ${GROUP_ROWS})`,
    );
    return { file, rows: Number(Count) };
  }

  async #makeTable(name: string, family: 'cube' | 'revisits'): Promise<void> {
    await this.#session.run(`CREATE TEMP TABLE ${name} AS FROM ${relation(family, [], '')}`);
  }

  async #count(table: string): Promise<number> {
    const { count } = await this.#session.one<{ count: bigint }>(`SELECT count(*) AS count FROM ${table}`);
    return Number(count);
  }

  async #publish(
    family: 'presence' | 'cube' | 'revisits' | 'views',
    rows: string,
    into: NewFile[],
    values: { presence?: string[] } = {},
  ): Promise<void> {
    const target = { projectId: this.#of.projectId, family };
    await writeParquet(this.#session, this.#folder, target, rows, values, { into });
  }
}
