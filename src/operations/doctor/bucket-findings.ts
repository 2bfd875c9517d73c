import { Bucket } from '../../analytics/storage/bucket/bucket.ts';
import { readBucketIdentity } from '../../analytics/storage/bucket/bucket-identity.ts';
import type { BucketSettings } from '../../analytics/storage/open-bucket.ts';
import { messageOf } from '@docent/base/thrown';
import { liesInBucket, type FolderRow } from '../../store/analytics/folder.ts';
import { bucketFails, DOCS, ok, wrong, type Finding } from '../../platform/health.ts';

const TIMEOUT_MS = 3_000;

/** Whether the bucket accepts this machine's keys and belongs to the database. @param row null if unknown */
export async function bucketFindings(
  root: string,
  row: FolderRow | null,
  settings: BucketSettings | null,
): Promise<Finding[]> {
  if (settings === null) {
    return [
      wrong('analytics-bucket', {
        what: `The page views of this database are in ${row?.path}, but DOCENT_ANALYTICS_STORAGE is not set here.`,
        todo: 'Set it as for the roles, with the keys of the store.',
        docs: DOCS.bucket,
      }),
    ];
  }
  const { url } = settings.place;
  const bucket = await Bucket.open(settings.place, { ...settings, timeoutMs: TIMEOUT_MS, attempts: 1 });
  try {
    const identity = await readBucketIdentity(bucket);
    if (row && identity?.folder !== row.id) {
      return [
        wrong('analytics-bucket', {
          what: `${url} does not hold the page views of this database (registered as ${row.path} by ${row.host}).`,
          todo: liesInBucket(row)
            ? 'Set DOCENT_ANALYTICS_STORAGE as for the roles.'
            : `Start the roles to move the page views to ${url}, or unset DOCENT_ANALYTICS_STORAGE.`,
          docs: DOCS.bucket,
        }),
      ];
    }
    return [ok('analytics-bucket', `${url} is reachable. ${root} holds this machine's logs and copies.`)];
  } catch (err) {
    return [bucketFails(`${url}: ${messageOf(err)}`)];
  } finally {
    bucket.close();
  }
}
