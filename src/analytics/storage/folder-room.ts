import { readdir, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { AnalyticsFolder } from './analytics-folder.ts';

export interface FolderRoom {
  /** Bytes of the disk that the folder is on. */
  freeBytes: number;
  totalBytes: number;
  /** Bytes of events that are on disk and not sealed yet, of all processes. */
  unsealedBytes: number;
}

/** How much room there is, and how much waits to be sealed. */
export async function folderRoom(folder: AnalyticsFolder): Promise<FolderRoom> {
  const { bavail, blocks, bsize } = await statfs(folder.root);
  let unsealedBytes = 0;
  for (const id of await folder.writerIds()) {
    const own = folder.writerFolder(id);
    // A process may release its log, or seal a part of it, during this check.
    for (const name of await readdir(own).catch(() => [])) {
      unsealedBytes += await stat(path.join(own, name)).then(
        ({ size }) => size,
        () => 0,
      );
    }
  }
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize, unsealedBytes };
}
