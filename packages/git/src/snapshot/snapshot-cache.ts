import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryKey, type Endpoint } from '../contract.ts';
import { openSnapshot, type Snapshot } from './snapshot.ts';
import { codeOf } from '@docent/base/thrown';
import { isGitError } from '../git-error.ts';

export interface CacheLimits {
  /** A snapshot without a request for this long is deleted, in milliseconds. */
  maxAgeMs: number;
  /** Above this size, the least recently requested snapshots are deleted. */
  maxBytes: number;
}

export const DEFAULT_CACHE_LIMITS: CacheLimits = { maxAgeMs: 14 * 86_400_000, maxBytes: 5 * 1024 * 1024 * 1024 };

/** Each attempt writes more often than this, so older leftovers have no owner. */
const ATTEMPT_MS = 3_600_000;
/** A snapshot requested within this time is about to be read, whatever the limits. */
const GRACE_MS = 720_000;
const TOUCH_MS = 60_000;
const SUFFIX = '.snapshot';

/**
 * The folder of all repositories' snapshots: `<cacheDir>/<repository>/<commit>.snapshot`. Files are written
 * under a unique name and then renamed, and their names identify the content, so any number of processes may
 * use one folder without locks.
 */
export class SnapshotCache {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  }

  pathOf(endpoint: Endpoint, commit: string): string {
    return join(this.#folderOf(endpoint), commit + SUFFIX);
  }

  /** The commit's snapshot, if there is a whole one. Counts as use. */
  find(endpoint: Endpoint, commit: string): Snapshot | null {
    const path = this.pathOf(endpoint, commit);
    // An open file stays readable after its deletion, but other processes would not find its path.
    if (!existsSync(path)) return null;
    const snapshot = openOrNull(path);
    if (snapshot) touch(path);
    return snapshot;
  }

  /** Snapshots of the same repository that were used last, the latest first. */
  latest(endpoint: Endpoint, count: number): Snapshot[] {
    const folder = this.#folderOf(endpoint);
    return filesIn(folder)
      .filter((file) => file.path.endsWith(SUFFIX))
      .toSorted((a, b) => b.mtimeMs - a.mtimeMs)
      .slice(0, count)
      .map((file) => openOrNull(file.path))
      .filter((snapshot) => snapshot !== null);
  }

  /** A name for a file of this attempt alone, in the folder of the repository. */
  attemptPath(endpoint: Endpoint, what: string): string {
    const folder = this.#folderOf(endpoint);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return join(folder, `attempt-${process.pid}-${randomBytes(6).toString('hex')}.${what}`);
  }

  /** Gives a finished snapshot its name. */
  publish(attemptPath: string, endpoint: Endpoint, commit: string): string {
    const path = this.pathOf(endpoint, commit);
    renameSync(attemptPath, path);
    return path;
  }

  /** Deletes leftovers of dead attempts, then old snapshots. Safe in several processes. */
  collectGarbage(limits: CacheLimits, now = Date.now()): { removed: number; bytes: number } {
    const files = filesIn(this.#dir).flatMap((entry) => filesIn(entry.path));
    const removals: string[] = [];
    let bytes = 0;
    for (const file of files.toSorted((a, b) => b.mtimeMs - a.mtimeMs)) {
      const age = now - file.mtimeMs;
      const isSnapshot = file.path.endsWith(SUFFIX);
      const keep = isSnapshot
        ? age < GRACE_MS || (age < limits.maxAgeMs && bytes + file.size <= limits.maxBytes)
        : age < ATTEMPT_MS;
      if (keep) bytes += file.size;
      else removals.push(file.path);
    }
    for (const path of removals) rmSync(path, { force: true });
    return { removed: removals.length, bytes };
  }

  #folderOf(endpoint: Endpoint): string {
    return join(this.#dir, createHash('sha256').update(repositoryKey(endpoint)).digest('hex').slice(0, 32));
  }
}

function openOrNull(path: string): Snapshot | null {
  try {
    return openSnapshot(path);
  } catch (err) {
    if (isGitError(err, 'snapshot_unusable')) return null;
    throw err;
  }
}

function touch(path: string): void {
  try {
    const now = Date.now();
    if (now - statSync(path).mtimeMs > TOUCH_MS) utimesSync(path, now / 1000, now / 1000);
  } catch (err) {
    if (codeOf(err) !== 'ENOENT') throw err;
  }
}

function filesIn(folder: string): { path: string; mtimeMs: number; size: number }[] {
  const entries = orNothing(() => readdirSync(folder)) ?? [];
  return entries.flatMap((name) => {
    const path = join(folder, name);
    const found = orNothing(() => statSync(path));
    return found ? [{ path, mtimeMs: found.mtimeMs, size: found.size }] : [];
  });
}

/** Another process may do this at the same time: a deleted file is not an error. */
function orNothing<T>(read: () => T): T | null {
  try {
    return read();
  } catch (err) {
    const code = codeOf(err);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw err;
  }
}
