import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const NO_SOURCE = /\/(?:dist|node_modules)\//;
const ROOT = path.join(import.meta.dirname, '..', '..');

/**
 * Builds a folder, unless it was built from the same sources. An interrupted build does not count: what
 * names the sources is removed first and written last.
 * @param sources files and folders below the root
 * @returns the seconds of the build, or null if there was nothing to do
 */
export async function buildOnce(
  folder: string,
  sources: readonly string[],
  build: () => Promise<void>,
): Promise<string | null> {
  const mark = path.join(folder, '.built-from');
  const fingerprint = await fingerprintOf(sources);
  if (existsSync(mark) && (await readFile(mark, 'utf8')) === fingerprint) return null;
  const start = performance.now();
  await rm(mark, { force: true });
  await build();
  await mkdir(folder, { recursive: true });
  await writeFile(mark, fingerprint);
  return ((performance.now() - start) / 1_000).toFixed(1);
}

/**
 * One hash for the names and contents of files, which identifies the sources of a build.
 * @param places files and folders below the root
 */
async function fingerprintOf(places: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const place of places) {
    for (const file of await filesOf(path.join(ROOT, place))) {
      const name = file.slice(ROOT.length);
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
