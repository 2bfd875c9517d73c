import { analyticsFilePaths } from '../../store/analytics/manifest.ts';
import { withProjectLock } from '../../store/analytics/lock.ts';
import { besideOf } from '../storage/index-of.ts';
import type { Database } from '../../store/database.ts';

/**
 * Measures over several checks how long files have been in no manifest, and deletes them after long enough.
 */
export class UnnamedWatch {
  readonly #database: Database;
  readonly #longMs: number;
  readonly #since = new Map<string, number>();

  constructor(database: Database, longMs: number) {
    this.#database = database;
    this.#longMs = longMs;
  }

  /**
   * @param names all unnamed files @param now of a monotonic clock @returns those that were unnamed for long
   */
  long(names: Iterable<string>, now: number): Set<string> {
    const unnamed = new Set(names);
    for (const name of this.#since.keys()) if (!unnamed.has(name)) this.#since.delete(name);
    for (const name of unnamed) if (!this.#since.has(name)) this.#since.set(name, now);
    return new Set([...unnamed].filter((name) => now - this.#since.get(name)! >= this.#longMs));
  }

  /**
   * Deletes files of a project while no other process works on its files: a rebuild names its files when all
   * are written, which may be hours later. If another process works, any of them may belong to it, so they
   * are watched again from the end of that work, when its files have been named.
   * @param names from {@link long}, as in manifests
   * @returns how many were deleted
   */
  async clear(
    projectId: string,
    names: readonly string[],
    clear: (unnamed: readonly string[]) => Promise<void>,
  ): Promise<number> {
    const cleared = await withProjectLock(this.#database, projectId, async () => {
      // Someone may have named them since they were listed.
      const paths = await analyticsFilePaths(this.#database.db, projectId);
      const named = new Set(paths.flatMap((path) => [path, ...besideOf(path)]));
      const unnamed = names.filter((name) => !named.has(name));
      await clear(unnamed);
      return unnamed.length;
    });
    if (cleared === null) for (const name of names) this.#since.delete(name);
    return cleared ?? 0;
  }
}
