/** A prefix in a bucket of an S3-compatible store. */
export interface BucketPlace {
  bucket: string;
  /** Without slashes at its ends; may be empty. */
  prefix: string;
  /** As in the setting. */
  url: string;
}

/** `s3://bucket/prefix` taken apart; null for anything else. */
export function readBucketUrl(url: string): BucketPlace | null {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w!.*'()/-]*))?$/.exec(url);
  if (!match?.[1]) return null;
  const prefix = (match[2] ?? '').replace(/^\/+|\/+$/g, '');
  if (prefix.split('/').includes('..') || prefix.includes('//')) return null;
  return { bucket: match[1], prefix, url: `s3://${match[1]}${prefix && `/${prefix}`}` };
}
