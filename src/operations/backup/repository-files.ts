import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '../../analytics/storage/durable-files.ts';

/** Unfinished files of git, or of another push. */
const UNFINISHED = /(?:\.lock|\/(?:tmp_objdir|incoming|tmp_obj|tmp_pack)[-_][^/]*(?:\/.*)?)$/;

/**
 * A repository's files, folders first, safe during pushes: objects follow refs, so every ref's commit is
 * included. A second pass finds repacked objects.
 * @param root absolute
 * @returns relative paths with slashes
 */
export async function* repositoryFiles(root: string): AsyncGenerator<{ name: string; entry: Dirent }> {
  const seen = new Set<string>();
  const stores: string[] = [];
  for await (const found of below(root, '')) {
    if (isObjectStore(found.name, found.entry)) stores.push(found.name);
    else if (!stores.some((store) => found.name.startsWith(`${store}/`))) yield found;
  }
  for (let look = 1; look <= 2; look++) {
    for (const store of stores) {
      for await (const found of below(root, store)) {
        if (seen.has(found.name)) continue;
        seen.add(found.name);
        yield found;
      }
    }
  }
}

const isObjectStore = (name: string, entry: Dirent): boolean =>
  entry.isDirectory() && (name === 'objects' || name === '.git/objects');

async function* below(root: string, folder: string): AsyncGenerator<{ name: string; entry: Dirent }> {
  let entries: Dirent[];
  try {
    entries = await readdir(path.join(root, folder), { withFileTypes: true });
  } catch (err) {
    if (isMissing(err)) return;
    throw err;
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (UNFINISHED.test(`/${name}`)) continue;
    yield { name, entry };
    if (entry.isDirectory()) yield* below(root, name);
  }
}
