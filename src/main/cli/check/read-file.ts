import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { blobIdOf } from '../../../git/object-id.ts';

/**
 * Bytes of a file that are read: navigations of large sites have megabytes, and so have pages with pictures in them. What is larger is named
 * as not read. Of a page with more text than a parser has memory for, its facts say so.
 */
export const MAX_BYTES = 16 * 1_048_576;

/** A file's text, null where it is none, too large or not there; with its blob id, under which facts are kept. */
export function readFile(file: string): { text: string | null; key: string } {
  let bytes: Buffer;
  try {
    bytes = statSync(file).size > MAX_BYTES ? Buffer.of(0) : readFileSync(file);
  } catch {
    bytes = Buffer.of(0); // It went away, or may not be read: then it is no text that could be checked.
  }
  const text = bytes.includes(0) || !isUtf8(bytes) ? null : bytes.toString('utf8');
  return { text, key: blobIdOf(text ?? '') };
}
