import { open, rename } from 'node:fs/promises';
import path from 'node:path';

/** Makes what a folder lists (new, renamed, deleted files) survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Gives a whole, synced file its final name, durably. */
export async function publishFile(temporary: string, final: string): Promise<void> {
  await rename(temporary, final);
  await syncFolder(path.dirname(final));
}

/** Whether an error, of Node or of DuckDB, says that no space is left. */
export function isStorageFull(err: unknown): boolean {
  for (let current = err; current instanceof Error; current = current.cause) {
    const { code } = current as { code?: unknown };
    if (code === 'ENOSPC' || code === 'EDQUOT') return true;
    // The last one is what DuckDB says that has no more room for what does not fit into its memory.
    if (/No space left on device|Disk quota exceeded|max_temp_directory_size/i.test(current.message)) return true;
  }
  return false;
}

export const isMissing = (err: unknown): boolean => (err as NodeJS.ErrnoException | null)?.code === 'ENOENT';
