import { watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import { folderOf } from '../read/folder.ts';
import { messageOf } from '@docent/base/thrown';
import { CheckMemory } from './check-memory.ts';
import { runCheck, type CheckOptions, type CheckOutcome } from './run-check.ts';

/** Editors write in several steps. */
const QUIET_MS = 40;
/** Each watched folder takes a handle of the system. */
const MAX_FOLDERS = 5_000;

export interface Watched {
  /** The check's outcome, or why there is none. */
  outcome: CheckOutcome | null;
  failure: string | null;
  /** From the end of the change to the outcome. */
  milliseconds: number;
}

/**
 * Checks a folder, and again after each change of its files, until the signal. Unchanged files are not read
 * again.
 * @throws as {@link runCheck}, if not even the first check is possible
 */
export async function watchCheck(
  options: CheckOptions,
  onResult: (watched: Watched) => void,
  signal: AbortSignal,
): Promise<void> {
  const memory = new CheckMemory();
  const changed = new Set<string>();
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    const start = performance.now();
    memory.changed([...changed]);
    changed.clear();
    let watched: Watched;
    try {
      const outcome = runCheck(options, memory);
      watched = { outcome, failure: null, milliseconds: performance.now() - start };
    } catch (thrown) {
      watched = { outcome: null, failure: messageOf(thrown), milliseconds: performance.now() - start };
    }
    follow();
    onResult(watched);
  };
  const follow = () => {
    const disk = memory.files(options.folder);
    const folders = new Set(disk.paths().flatMap(foldersAbove));
    for (const folder of [...folders].slice(0, MAX_FOLDERS)) {
      if (watchers.has(folder)) continue;
      try {
        const watcher = watch(path.join(disk.top, folder), (_event, name) => {
          const file = folder === '' ? name : `${folder}/${name}`;
          if (name === null || name === '.git' || isOwn(file, options)) return;
          changed.add(file!);
          clearTimeout(timer);
          timer = setTimeout(check, QUIET_MS);
        });
        watcher.on('error', () => (watcher.close(), watchers.delete(folder)));
        watchers.set(folder, watcher);
      } catch {
        // The folder was deleted in the meantime, which its parent reports.
      }
    }
  };
  const outcome = runCheck(options, memory);
  follow();
  onResult({ outcome, failure: null, milliseconds: 0 });
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  clearTimeout(timer);
  for (const watcher of watchers.values()) watcher.close();
}

/** The cache is written by each check. */
function isOwn(file: string | null, { cacheFile }: CheckOptions): boolean {
  return file !== null && cacheFile !== undefined && path.basename(file).startsWith(path.basename(cacheFile));
}

function foldersAbove(file: string): string[] {
  const folder = folderOf(file);
  return folder === '' ? [''] : [folder, ...foldersAbove(folder)];
}
