import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { blobIdOf } from '../../../git/object-id.ts';
import { MAX_CHECKED_BYTES } from '../../../git/snapshot/large-files.ts';

/** A file's text, null where it is none, too large or not there; with its blob id, under which facts are kept. */
export function readFile(file: string): { text: string | null; key: string } {
  let bytes: Buffer;
  try {
    bytes = statSync(file).size > MAX_CHECKED_BYTES ? Buffer.of(0) : readFileSync(file);
  } catch {
    bytes = Buffer.of(0); // It went away, or may not be read: then it is no text that could be checked.
  }
  const text = bytes.includes(0) || !isUtf8(bytes) ? null : bytes.toString('utf8');
  return { text, key: blobIdOf(text ?? '') };
}
