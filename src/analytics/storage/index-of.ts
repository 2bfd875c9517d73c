import { access } from 'node:fs/promises';
import { isMissing } from './durable-files.ts';

import path from 'node:path';

/** The name of the index of a file of presence, which lies beside it: see `counts/presence-index`. */
export const indexOf = (presence: string): string => `${presence.slice(0, -path.extname(presence).length)}.index`;

export async function hasIndex(presence: string): Promise<boolean> {
  try {
    await access(indexOf(presence));
    return true;
  } catch (err) {
    if (isMissing(err)) return false;
    throw err;
  }
}
