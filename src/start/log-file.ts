import { closeSync, existsSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import { shortageOf } from '../platform/shortage.ts';

/** One older file of the same size is kept beside it, as `docent.log.1`. */
const MAX_BYTES = 20 * 1_048_576;

/** Appends lines to a private log. On a full disk they are lost, rather than ending the process. */
export function openLogFile(file: string, maxBytes = MAX_BYTES): (line: string) => void {
  let descriptor = openSync(file, 'a', 0o600);
  let size = fstatSync(descriptor).size;
  const startAnew = () => {
    closeSync(descriptor);
    // Someone may have removed it.
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    if (existsSync(file)) renameSync(file, `${file}.1`);
    descriptor = openSync(file, 'a', 0o600);
    size = 0;
  };
  return (line) => {
    try {
      const bytes = Buffer.from(`${line}\n`);
      if (size > 0 && size + bytes.length > maxBytes) startAnew();
      size += writeSync(descriptor, bytes);
    } catch (err) {
      if (!shortageOf(err)) throw err;
    }
  };
}
