import { open, rename, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { shortageOf } from '@docent/base/shortage';

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

/** Appends all bytes to those that were written before. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at)).bytesWritten;
}

/** Gives a whole, synced file its final name, durably. */
export async function publishFile(temporary: string, final: string): Promise<void> {
  await rename(temporary, final);
  await syncFolder(path.dirname(final));
}

/** Whether an error, of Node or of DuckDB, means that no space is left. */
export const isStorageFull = (err: unknown): boolean => shortageOf(err) === 'disk';

export const isMissing = (err: unknown): boolean => (err as NodeJS.ErrnoException | null)?.code === 'ENOENT';

/** Whether both files are on one disk: neither is below a mount point whose disk was unmounted. */
export async function areOnOneDisk(file: string, other: string): Promise<boolean> {
  try {
    const [one, two] = await Promise.all([stat(file), stat(other)]);
    return one.dev === two.dev;
  } catch (err) {
    if (!isMissing(err)) throw err;
    return false;
  }
}
