import type { Logger } from '../../../platform/log.ts';
import { findFolder } from '../../../store/analytics/folder.ts';
import type { Database, Queryable } from '../../../store/database.ts';
import { isDatabaseUnavailable } from '../../../store/database-problem.ts';
import { areOnOneDisk } from '../durable-files.ts';
import type { Guard } from '../analytics-folder.ts';
import { folderUnavailable, type FolderIdentity } from '../folder-identity.ts';
import { localIdentityFile, readBucketIdentity, readLocalIdentity } from './bucket-identity.ts';
import type { BucketFiles } from './bucket-files.ts';
import { BucketProblem, bucketUnavailable } from './bucket-problem.ts';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { analyticsFilePaths, analyticsProjectIds } from '../../../store/analytics/manifest.ts';
import { filesBelow } from '../files-below.ts';
import { indexOf } from '../index-of.ts';

/** Copies may be of files that are about to be named. */
const YOUNG_MS = 5 * 60_000;

/** Deletes copies of unnamed files: erased or expired events must leave this disk. @returns how many */
export async function dropStaleCopies(
  q: Queryable,
  root: string,
  files: BucketFiles,
  youngMs = YOUNG_MS,
): Promise<number> {
  const copies = await filesBelow(path.join(root, 'files'));
  const nameOf = (file: string) => path.relative(root, file).split(path.sep).join('/');
  const known = new Set(await analyticsProjectIds(q));
  let gone = 0;
  for (const [projectId, own] of Map.groupBy(copies, (file) => nameOf(file).split('/')[1] ?? '')) {
    const paths = known.has(projectId) ? await analyticsFilePaths(q, projectId) : [];
    const named = new Set(paths.flatMap((name) => [name, indexOf(name)]));
    for (const file of own) {
      if (named.has(nameOf(file)) || files.cache.isHeld(file)) continue;
      const found = await stat(file).catch(() => null);
      if (!found || Date.now() - found.mtimeMs < youngMs) continue;
      await files.dropCopy(nameOf(file));
      gone += 1;
    }
  }
  return gone;
}

export interface BucketGuardOptions {
  log: Logger;
  /** How often the local folder, and the database's row, are checked. */
  checkEveryMs?: number;
  /** How long to wait for an object before it is considered lost. */
  patienceMs?: number;
}

const CLEAR_MS = 3 * 60_000;

/** Proves that local folder, bucket and database belong together, while a process runs. */
export class BucketGuard implements Guard {
  readonly patienceMs: number;
  readonly #root: string;
  readonly #database: Database;
  readonly #files: BucketFiles;
  readonly #identity: FolderIdentity;
  readonly #log: Logger;
  readonly #timers: NodeJS.Timeout[];
  #problem: string | null = null;
  #isOutdated = false;
  #looking: Promise<void> | null = null;
  #clearing: Promise<void> | null = null;

  constructor(
    database: Database,
    root: string,
    files: BucketFiles,
    identity: FolderIdentity,
    options: BucketGuardOptions,
  ) {
    this.#database = database;
    this.#root = root;
    this.#files = files;
    this.#identity = identity;
    this.#log = options.log;
    this.patienceMs = options.patienceMs ?? 90_000;
    this.#timers = [
      setInterval(() => void this.#checkAll(), options.checkEveryMs ?? 5_000),
      setInterval(() => void this.#clear(), CLEAR_MS),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  assertMounted(): void {
    if (this.#problem !== null) throw folderUnavailable(this.#problem);
  }

  async verify(): Promise<void> {
    await this.#check();
    this.assertMounted();
  }

  async requireWritten(file: string): Promise<void> {
    await this.verify();
    if (await areOnOneDisk(file, localIdentityFile(this.#root))) return;
    throw folderUnavailable(`The folder ${this.#root} went away while it was written to.`);
  }

  /** Checks that the bucket is the installation's. @throws AppError `unavailable` */
  async verifyBucket(): Promise<void> {
    try {
      const found = await this.#files.ask(() => readBucketIdentity(this.#files.bucket));
      if (found?.folder === this.#identity.folder) return;
    } catch (err) {
      throw bucketUnavailable(err);
    }
    throw bucketUnavailable(
      new BucketProblem('refused', 'the bucket does not say any more that it is that of this database'),
    );
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all([this.#looking, this.#clearing]);
  }

  #checkAll(): Promise<void> {
    this.#looking ??= (async () => {
      try {
        const row = await findFolder(this.#database.db);
        this.#isOutdated = row !== null && row.id !== this.#identity.folder;
      } catch {
        // The database is down, which is reported elsewhere.
      }
      await this.#check();
      this.#looking = null;
    })();
    return this.#looking;
  }

  /** Erased files leave this disk as well, a few minutes later. */
  #clear(): Promise<void> {
    this.#clearing ??= (async () => {
      try {
        await dropStaleCopies(this.#database.db, this.#root, this.#files);
      } catch (err) {
        if (!isDatabaseUnavailable(err)) this.#log.warn({ err }, 'unused copies could not be deleted');
      }
      this.#clearing = null;
    })();
    return this.#clearing;
  }

  /** Never rejects. */
  async #check(): Promise<void> {
    let problem: string | null = this.#isOutdated
      ? `The page views of this database are no longer in ${this.#files.bucket.place.url}. Restart this ` +
        'process with the settings of the others.'
      : null;
    try {
      const found = await readLocalIdentity(this.#root);
      if (found?.folder !== this.#identity.folder)
        problem ??= `${this.#root} does not exist, or is not the folder that this process opened. Check that its disk is mounted. No data in the bucket was lost.`;
    } catch (err) {
      problem ??= `${this.#root} cannot be read (${String(err)}).`;
    }
    if (problem !== null && this.#problem === null)
      this.#log.error(`${problem} Until then, page views are neither accepted nor reported.`);
    if (problem === null && this.#problem !== null) this.#log.info('the analytics folder is available again');
    this.#problem = problem;
  }
}
