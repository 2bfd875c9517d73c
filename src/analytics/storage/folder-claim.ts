import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { tryLock, type FileLock } from '../../platform/file-lock.ts';

/**
 * Shows that a folder has a living owner: a lock file beside it, which the operating system frees when the owner ends, however it
 * ends. The name of the lock file says on which running kernel and on which mounted file system it was taken. There alone does a
 * free lock prove that the owner is dead; for others, on another machine or after a reboot, it proves nothing.
 */
export interface FolderClaim {
  /** The folder is done with: the lock file goes. May be called twice. */
  release(): void;
  /** Lets go of a folder in which something is left: whoever finds it here knows at once that nobody owns it. */
  abandon(): void;
}

const SUFFIX = '.lock';
/** Those who cannot see the lock see that its file is touched. */
const TOUCH_MS = 10 * 60_000;

/** Claims a folder that is new; it need not exist yet. Null where this system has no way to prove a death. */
export function claimFolder(folder: string): FolderClaim | null {
  const file = lockFileOf(folder);
  if (file === null) return null;
  // Locked before it has its name: nobody ever sees a free lock of somebody who lives.
  const unnamed = `${file}.new`;
  const lock = lockOrNull(unnamed);
  if (!lock) {
    rmSync(unnamed, { force: true });
    return null;
  }
  renameSync(unnamed, file);
  return claimWith(file, lock);
}

/** Claims a folder whose owner was here and is dead. Null where it lives, or nobody can tell. */
export function claimFromDead(folder: string): FolderClaim | null {
  const file = lockFileOf(folder);
  if (file === null || !existsSync(file)) return null;
  const lock = lockOrNull(file);
  return lock && claimWith(file, lock);
}

/** Whether a folder was claimed here, by whoever it was. */
export function isClaimedHere(folder: string): boolean {
  const file = lockFileOf(folder);
  return file !== null && existsSync(file);
}

/** Deletes lock files of a folder that got another owner. They stay locked for those who hold them. */
export async function forgetClaims(folder: string): Promise<void> {
  for (const name of await readdir(path.dirname(folder))) {
    if (claimedBy(name) === path.basename(folder)) await rm(path.join(path.dirname(folder), name), { force: true });
  }
}

/** The name of the folder that a lock file is for; null for another file. */
export function claimedBy(fileName: string): string | null {
  return fileName.endsWith(SUFFIX) ? (fileName.split('.')[0] ?? null) : null;
}

function claimWith(file: string, lock: FileLock): FolderClaim {
  const touch = setInterval(() => {
    const now = new Date();
    // Deleted by whoever took the folder over.
    if (existsSync(file)) utimesSync(file, now, now);
  }, TOUCH_MS);
  touch.unref();
  const abandon = () => {
    clearInterval(touch);
    lock.release();
  };
  return {
    release: () => {
      // Before it is free: nobody finds a free lock of a folder that is done with.
      rmSync(file, { force: true });
      abandon();
    },
    abandon,
  };
}

/** Null where another one holds it, or where the file system knows no locks. */
function lockOrNull(file: string): FileLock | null {
  try {
    return tryLock(file);
  } catch (err) {
    if ((err as { code?: unknown }).code === 'ERR_SQLITE_ERROR') return null;
    throw err;
  }
}

function lockFileOf(folder: string): string | null {
  const kernel = runningKernel();
  if (kernel === null) return null;
  // The same folder mounted twice may know nothing of each other's locks.
  const { dev } = statSync(path.dirname(folder), { bigint: true });
  return `${folder}.${kernel}-${dev}${SUFFIX}`;
}

let kernelId: string | null | undefined;

/** What tells this boot of this machine from all others, containers on it included; null where there is no such thing. */
function runningKernel(): string | null {
  kernelId ??= readKernelId()?.trim().toLowerCase().replaceAll('-', '') || null;
  return kernelId;
}

function readKernelId(): string | null {
  try {
    if (process.platform === 'linux') return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    if (process.platform === 'darwin')
      return execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' });
  } catch {
    return null; // A system that hides it: deaths are told by leases alone.
  }
  return null;
}
