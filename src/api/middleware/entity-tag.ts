import { hash } from 'node:crypto';
import { AppError } from '../../platform/errors.ts';

/** Long enough that two states of one resource never share a tag. */
const TAG_LENGTH = 22;

/** A hash of an answer's uncompressed text: any change, even by a newer build, changes the tag. */
export function tagOf(text: string | Buffer): string {
  return `"${hash('sha256', text, 'base64url').slice(0, TAG_LENGTH)}"`;
}

/** The tag of an answer that is packed: other bytes, so another tag (RFC 9110, 8.8.3.3). */
export function codedTag(tag: string, coding: string): string {
  return `${tag.slice(0, -1)}-${coding}"`;
}

/**
 * Whether a list of tags has this one. Weak ones match, as compressing proxies weaken tags.
 * @param header of `If-Match` or `If-None-Match`
 */
export function namesTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true;
  return header.split(',').some((entry) => {
    const bare = entry
      .trim()
      .replace(/^W\//, '')
      .replace(/-(?:br|gzip)"$/, '"');
    return bare === tag;
  });
}

/** The answer to a change, with the tag that `GET` would return now. @param of what the tag is of: the body, or a part of it */
export function tagged<B extends object>(body: B, of: object = body) {
  return { status: 200 as const, body, headers: { ETag: tagOf(JSON.stringify(of)) } };
}

const CHANGED =
  'The resource has changed since you read it (`If-Match`). Get it again, and send the change with its new `ETag`.';

/**
 * Enforces `If-Match`.
 * @param shown what `GET` would answer, read under a lock
 * @throws AppError `precondition_failed`
 */
export function refuseUnlessMatched(ifMatch: string | undefined, shown: object, sentence = CHANGED): void {
  if (ifMatch === undefined || namesTag(ifMatch, tagOf(JSON.stringify(shown)))) return;
  throw new AppError('precondition_failed', sentence);
}
