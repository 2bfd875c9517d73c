import { mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { listWriters } from '../../store/analytics/writers.ts';
import type { AnalyticsFolder } from './analytics-folder.ts';
import { objectsAside, setObjectAside } from './bucket/objects-aside.ts';
import { isMissing, syncFolder } from './durable-files.ts';
import { filesBelow } from './files-below.ts';
import type { StorageDeps } from './storage.ts';

/**
 * Files with acknowledged events that count nowhere, as after a restore. None is ever deleted automatically.
 * @returns absolute paths, or addresses in the bucket
 */
export async function uncountedFiles({
  database,
  folder,
}: Pick<StorageDeps, 'database' | 'folder'>): Promise<string[]> {
  // The folders first: a writer's row is there before its folder, and goes after it.
  const isLog = (file: string) => path.dirname(path.dirname(file)) === folder.walFolder;
  const logs = (await filesBelow(folder.walFolder)).filter(isLog);
  const writers = new Set(logs.length > 0 ? (await listWriters(database.db)).map(({ id }) => id) : []);
  const unknown: string[] = [];
  for (const file of logs) {
    if (!writers.has(path.basename(path.dirname(file))) && (await sizeOf(file)) > 0) unknown.push(file);
  }
  const here = [...(await filesBelow(folder.unnamedFolder)), ...(await filesBelow(folder.unreadFolder)), ...unknown];
  return folder.bucketFiles ? [...here, ...(await objectsAside(folder.bucketFiles))] : here;
}

/**
 * Moves an unnamed file of events to where `recover` finds it. Idempotent.
 * @param name as in a manifest
 * @returns where
 */
export async function setUnnamedAside(folder: AnalyticsFolder, name: string): Promise<string> {
  if (folder.bucketFiles) return setObjectAside(folder.bucketFiles, folder.temporaryFolder, name);
  const file = folder.fileOf(name);
  const target = path.join(folder.unnamedFolder, path.relative(folder.filesFolder, file));
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  try {
    await rename(file, target);
  } catch (err) {
    if (!isMissing(err)) throw err;
  }
  await syncFolder(path.dirname(target));
  await syncFolder(path.dirname(file)).catch((err: unknown) => {
    if (!isMissing(err)) throw err;
  });
  return target;
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (err) {
    if (isMissing(err)) return 0;
    throw err;
  }
}
