import { createHash } from 'node:crypto';

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

/** Forty lower-case hex characters. */
export function isObjectId(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

/** SHA-1 of a git object, as hex. */
export function objectId(type: ObjectType, content: Uint8Array): string {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');
}

/** The blob id that git gives to a text (UTF-8). */
export function blobIdOf(content: string | Buffer): string {
  return objectId('blob', typeof content === 'string' ? Buffer.from(content, 'utf8') : content);
}
