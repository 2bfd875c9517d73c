import { newId } from '../../store/ids.ts';
import type { FileRow } from '../../store/analytics/manifest.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import { NEVER } from '../events/days.ts';
import type { Duck, DuckSession, Values } from '../storage/duck.ts';
import { CUBE_KINDS, IS_CUBE_KIND } from '../events/kinds.ts';
import { absolutePaths } from '../storage/tables.ts';
import { BlockSums } from './block-sums.ts';
import { CubeRows, Runs } from './cube-rows.ts';

/** Counts for each page are adjacent, in the order of {@link CUBE_KINDS}. */
export const WIDTH = CUBE_KINDS.length;
/** The place of a `kind` in that order. */
const KIND_NUMBER = `CASE kind ${CUBE_KINDS.map((kind, no) => `WHEN '${kind}' THEN ${no}`).join(' ')} END`;

/** A file of a cube, or the unmerged changes, in memory: 4 to 12 bytes a row. A cube sums its layers. */
export class CubeLayer {
  /** Unique among layers. */
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

  static async loadFile(duck: Duck, folder: AnalyticsFolder, file: FileRow): Promise<CubeLayer> {
    const letGo = await folder.hold([file]);
    try {
      const source = { file: absolutePaths(folder, [file]) };
      return await duck.use((session) => CubeLayer.load(session, 'read_parquet($file)', source));
    } finally {
      letGo();
    }
  }

  /** Reads a relation's cube rows in one pass. @param relation may have several rows for one count */
  static async load(session: DuckSession, relation: string, values: Values = {}): Promise<CubeLayer> {
    const source = `${relation} WHERE ${IS_CUBE_KIND}`;
    const [named, page] = [`cube_pages_${newId()}`, `cube_page_${newId()}`];
    try {
      await session.run(`CREATE TEMP TABLE ${named} AS SELECT DISTINCT path FROM ${source}`, values);
      const found = await session.all<{ path: string }>(`FROM ${named} ORDER BY path`);
      const pages = found.map(({ path }) => path);
      // An enum type instead of a join with a table of numbers, which takes a third more of the time.
      await session.run(`CREATE TEMP TYPE ${page} AS ENUM (FROM ${named} ORDER BY path)`);
      const place = `(enum_code(path::${page})::INTEGER * ${WIDTH} + ${KIND_NUMBER})::INTEGER`;
      return new CubeLayer(pages, await loadRows(session, source, place, pages.length * WIDTH, values));
    } finally {
      await session.dropTypes(page);
      await session.drop(named);
    }
  }

  get rows(): number {
    return this.#rows.length;
  }

  /**
   * Adds the visitors of each day of [from, to) who came on no earlier day since `from`.
   * @param sums by page and kind
   */
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

/** @param place SQL of a row's slot, below `slots` */
async function loadRows(
  session: DuckSession,
  source: string,
  place: string,
  slots: number,
  values: Values,
): Promise<CubeRows> {
  const runs = new Runs();
  let most = 0;
  for await (const columns of session.numbers(
    `SELECT day, prev, count(*)::INTEGER, max(abs(n))::INTEGER FROM ${source} GROUP BY day, prev ORDER BY day, prev`,
    values,
  )) {
    const [days, prevs, rows, largest] = signed(columns);
    for (let i = 0; i < days.length; i += 1) {
      runs.add(days[i]!, prevs[i]!, rows[i]!);
      most = Math.max(most, largest[i]!);
    }
  }
  runs.finish();
  const slotOf = slots <= 2 ** 16 ? new Uint16Array(runs.rows) : new Uint32Array(runs.rows);
  const counts = most < 2 ** 15 ? new Int16Array(runs.rows) : new Int32Array(runs.rows);
  const next = runs.rowsOf.slice();
  for await (const columns of session.numbers(`SELECT ${place}, day, prev, n::INTEGER FROM ${source}`, values)) {
    const [places, days, prevs, ns] = signed(columns);
    for (let i = 0; i < days.length; i += 1) {
      const at = next[runs.find(days[i]!, prevs[i]!)]!++;
      slotOf[at] = places[i]!;
      counts[at] = ns[i]!;
    }
  }
  return new CubeRows(runs, slotOf, counts);
}

type Four = [Int32Array, Int32Array, Int32Array, Int32Array];

const signed = (columns: readonly Uint32Array[]) => columns.map((column) => new Int32Array(column.buffer)) as Four;
