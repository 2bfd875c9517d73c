import type { BucketSettings } from '../../src/analytics/storage/open-bucket.ts';
import { readBucketUrl } from '../../src/platform/bucket-place.ts';

/** Bucket settings of tests, with short time limits. */
export function bucketSettings(
  { url, endpoint }: { url: string; endpoint: string },
  more: Partial<BucketSettings> = {},
): BucketSettings {
  const place = readBucketUrl(url);
  if (!place) throw new Error(`${url} is no bucket.`);
  return { place, endpoint, timeoutMs: 2_000, attempts: 2, maxBytes: 1_000_000_000, ...more };
}
