import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const NO_SOURCE = /\/(?:dist|node_modules)\//;

/**
 * One hash for the names and contents of files, which identifies the sources of a build.
 * @param places files and folders below the root
 */
export async function fingerprintOf(root: string, places: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const place of places) {
    for (const file of await filesOf(path.join(root, place))) {
      const name = file.slice(root.length);
      if (!NO_SOURCE.test(name)) hash.update(`${name}\0`).update(await readFile(file));
    }
  }
  return hash.digest('hex');
}

/** All files in a folder, sorted; of a file, itself. */
export async function filesOf(place: string): Promise<string[]> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true }).catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOTDIR') return null;
    throw err;
  });
  if (entries === null) return [place];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
}
