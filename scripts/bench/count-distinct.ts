import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Range } from '../../src/analytics/events/days.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';

const MEMORY_MB = 6_000;

/** The reference for the export: DuckDB on the same Parquet files, with unlimited memory. */
export class CountDistinct {
  readonly #duck: Duck;
  readonly #files: readonly string[];
  readonly #folder: string;

  private constructor(duck: Duck, files: readonly string[], folder: string) {
    this.#duck = duck;
    this.#files = files;
    this.#folder = folder;
  }

  static async open(files: readonly string[]): Promise<CountDistinct> {
    const folder = await mkdtemp(path.join(tmpdir(), 'docent-bench-reference-'));
    const duck = await Duck.open({ memoryMb: MEMORY_MB, threads: 2, connections: 1, temporaryFolder: folder });
    return new CountDistinct(duck, files, folder);
  }

  /** Rows by path as the export has them, by three `COUNT(DISTINCT)`. */
  byPath(range: Range): Promise<unknown[]> {
    const n = 'count(DISTINCT visitor) FILTER (WHERE class';
    return this.#duck.use((session) =>
      session.all(
        `SELECT path, ${n} = 'human')::DOUBLE AS human, ${n} = 'assistant')::DOUBLE AS ai,
           ${n} IN ('human', 'assistant'))::DOUBLE AS total
         FROM read_parquet($files)
         WHERE time >= make_timestamp($from * 1000) AND time < make_timestamp($to * 1000) AND NOT not_found
         GROUP BY path HAVING total > 0 ORDER BY total DESC, path`,
        { files: this.#files, from: range.from, to: range.to },
      ),
    );
  }

  async close(): Promise<void> {
    this.#duck.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
