import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { listWriters } from '../../store/analytics-writers.ts';
import type { AnalyticsFolder } from './analytics-folder.ts';
import { isMissing, syncFolder } from './durable-files.ts';
import type { StorageDeps } from './storage.ts';

/**
 * Files with acknowledged events that count nowhere: files and logs that the database does not know, as after it was restored
 * from a backup, and logs that could not be read. None of them is ever deleted by itself. @returns absolute paths
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
  return [...(await filesBelow(folder.unnamedFolder)), ...(await filesBelow(folder.unreadFolder)), ...unknown];
}

/** Puts a file of events that no manifest names where `recover` finds it. Idempotent. @returns where */
export async function setUnnamedAside(folder: AnalyticsFolder, file: string): Promise<string> {
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

/** Every file below a folder; none where there is no such folder. */
export async function filesBelow(target: string): Promise<string[]> {
  try {
    const entries = await readdir(target, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  } catch (err) {
    if (isMissing(err)) return [];
    throw err;
  }
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (err) {
    if (isMissing(err)) return 0;
    throw err;
  }
}
