import { newId } from '../../store/ids.ts';
import type { FileRow } from '../../store/analytics-manifest.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import { NEVER } from '../events/days.ts';
import type { Duck, DuckSession, Values } from '../storage/duck.ts';
import { CUBE_KINDS, IS_CUBE_KIND } from '../events/kinds.ts';
import { absolutePaths } from '../storage/tables.ts';
import { BlockSums } from './block-sums.ts';
import { CubeRows, Runs } from './cube-rows.ts';

/** Counts for each page stand together, in the order of {@link CUBE_KINDS}. */
export const WIDTH = CUBE_KINDS.length;

/**
 * One file of a cube, or what unmerged events change in it, in memory: a cube is the sum of its layers. It holds what the export asks for,
 * 4 bytes a row, or up to 8 where pages or counts are many, and at most half as much again for sums of many days.
 */
export class CubeLayer {
  /** Tells it from every other layer. */
  readonly id = newId();
  /** Page names; '' is the site. */
  readonly pages: readonly string[];
  readonly #rows: CubeRows;
  readonly #blocks: BlockSums | null;

  private constructor(pages: readonly string[], rows: CubeRows) {
    this.pages = pages;
    this.#rows = rows;
    this.#blocks = BlockSums.of(rows, pages.length * WIDTH);
  }

  static loadFile(duck: Duck, folder: AnalyticsFolder, file: FileRow): Promise<CubeLayer> {
    const source = { file: absolutePaths(folder, [file]) };
    return duck.use((session) => CubeLayer.load(session, 'read_parquet($file)', source));
  }

  /**
   * Reads the cube's rows of a relation in one pass, with no more memory than what is kept.
   * @param relation may hold a row's counts in several rows
   */
  static async load(session: DuckSession, relation: string, values: Values = {}): Promise<CubeLayer> {
    const source = `${relation} WHERE ${IS_CUBE_KIND}`;
    const found = await session.all<{ path: string }>(`SELECT DISTINCT path FROM ${source} ORDER BY path`, values);
    const pages = found.map(({ path }) => path);
    const runs = new Runs();
    let most = 0;
    for await (const [days = [], prevs = [], rows = [], largest = []] of session.integers(
      `SELECT day, prev, count(*)::INTEGER, max(abs(n))::INTEGER FROM ${source} GROUP BY day, prev ORDER BY day, prev`,
      values,
    )) {
      for (let i = 0; i < days.length; i += 1) {
        runs.add(days[i]!, prevs[i]!, rows[i]!);
        most = Math.max(most, largest[i]!);
      }
    }
    runs.finish();
    const slots = pages.length * WIDTH <= 2 ** 16 ? new Uint16Array(runs.rows) : new Uint32Array(runs.rows);
    const counts = most < 2 ** 15 ? new Int16Array(runs.rows) : new Int32Array(runs.rows);
    const next = runs.rowsOf.slice();
    const kind = `list_position([${CUBE_KINDS.map((name) => `'${name}'`).join(', ')}], kind) - 1`;
    for await (const [places = [], days = [], prevs = [], ns = []] of session.integers(
      `WITH pages AS (SELECT path, (row_number() OVER (ORDER BY path) - 1) AS page FROM (SELECT DISTINCT path FROM ${source}))
         SELECT (page * ${WIDTH} + ${kind})::INTEGER, day, prev, n::INTEGER FROM (FROM ${source}) JOIN pages USING (path)`,
      values,
    )) {
      for (let i = 0; i < days.length; i += 1) {
        const at = next[runs.find(days[i]!, prevs[i]!)]!++;
        slots[at] = places[i]!;
        counts[at] = ns[i]!;
      }
    }
    return new CubeLayer(pages, new CubeRows(runs, slots, counts));
  }

  get rows(): number {
    return this.#rows.length;
  }

  /** Adds up who was there on a day of [from, to) and on no earlier day since `from`. @param sums by page and kind of this layer */
  addTo(sums: Float64Array, from: number, to: number): void {
    const middle = this.#blocks?.within(from, to);
    if (!middle) {
      this.#rows.addTo(sums, from, to, NEVER, from);
      return;
    }
    middle.addTo(sums);
    this.#rows.addTo(sums, from, middle.from, NEVER, from);
    this.#rows.addTo(sums, middle.from, middle.to, middle.prevTo, from);
    this.#rows.addTo(sums, middle.to, to, NEVER, from);
  }
}
