import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { tryLock, type FileLock } from '@docent/base/file-lock';
import { newId } from '../../store/ids.ts';

const SUFFIX = '.lock';

/** Shows that a folder's owner lives by a lock file, across containers of one machine. */
export interface FolderClaim {
  /** The folder is no longer needed: deletes the lock file. Idempotent. */
  release(): void;
  /** Leaves a folder that still has content to the next process. Idempotent. */
  abandon(): void;
}

/** Claims a folder that is new, or that was taken over; it need not exist yet. */
export function claimFolder(folder: string): FolderClaim {
  // Locked before it has its name: the lock of a living process never looks free.
  const unnamed = `${folder}${SUFFIX}.new`;
  const lock = tryLock(unnamed);
  if (!lock) throw new Error(`${unnamed} is locked: two processes chose the same name.`);
  renameSync(unnamed, `${folder}${SUFFIX}`);
  return claimWith(folder, lock);
}

/** Claims a dead owner's folder. Null if the owner lives or used another disk. */
export function claimFromDead(folder: string): FolderClaim | null {
  if (!existsSync(`${folder}${SUFFIX}`)) return null;
  const lock = tryLock(`${folder}${SUFFIX}`);
  return lock && claimWith(folder, lock);
}

/** The name of the folder that a lock file is for; null for another file. */
export function claimedBy(fileName: string): string | null {
  return fileName.endsWith(SUFFIX) ? fileName.slice(0, -SUFFIX.length) : null;
}

function claimWith(folder: string, lock: FileLock): FolderClaim {
  return {
    release: () => {
      // Before it is free: a free lock always means that something is left.
      rmSync(`${folder}${SUFFIX}`, { force: true });
      lock.release();
    },
    abandon: () => lock.release(),
  };
}

/** A folder of temporary files. Its name is new each time: process ids are the same in every container. */
export interface OwnedFolder {
  readonly path: string;
  /** Deletes it. */
  release(): void;
}

/** The purposes: DuckDB's temporary files, files for a backup, and sorted presence. */
const PURPOSES = ['duck', 'backup', 'runs'] as const;

/** Whether a name is an owned folder or its lock: only owners, or those who find them dead, delete it. */
export const isOwned = (name: string): boolean => PURPOSES.some((purpose) => name.startsWith(`${purpose}-`));

/** Claims a folder below `temporaryFolder`, and deletes those of dead processes. */
export function claimOwned(temporaryFolder: string, purpose: (typeof PURPOSES)[number]): OwnedFolder {
  mkdirSync(temporaryFolder, { recursive: true, mode: 0o700 });
  deleteDeadFolders(temporaryFolder);
  const folder = path.join(temporaryFolder, `${purpose}-${newId()}`);
  const claim = claimFolder(folder);
  return {
    path: folder,
    release: () => {
      rmSync(folder, { recursive: true, force: true });
      claim.release();
    },
  };
}

/** Deletes the owned folders of processes that have ended. */
export function deleteDeadFolders(temporaryFolder: string): void {
  const names = readdirSync(temporaryFolder).filter((name) => isOwned(name) && !name.endsWith(`${SUFFIX}.new`));
  for (const name of new Set(names.map((name) => claimedBy(name) ?? name))) {
    const folder = path.join(temporaryFolder, name);
    // Owners claim a folder before they create it: one without a lock file has none.
    const isDead = !existsSync(`${folder}${SUFFIX}`);
    const claim = isDead ? null : claimFromDead(folder);
    if (!isDead && !claim) continue;
    rmSync(folder, { recursive: true, force: true });
    claim?.release();
  }
}
