import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from './durable-files.ts';

/** Every file below a folder; none if the folder does not exist. */
export async function filesBelow(target: string): Promise<string[]> {
  try {
    const entries = await readdir(target, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  } catch (err) {
    if (isMissing(err)) return [];
    throw err;
  }
}
