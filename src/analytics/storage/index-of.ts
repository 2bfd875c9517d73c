import { access } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from './durable-files.ts';

/** The name of the index beside a file of presence or events, deleted with it: see `counts/index-file`. */
export const indexOf = (file: string): string => `${file.slice(0, -path.extname(file).length)}.index`;

export async function hasIndex(file: string): Promise<boolean> {
  try {
    await access(indexOf(file));
    return true;
  } catch (err) {
    if (isMissing(err)) return false;
    throw err;
  }
}
