import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { blobIdOf } from '@docent/base/files/object-id';
import { MAX_CHECKED_BYTES } from '@docent/base/files/large-files';

/** A key that no file with content has. */
const NOT_READ = 'not-read';

/**
 * A file's text with the blob id of its facts. The text is null if the file is not UTF-8, too large,
 * unreadable or missing; its key then differs from an empty page's.
 */
export function readFile(file: string): { text: string | null; key: string } {
  let bytes: Buffer;
  try {
    if (statSync(file).size > MAX_CHECKED_BYTES) return { text: null, key: NOT_READ };
    bytes = readFileSync(file);
  } catch {
    return { text: null, key: NOT_READ }; // It was deleted in the meantime, or may not be read.
  }
  return { text: bytes.includes(0) || !isUtf8(bytes) ? null : bytes.toString('utf8'), key: blobIdOf(bytes) };
}
