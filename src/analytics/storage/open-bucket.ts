import path from 'node:path';
import type { BucketPlace } from '../../platform/bucket-place.ts';
import { findFolder } from '../../store/analytics/folder.ts';
import type { Database } from '../../store/database.ts';
import { AnalyticsFolder } from './analytics-folder.ts';
import { Bucket, type BucketOptions } from './bucket/bucket.ts';
import { BucketFiles } from './bucket/bucket-files.ts';
import { guardBucket, type BucketGuardOptions } from './bucket/bucket-guard.ts';
import { claimBucket, claimLocalFolder, readLocalIdentity } from './bucket/bucket-identity.ts';
import { BucketProblem, isProblem } from './bucket/bucket-problem.ts';
import { moveToBucket, type Moved, type MoveOptions } from './bucket/move-to-bucket.ts';
import type { CacheOptions } from './bucket/file-cache.ts';
import type { FolderIdentity } from './folder-identity.ts';
import { Refused } from '@docent/base/refused';

export interface BucketSettings extends BucketOptions, CacheOptions {
  place: BucketPlace;
}

/**
 * Moves an installation's folder into a bucket: see {@link moveToBucket}.
 * @throws Refused also if the bucket does not answer
 */
export async function moveFolder(
  database: Database,
  root: string,
  settings: BucketSettings,
  options: MoveOptions,
): Promise<Moved | null> {
  return withBucket(settings, async (bucket) => {
    try {
      return await moveToBucket(database, path.resolve(root), bucket, options);
    } finally {
      bucket.close();
    }
  });
}

/**
 * Opens one of possibly many local folders of a bucket.
 * @throws Refused if bucket, database and folder do not match, or the folder is new and the bucket away
 */
export async function openBucketFolder(
  database: Database,
  root: string,
  settings: BucketSettings,
  options: BucketGuardOptions,
): Promise<AnalyticsFolder> {
  const absolute = path.resolve(root);
  return withBucket(settings, async (bucket) => {
    const known = await knownIdentity(database, absolute, settings.place);
    const identity = await claimBucket(database, bucket).catch((err: unknown) => {
      if (known === null || !isProblem(err, 'away')) throw err;
      options.log.error({ err }, 'the bucket for page views does not respond; using its local folder');
      return known;
    });
    await claimLocalFolder(absolute, identity);
    const files = new BucketFiles(bucket, absolute, { ...settings, log: options.log });
    return new AnalyticsFolder(absolute, guardBucket(database, absolute, files, identity, options), files);
  });
}

/** Identity of a folder that matches bucket and database: to accept events, the bucket is not asked. */
async function knownIdentity({ db }: Database, root: string, { url }: BucketPlace): Promise<FolderIdentity | null> {
  const [row, here] = [await findFolder(db), await readLocalIdentity(root)];
  return row?.path === url && row.id === here?.folder ? here : null;
}

/** @param work closes the bucket, if it does not fail */
async function withBucket<T>(settings: BucketSettings, work: (bucket: Bucket) => Promise<T>): Promise<T> {
  const bucket = await Bucket.open(settings.place, settings);
  try {
    return await work(bucket);
  } catch (err) {
    bucket.close();
    if (!(err instanceof BucketProblem)) throw err;
    throw new Refused(`The bucket ${settings.place.url} cannot be used: ${err.message}`);
  }
}
