import { analyticsFilePaths } from '../../store/analytics/manifest.ts';
import { withProjectLock } from '../../store/analytics/lock.ts';
import { besideOf } from '../storage/index-of.ts';
import type { Database } from '../../store/database.ts';

/**
 * Watches, at look after look, how long files have been in no manifest, and clears away those for which it
 * was long.
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
   * @param names all that no manifest names @param now of a monotonic clock @returns those of them for which
   * that was long so
   */
  long(names: Iterable<string>, now: number): Set<string> {
    const unnamed = new Set(names);
    for (const name of this.#since.keys()) if (!unnamed.has(name)) this.#since.delete(name);
    for (const name of unnamed) if (!this.#since.has(name)) this.#since.set(name, now);
    return new Set([...unnamed].filter((name) => now - this.#since.get(name)! >= this.#longMs));
  }

  /**
   * Clears away files of a project, while no one else works on its files: what a rebuild has written is named
   * once all of it is, which may be hours later. Where someone does, any of them may be theirs: they are
   * watched from the end of that work on, by when what it names has a name.
   * @param names as {@link long} had them, which is as manifests have them
   * @returns how many went
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
