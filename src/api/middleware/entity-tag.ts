import { hash } from 'node:crypto';
import { AppError } from '../../platform/errors.ts';

/** Long enough that no two states of one thing ever have the same. */
const TAG_LENGTH = 22;

/**
 * The entity tag of an answer's text, without what its coding adds: a hash of every byte, so that whatever
 * makes the answer another one makes the tag another one too, a newer build of the server among it.
 */
export function tagOf(text: string | Buffer): string {
  return `"${hash('sha256', text, 'base64url').slice(0, TAG_LENGTH)}"`;
}

/** The tag of an answer that is packed: other bytes, so another tag (RFC 9110, 8.8.3.3). */
export function codedTag(tag: string, coding: string): string {
  return `${tag.slice(0, -1)}-${coding}"`;
}

/**
 * Whether a list of entity tags names this one, in whichever coding. A proxy on the way that packs an answer
 * makes its tag a weak one: our tags say exactly what was read all the same, so that it counts here.
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

/**
 * The header of an answer that shows, after a change, what `GET` would answer now: the tag for the next
 * change.
 */
export function taggedAs(shown: object): { ETag: string } {
  return { ETag: tagOf(JSON.stringify(shown)) };
}

/**
 * For changes that may only be made to what the caller has seen (`If-Match`).
 * @param shown what `GET` would answer now: read where no one else can change it before we do
 * @throws AppError `precondition_failed`
 */
export function refuseUnlessMatched(ifMatch: string | undefined, shown: object): void {
  if (ifMatch === undefined || namesTag(ifMatch, tagOf(JSON.stringify(shown)))) return;
  throw new AppError(
    'precondition_failed',
    'The resource has changed since you read it (`If-Match`). Get it again, and send the change with ' +
      'its new `ETag`.',
  );
}
