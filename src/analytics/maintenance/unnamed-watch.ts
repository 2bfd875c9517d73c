import { analyticsFilePaths } from '../../store/analytics/manifest.ts';
import { withProjectLock } from '../../store/analytics/lock.ts';
import { indexOf } from '../storage/index-of.ts';
import type { Database } from '../../store/database.ts';

/** Watches how long files are in no manifest, and deletes those for which it was long. */
export class UnnamedWatch {
  readonly #database: Database;
  readonly #longMs: number;
  readonly #since = new Map<string, number>();

  constructor(database: Database, longMs: number) {
    this.#database = database;
    this.#longMs = longMs;
  }

  /**
   * @param names everything unnamed
   * @param now of a monotonic clock
   * @returns the names that were unnamed for long
   */
  long(names: Iterable<string>, now: number): Set<string> {
    const unnamed = new Set(names);
    for (const name of this.#since.keys()) if (!unnamed.has(name)) this.#since.delete(name);
    for (const name of unnamed) if (!this.#since.has(name)) this.#since.set(name, now);
    return new Set([...unnamed].filter((name) => now - this.#since.get(name)! >= this.#longMs));
  }

  /**
   * Deletes files of a project under its lock. If that is taken, they may belong to running work, such as a
   * rebuild, and are watched from its end on.
   * @param names as {@link long} returned them
   * @returns how many
   */
  async clear(
    projectId: string,
    names: readonly string[],
    clear: (unnamed: readonly string[]) => Promise<void>,
  ): Promise<number> {
    const cleared = await withProjectLock(this.#database, projectId, async () => {
      // Someone may have named them since they were listed.
      const paths = await analyticsFilePaths(this.#database.db, projectId);
      const named = new Set(paths.flatMap((path) => [path, indexOf(path)]));
      const unnamed = names.filter((name) => !named.has(name));
      await clear(unnamed);
      return unnamed.length;
    });
    if (cleared === null) for (const name of names) this.#since.delete(name);
    return cleared ?? 0;
  }
}
