import { findFolder } from '../../../store/analytics/folder.ts';
import type { Database, Queryable } from '../../../store/database.ts';
import { isDatabaseUnavailable } from '../../../store/database-problem.ts';
import { FolderGuard, type WatchOptions } from '../folder-guard.ts';
import type { FolderIdentity } from '../folder-identity.ts';
import { localIdentityFile, readBucketIdentity, readLocalIdentity } from './bucket-identity.ts';
import type { BucketFiles } from './bucket-files.ts';
import { BucketProblem, bucketUnavailable } from './bucket-problem.ts';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { analyticsFilePaths, analyticsProjectIds } from '../../../store/analytics/manifest.ts';
import { filesBelow } from '../files-below.ts';
import { indexOf } from '../index-of.ts';

/** Copies may be of files that are about to be named. */
const YOUNG_MS = 5 * 60_000;

/** Deletes copies of unnamed files: erased or expired events must leave this disk. @returns how many */
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
    const named = new Set(paths.flatMap((name) => [name, indexOf(name)]));
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

export interface BucketGuardOptions extends WatchOptions {
  /** How long to wait for an object before it is considered lost. */
  patienceMs?: number;
}

const CLEAR_MS = 3 * 60_000;

/** Proves that local folder, bucket and database belong together, while a process runs. */
export function guardBucket(
  database: Database,
  root: string,
  files: BucketFiles,
  { folder }: FolderIdentity,
  { patienceMs = 90_000, ...options }: BucketGuardOptions,
): FolderGuard {
  const { url } = files.bucket.place;
  let isOutdated = false;
  let clearing: Promise<void> | null = null;
  const clear = async () => {
    try {
      await dropStaleCopies(database.db, root, files);
    } catch (err) {
      if (!isDatabaseUnavailable(err)) options.log.warn({ err }, 'unused copies could not be deleted');
    }
    clearing = null;
  };
  // Erased files leave this disk as well, a few minutes later.
  const timer = setInterval(() => void (clearing ??= clear()), CLEAR_MS).unref();
  return new FolderGuard(
    {
      root,
      file: localIdentityFile(root),
      patienceMs,
      async look() {
        if (isOutdated)
          return `The page views of this database are no longer in ${url}. Restart this process with the settings of the others.`;
        if ((await readLocalIdentity(root))?.folder === folder) return null;
        return `${root} does not exist, or is not the folder that this process opened. Check that its disk is mounted. No data in the bucket was lost.`;
      },
      async compare() {
        const row = await findFolder(database.db);
        isOutdated = row !== null && row.id !== folder;
      },
      async verifyBucket() {
        const found = await files
          .ask(() => readBucketIdentity(files.bucket))
          .catch((err: unknown) => {
            throw bucketUnavailable(err);
          });
        if (found?.folder === folder) return;
        throw bucketUnavailable(
          new BucketProblem('refused', 'the bucket does not say any more that it is that of this database'),
        );
      },
      async close() {
        clearInterval(timer);
        await clearing;
      },
    },
    options,
  );
}
