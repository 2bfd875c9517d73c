import type { FileRow } from '../../store/analytics/manifest.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import type { Duck } from '../storage/duck.ts';
import { CUBE_KINDS, IS_CUBE_KIND } from '../events/kinds.ts';
import { absolutePaths, relation, rowsOf } from '../storage/tables.ts';
import { CubeLayer, WIDTH } from './cube-layer.ts';

/** Visitors of whole days by page: `sums` has {@link WIDTH} numbers for each, `placeOf` their position. */
export interface PageSums {
  pages: readonly string[];
  sums: Float64Array;
  placeOf: ReadonlyMap<string, number>;
}

/** The data for the export of whole merged days. */
export interface CubeIndex {
  /** Visitors of the days [from, to). */
  count(from: number, to: number): Promise<PageSums>;
  hasPage(path: string): Promise<boolean>;
}

class LoadedCube implements CubeIndex {
  readonly #layers: { layer: CubeLayer; places: Uint32Array }[];
  readonly #pages: string[] = [];
  readonly #placeOf = new Map<string, number>();
  /** One layer's sums, reused: allocating them costs more than counting. */
  readonly #scratch: Float64Array;

  constructor(layers: readonly CubeLayer[]) {
    this.#layers = layers.map((layer) => ({
      layer,
      places: Uint32Array.from(layer.pages, (page) => this.#place(page)),
    }));
    this.#scratch = new Float64Array(this.#pages.length * WIDTH);
  }

  async count(from: number, to: number): Promise<PageSums> {
    const sums = new Float64Array(this.#pages.length * WIDTH);
    const [first, ...others] = this.#layers;
    // Its pages have the first places, in its own order.
    first?.layer.addTo(sums.subarray(0, first.places.length * WIDTH), from, to);
    for (const { layer, places } of others) {
      const own = this.#scratch.subarray(0, places.length * WIDTH).fill(0);
      layer.addTo(own, from, to);
      for (let page = 0; page < places.length; page += 1) {
        for (let kind = 0; kind < WIDTH; kind += 1) sums[places[page]! * WIDTH + kind]! += own[page * WIDTH + kind]!;
      }
    }
    return { pages: this.#pages, sums, placeOf: this.#placeOf };
  }

  async hasPage(path: string): Promise<boolean> {
    return this.#placeOf.has(path);
  }

  #place(page: string): number {
    let place = this.#placeOf.get(page);
    if (place === undefined) {
      place = this.#pages.push(page) - 1;
      this.#placeOf.set(page, place);
    }
    return place;
  }
}

/** A cube that is too large to be kept in memory: each question reads its files. */
class CubeFiles implements CubeIndex {
  readonly #duck: Duck;
  readonly #source: string;
  readonly #values: { cube: readonly string[] };

  constructor(duck: Duck, folder: AnalyticsFolder, files: readonly FileRow[]) {
    this.#duck = duck;
    this.#source = `${relation('cube', files, 'cube')} WHERE ${IS_CUBE_KIND}`;
    this.#values = { cube: absolutePaths(folder, files) };
  }

  async count(from: number, to: number): Promise<PageSums> {
    const columns = CUBE_KINDS.map((kind) => `coalesce(sum(n) FILTER (WHERE kind = '${kind}'), 0)::DOUBLE AS ${kind}`);
    const rows = await this.#duck.use((session) =>
      session.all<{ path: string } & Record<(typeof CUBE_KINDS)[number], number>>(
        `SELECT path, ${columns.join(', ')} FROM ${this.#source} AND day >= $from AND day < $to AND prev < $from GROUP BY path`,
        { ...this.#values, from, to },
      ),
    );
    const sums = Float64Array.from(rows.flatMap((row) => CUBE_KINDS.map((kind) => row[kind])));
    return { pages: rows.map((row) => row.path), sums, placeOf: new Map(rows.map((row, place) => [row.path, place])) };
  }

  async hasPage(path: string): Promise<boolean> {
    const found = await this.#duck.use((session) =>
      session.all(`SELECT 1 FROM ${this.#source} AND path = $path LIMIT 1`, { ...this.#values, path }),
    );
    return found.length > 0;
  }
}

/** Several cubes added up. */
class JoinedCube implements CubeIndex {
  readonly #cubes: readonly CubeIndex[];

  constructor(cubes: readonly CubeIndex[]) {
    this.#cubes = cubes;
  }

  async count(from: number, to: number): Promise<PageSums> {
    const counts = await Promise.all(this.#cubes.map((cube) => cube.count(from, to)));
    const placeOf = new Map<string, number>();
    for (const { pages } of counts) {
      for (const page of pages) if (!placeOf.has(page)) placeOf.set(page, placeOf.size);
    }
    const sums = new Float64Array(placeOf.size * WIDTH);
    for (const count of counts) {
      for (const [page, path] of count.pages.entries()) {
        const place = placeOf.get(path)!;
        for (let kind = 0; kind < WIDTH; kind += 1) sums[place * WIDTH + kind]! += count.sums[page * WIDTH + kind]!;
      }
    }
    return { pages: [...placeOf.keys()], sums, placeOf };
  }

  async hasPage(path: string): Promise<boolean> {
    for (const cube of this.#cubes) if (await cube.hasPage(path)) return true;
    return false;
  }
}

interface Entry {
  files: readonly FileRow[];
  cube: Promise<CubeIndex>;
}

/** The most versions of cubes; those of one project share their files. */
const MAX_CUBES = 64;
/** Rows that a process keeps, about 150 MB with the sums; larger cubes are read from files. */
export const MAX_ROWS = 24_000_000;

/** The cubes of one process. Each file is loaded once for all versions and queries. */
export class CubeIndexes {
  readonly #folder: AnalyticsFolder;
  readonly #duck: Duck;
  readonly #maxRows: number;
  readonly #entries = new Map<string, Entry>();
  readonly #layers = new Map<string, Promise<CubeLayer>>();

  constructor(folder: AnalyticsFolder, duck: Duck, maxRows = MAX_ROWS) {
    this.#folder = folder;
    this.#duck = duck;
    this.#maxRows = maxRows;
  }

  /** The cube of these files. @param unmerged counted beside them; the same object for the same version */
  async get(files: readonly FileRow[], unmerged: CubeLayer | null): Promise<CubeIndex> {
    if (rowsOf(files) > this.#maxRows) {
      const cube = new CubeFiles(this.#duck, this.#folder, files);
      return unmerged ? new JoinedCube([cube, new LoadedCube([unmerged])]) : cube;
    }
    const key = [...files.map((file) => file.id), ...(unmerged ? [unmerged.id] : [])].join();
    let entry = this.#entries.get(key);
    if (!entry) {
      entry = { files, cube: this.#load(files, unmerged) };
      entry.cube.catch(() => {
        this.#entries.delete(key);
        this.#forgetLayers();
      });
    }
    // The last in the map is the last that was used.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#evict();
    return entry.cube;
  }

  /** Drops the least recently used data, until the rest fits. */
  #evict(): void {
    for (const key of [...this.#entries.keys()].slice(0, -1)) {
      if (this.#entries.size <= MAX_CUBES && rowsOf(this.#keptFiles()) <= this.#maxRows) break;
      this.#entries.delete(key);
    }
    this.#forgetLayers();
  }

  async #load(files: readonly FileRow[], unmerged: CubeLayer | null): Promise<CubeIndex> {
    const layers: CubeLayer[] = [];
    for (const file of files) {
      let layer = this.#layers.get(file.id);
      if (!layer) this.#layers.set(file.id, (layer = CubeLayer.loadFile(this.#duck, this.#folder, file)));
      layers.push(await layer);
    }
    return new LoadedCube(unmerged ? [...layers, unmerged] : layers);
  }

  #keptFiles(): FileRow[] {
    const files = new Map<string, FileRow>();
    for (const entry of this.#entries.values()) for (const file of entry.files) files.set(file.id, file);
    return [...files.values()];
  }

  #forgetLayers(): void {
    const kept = new Set(this.#keptFiles().map((file) => file.id));
    for (const id of this.#layers.keys()) if (!kept.has(id)) this.#layers.delete(id);
  }
}
