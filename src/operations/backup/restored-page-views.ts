import { hostname } from 'node:os';
import { Bucket } from '../../analytics/storage/bucket/bucket.ts';
import { readBucketIdentity } from '../../analytics/storage/bucket/bucket-identity.ts';
import { BucketProblem } from '../../analytics/storage/bucket/bucket-problem.ts';
import { moveFolder, type BucketSettings } from '../../analytics/storage/open-bucket.ts';
import { findFolder, liesInBucket, replaceFolder } from '../../store/analytics/folder.ts';
import type { Database } from '../../store/database.ts';
import { Refused } from '../../platform/refused.ts';

/**
 * Refuses a bucket in use: its database and the restored one would not know each other's files.
 * @throws Refused
 */
export async function requireEmptyBucket(settings: BucketSettings): Promise<void> {
  const { url } = settings.place;
  const bucket = await Bucket.open(settings.place, settings);
  try {
    if ((await readBucketIdentity(bucket)) === null && (await bucket.list('files/')).length === 0) return;
  } catch (err) {
    if (!(err instanceof BucketProblem) && !(err instanceof Refused)) throw err;
    throw new Refused(`The bucket ${url} cannot be used: ${err.message}`, { cause: err });
  } finally {
    bucket.close();
  }
  throw new Refused(
    `${url} is not empty. Set DOCENT_ANALYTICS_STORAGE to an empty prefix, or unset it to restore into a folder.`,
  );
}

/** Restored page views belong to the folder or move to a bucket, wherever they were before. */
export async function putPageViews(database: Database, root: string, bucket: BucketSettings | null): Promise<void> {
  const row = await findFolder(database.db);
  if (row && liesInBucket(row)) await replaceFolder(database.db, { ...row, path: root, host: hostname() });
  if (bucket) await moveFolder(database, root, bucket, { waitMs: 0, leavesDamaged: true });
}
