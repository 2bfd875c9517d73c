import { newId } from '../../store/ids.ts';
import type { FileRow } from '../../store/analytics-manifest.ts';
import type { AnalyticsFolder } from '../analytics-folder.ts';
import type { Duck } from '../duck.ts';
import { EXPORT_KINDS, KIND_FILTER } from '../kinds.ts';
import { absolutePaths, relation } from '../tables.ts';

/** The part of a cube that the export asks for, in memory and in numbers: reading its files takes several times as long. */
export interface CubeTable {
  /** (path_id, kind, day, prev, n), kinds as places in EXPORT_KINDS. */
  cube: string;
  /** (path_id, path) */
  paths: string;
}

interface Entry {
  table: Promise<CubeTable>;
  users: number;
  usedAt: number;
}

/** Cubes that are kept. New events change none: only a fold does. */
const KEPT = 4;

/** Cubes of one process, each loaded once, however many ask. */
export class CubeTables {
  readonly #folder: AnalyticsFolder;
  readonly #duck: Duck;
  readonly #entries = new Map<string, Entry>();

  constructor(folder: AnalyticsFolder, duck: Duck) {
    this.#folder = folder;
    this.#duck = duck;
  }

  /** Lends the cube of these files. */
  async use<T>(files: readonly FileRow[], work: (table: CubeTable) => Promise<T>): Promise<T> {
    const key = files.map((file) => file.id).join();
    let entry = this.#entries.get(key);
    if (!entry) {
      entry = { table: this.#load(files), users: 0, usedAt: 0 };
      this.#entries.set(key, entry);
      entry.table.catch(() => this.#entries.delete(key));
    }
    entry.users += 1;
    entry.usedAt = performance.now();
    try {
      return await work(await entry.table);
    } finally {
      entry.users -= 1;
      await this.evict();
    }
  }

  /** Lets go of all but the last that were used. */
  async evict(kept = KEPT): Promise<void> {
    const idle = [...this.#entries].filter(([, entry]) => entry.users === 0);
    const surplus = idle.toSorted(([, a], [, b]) => a.usedAt - b.usedAt).slice(0, Math.max(0, idle.length - kept));
    for (const [key] of surplus) this.#entries.delete(key);
    for (const [, entry] of surplus) {
      const { cube, paths } = await entry.table;
      await this.#duck.use(async (session) => {
        await session.run(`DROP TABLE IF EXISTS ${cube}`);
        await session.run(`DROP TABLE IF EXISTS ${paths}`);
      });
    }
  }

  #load(files: readonly FileRow[]): Promise<CubeTable> {
    const id = newId();
    const table = { cube: `cube_${id}`, paths: `paths_${id}` };
    const values = { cube: absolutePaths(this.#folder, files) };
    const rows = `${relation('cube', files, 'cube')} WHERE ${KIND_FILTER.export}`;
    const kind = `list_position([${EXPORT_KINDS.map((name) => `'${name}'`).join(', ')}], kind)::UTINYINT`;
    return this.#duck.use(async (session) => {
      await session.run(
        `CREATE TABLE ${table.paths} AS
         SELECT (row_number() OVER () - 1)::INTEGER AS path_id, path FROM (SELECT DISTINCT path FROM ${rows})`,
        values,
      );
      await session.run(
        `CREATE TABLE ${table.cube} AS
         SELECT path_id, ${kind} AS kind, day, prev, sum(n)::INTEGER AS n
         FROM (FROM ${rows}) JOIN ${table.paths} USING (path)
         GROUP BY ALL HAVING sum(n) <> 0 ORDER BY day`,
        values,
      );
      return table;
    });
  }
}

/** Visitors of the export's kinds by path, from the table. Names `$wholeFrom` and `$wholeTo`. */
export const countedIn = ({ cube, paths }: CubeTable, scope: 'site' | 'all'): string => `
  SELECT path, ([${EXPORT_KINDS.map((name) => `'${name}'`).join(', ')}])[kind] AS kind, n
  FROM (
    SELECT path_id, kind, sum(n)::BIGINT AS n FROM ${cube}
    WHERE day >= $wholeFrom AND day < $wholeTo AND prev < $wholeFrom
    ${scope === 'site' ? `AND path_id = (SELECT path_id FROM ${paths} WHERE path = '')` : ''}
    GROUP BY ALL
  ) JOIN ${paths} USING (path_id)`;
