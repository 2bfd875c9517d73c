import { analyticsFilePaths } from '../../store/analytics-manifest.ts';
import { withProjectLock } from '../../store/analytics-lock.ts';
import { besideOf } from '../storage/index-of.ts';
import type { StorageDeps } from '../storage/storage.ts';

/**
 * Clears away files of a project that no manifest has named for long, while nobody else works on its files: what a rebuild has written is
 * named once all of it is, which may be hours later.
 * @param names relative to the analytics folder
 * @returns those that went; null where another process is at it, and any of them may be its own
 */
export function clearUnnamed(
  { database }: Pick<StorageDeps, 'database'>,
  projectId: string,
  names: readonly string[],
  clear: (name: string) => Promise<void>,
): Promise<string[] | null> {
  return withProjectLock(database, projectId, async () => {
    // Somebody may have named them since they were listed.
    const paths = await analyticsFilePaths(database.db, projectId);
    const named = new Set(paths.flatMap((name) => [name, ...besideOf(name)]));
    const unnamed = names.filter((name) => !named.has(name));
    for (const name of unnamed) await clear(name);
    return unnamed;
  });
}
