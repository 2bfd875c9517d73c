import { chmod, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../../analytics/storage/durable-files.ts';
import { UNFINISHED } from '../../platform/unfinished-restore.ts';

/** Marks a folder, made if need be, as one that no one may work with yet. */
export async function markUnfinished(folder: string, backup: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // As root, the embedded PostgreSQL runs as another user, who must be able to pass through.
  if (process.getuid?.() === 0) await chmod(folder, 0o711);
  const handle = await open(path.join(folder, UNFINISHED), 'wx', 0o600);
  try {
    await handle.writeFile(`${backup}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(folder);
}

export async function removeUnfinished(folder: string): Promise<void> {
  await rm(path.join(folder, UNFINISHED), { force: true });
  await syncFolder(folder);
}
