import { stat } from 'node:fs/promises';
import path from 'node:path';
import { analyticsFilePaths, analyticsProjectIds } from '../../../store/analytics/manifest.ts';
import type { Queryable } from '../../../store/database.ts';
import { filesBelow } from '../files-below.ts';
import { besideOf } from '../index-of.ts';
import type { BucketFiles } from './bucket-files.ts';

/** Copies may be of files that are about to be named. */
const YOUNG_MS = 5 * 60_000;

/**
 * Deletes copies of files that no manifest names: erased or expired events must go from this disk, too.
 * @returns how many
 */
export async function dropStaleCopies(
  q: Queryable,
  root: string,
  files: BucketFiles,
  youngMs = YOUNG_MS,
): Promise<number> {
  const copies = await filesBelow(path.join(root, 'files'));
  const nameOf = (file: string) => path.relative(root, file).split(path.sep).join('/');
  const known = new Set(await analyticsProjectIds(q));
  let gone = 0;
  for (const [projectId, own] of Map.groupBy(copies, (file) => nameOf(file).split('/')[1] ?? '')) {
    const paths = known.has(projectId) ? await analyticsFilePaths(q, projectId) : [];
    const named = new Set(paths.flatMap((name) => [name, ...besideOf(name)]));
    for (const file of own) {
      if (named.has(nameOf(file)) || files.cache.isHeld(file)) continue;
      const found = await stat(file).catch(() => null);
      if (!found || Date.now() - found.mtimeMs < youngMs) continue;
      await files.dropCopy(nameOf(file));
      gone += 1;
    }
  }
  return gone;
}
