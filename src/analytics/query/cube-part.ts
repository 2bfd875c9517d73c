import { newId } from '../../store/ids.ts';
import type { FileRow } from '../../store/analytics-manifest.ts';
import type { AnalyticsFolder } from '../analytics-folder.ts';
import type { Duck, DuckSession, Values } from '../duck.ts';
import { CUBE_KINDS, IS_CUBE_KIND } from '../kinds.ts';

/** Counts for each page stand together, in the order of {@link CUBE_KINDS}. */
export const WIDTH = CUBE_KINDS.length;

/**
 * One file of a cube in memory: what the export asks for, 4 bytes a row, or up to 8 where pages or counts are many. Rows lie by day, and within a day by previous day, so that
 * those of a day that a range counts, whose previous day lies before the range, stand in one row without a gap: nothing is looked
 * at that does not count.
 */
export class CubePart {
  /** Tells it from every other part. */
  readonly id = newId();
  /** Page names; '' is the site. */
  readonly pages: readonly string[];
  readonly #days: Int32Array;
  /** The runs of day `i` are [#runsOf[i], #runsOf[i + 1]). */
  readonly #runsOf: Uint32Array;
  /** Run `r` has the previous day #prevs[r] and the rows [#rowsOf[r], #rowsOf[r + 1]). */
  readonly #prevs: Int32Array;
  readonly #rowsOf: Uint32Array;
  readonly #slots: Uint16Array | Uint32Array;
  readonly #counts: Int16Array | Int32Array;

  private constructor(
    pages: readonly string[],
    runs: Runs,
    slots: Uint16Array | Uint32Array,
    counts: Int16Array | Int32Array,
  ) {
    this.pages = pages;
    this.#days = runs.days;
    this.#runsOf = runs.runsOf;
    this.#prevs = runs.prevs;
    this.#rowsOf = runs.rowsOf;
    this.#slots = slots;
    this.#counts = counts;
  }

  static loadFile(duck: Duck, folder: AnalyticsFolder, file: FileRow): Promise<CubePart> {
    return duck.use((session) => CubePart.load(session, 'read_parquet($file)', { file: folder.fileOf(file.path) }));
  }

  /**
   * Reads the cube's rows of a relation in one pass, with no more memory than what is kept.
   * @param relation may hold a row's counts in several rows
   */
  static async load(session: DuckSession, relation: string, values: Values = {}): Promise<CubePart> {
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
    return new CubePart(pages, runs, slots, counts);
  }

  get rows(): number {
    return this.#slots.length;
  }

  /** Adds up who was there on a day of [from, to) and on no earlier day since `from`. @param sums by page and kind of this part */
  addTo(sums: Float64Array, from: number, to: number): void {
    const slots = this.#slots;
    const counts = this.#counts;
    const days = this.#days;
    for (let i = firstAtLeast(days, from, 0, days.length); i < days.length && days[i]! < to; i += 1) {
      const first = this.#runsOf[i]!;
      const last = firstAtLeast(this.#prevs, from, first, this.#runsOf[i + 1]!);
      const end = this.#rowsOf[last]!;
      for (let row = this.#rowsOf[first]!; row < end; row += 1) sums[slots[row]!]! += counts[row]!;
    }
  }
}

/** Where the rows of each (day, previous day) lie. Runs are added in order. */
class Runs {
  days = new Int32Array();
  runsOf = new Uint32Array();
  prevs = new Int32Array();
  rowsOf = new Uint32Array();
  rows = 0;
  readonly #added: { days: number[]; runsOf: number[]; prevs: number[]; rowsOf: number[] } = {
    days: [],
    runsOf: [],
    prevs: [],
    rowsOf: [],
  };
  readonly #places = new Map<number, number>();

  add(day: number, prev: number, rows: number): void {
    const { days, runsOf, prevs, rowsOf } = this.#added;
    if (days.at(-1) !== day) {
      days.push(day);
      runsOf.push(prevs.length);
    }
    this.#places.set(keyOf(day, prev), prevs.length);
    prevs.push(prev);
    rowsOf.push(this.rows);
    this.rows += rows;
  }

  finish(): void {
    const { days, runsOf, prevs, rowsOf } = this.#added;
    this.days = Int32Array.from(days);
    this.runsOf = Uint32Array.from([...runsOf, prevs.length]);
    this.prevs = Int32Array.from(prevs);
    this.rowsOf = Uint32Array.from([...rowsOf, this.rows]);
  }

  find(day: number, prev: number): number {
    return this.#places.get(keyOf(day, prev))!;
  }
}

/** One number for two days, also for NEVER. */
const keyOf = (day: number, prev: number): number => day * 2 ** 22 + Math.max(prev, -(2 ** 20)) + 2 ** 20;

/** The first place in [low, high) of ascending numbers that holds at least `value`, or `high`. */
function firstAtLeast(numbers: Int32Array, value: number, low: number, high: number): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
