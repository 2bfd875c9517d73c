import { setTimeout as sleep } from 'node:timers/promises';
import { findFolder } from '../../store/analytics/folder.ts';
import type { Database } from '../../store/database.ts';
import { isDatabaseUnavailable } from '../../store/database-problem.ts';
import { FolderLock } from '../../store/installation/folder-lock.ts';
import type { Logger } from '../../platform/log.ts';
import { areOnOneDisk } from './durable-files.ts';
import {
  claimIdentity,
  folderUnavailable,
  identityFile,
  isOriginal,
  readIdentity,
  SHARED,
  type FolderIdentity,
} from './folder-identity.ts';
import { Refused } from '@docent/base/refused';

export interface WatchOptions {
  log: Logger;
  /** How often the identity on the disk is read. */
  checkEveryMs?: number;
  /** How often it is compared with the database. */
  beatMs?: number;
}

export interface GuardOptions extends WatchOptions {
  /** The process's name for people: `docent api`. */
  name: string;
  signal?: AbortSignal | undefined;
  /** How long to wait for the identity, in milliseconds: the disk may be about to be mounted. */
  waitMs?: number;
}

/** The folder that a guard watches. */
export interface Watched {
  root: string;
  /** The file of its identity. What is written must be on the same disk. */
  file: string;
  /** Why the folder cannot be used now; null if it can. */
  look(): Promise<string | null>;
  /** Compares the identity with the database's row. */
  compare(): Promise<void>;
  /** Checks that the bucket belongs to the folder. @throws AppError `unavailable` */
  verifyBucket?(): Promise<void>;
  /** How long an object that another process wrote may not show, in milliseconds; absent without a bucket. */
  patienceMs?: number;
  /** Lets go of the folder. */
  close(): Promise<void>;
}

/** The time limit of a check: an unreachable network file system never answers. */
const HANGS_MS = 15_000;
const RETRY_MS = 500;

/** Proves, as long as a process runs, that its folder is the one that it should be. */
export class FolderGuard {
  readonly #watched: Watched;
  readonly #log: Logger;
  readonly #timers: NodeJS.Timeout[];
  /** When the running check began. */
  #checkingSince: number | null = null;
  /** Why the folder cannot be used now; null if it can. */
  #problem: string | null = null;
  #isOpen = true;
  #beating: Promise<void> | null = null;

  constructor(watched: Watched, { log, checkEveryMs = 1_000, beatMs = 5_000 }: WatchOptions) {
    this.#watched = watched;
    this.#log = log;
    const look = setInterval(() => {
      if (this.#checkingSince === null) void this.#check();
    }, checkEveryMs);
    const beat = setInterval(() => {
      this.#beating ??= this.#beat().finally(() => (this.#beating = null));
    }, beatMs);
    this.#timers = [look, beat];
    for (const timer of this.#timers) timer.unref();
  }

  /** As of a second ago. @throws AppError `unavailable` for a missing or other folder */
  assertMounted(): void {
    if (this.#problem !== null) throw folderUnavailable(this.#problem);
    if (this.#checkingSince !== null && performance.now() - this.#checkingSince > HANGS_MS) {
      throw folderUnavailable(`The page-view folder ${this.#watched.root} does not respond. Check its disk.`);
    }
  }

  /** Checks now. @throws AppError as {@link assertMounted} does */
  async verify(): Promise<void> {
    await this.#check();
    this.assertMounted();
  }

  /** Checks the bucket, if there is one. @throws AppError `unavailable` */
  async verifyBucket(): Promise<void> {
    await this.#watched.verifyBucket?.();
  }

  /** See {@link Watched.patienceMs}. */
  get patienceMs(): number {
    return this.#watched.patienceMs ?? 0;
  }

  /**
   * Checks that a new file is in this folder, not below an unmounted mount point.
   * @throws AppError as {@link assertMounted}
   */
  async requireWritten(file: string): Promise<void> {
    await this.verify();
    if (await areOnOneDisk(file, this.#watched.file)) return;
    throw folderUnavailable(`The page-view folder ${this.#watched.root} disappeared during a write.`);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#beating;
    await this.#watched.close();
  }

  /** Never rejects: the result is stored. */
  async #check(): Promise<void> {
    const { root } = this.#watched;
    this.#checkingSince ??= performance.now();
    const problem = await this.#watched
      .look()
      .catch((err: unknown) =>
        err instanceof Refused
          ? err.message
          : `The page-view folder ${root} cannot be read (${(err as NodeJS.ErrnoException).code ?? String(err)}).`,
      );
    this.#checkingSince = null;
    const before = this.#problem;
    this.#problem = problem;
    if (!this.#isOpen || problem === before) return;
    if (problem === null) this.#log.info('the analytics folder is available again');
    else this.#log.error(`${problem} Until then, page views are neither accepted nor reported.`);
  }

  /** Never rejects: the database may be down, which is reported elsewhere. */
  async #beat(): Promise<void> {
    try {
      await this.#watched.compare();
    } catch (err) {
      if (!isDatabaseUnavailable(err))
        this.#log.warn({ err }, 'the row and the lock of the analytics folder cannot be read');
    }
    await this.#check();
  }
}

/**
 * Claims or compares a local folder and takes a share of its lock. Then watches its `identity.json`.
 * @throws Refused if this process must not use it
 */
export async function guardFolder(database: Database, root: string, options: GuardOptions): Promise<FolderGuard> {
  const lock = new FolderLock(database, options.name);
  try {
    let { folder } = await claimWhenThere(database, root, lock, options);
    return new FolderGuard(
      {
        root,
        file: identityFile(root),
        async look() {
          const found = await readIdentity(root);
          if (found === null)
            return (
              `The page-view folder ${root} does not exist. Check that its disk is mounted. No data was ` +
              'lost; Docent continues when the folder is back.'
            );
          if (found.folder === folder && (await isOriginal(root, found))) return null;
          return `${root} is not the analytics folder of this database any more. ${SHARED}`;
        },
        async compare() {
          // An operator may have accepted another folder, or this one again.
          folder = (await findFolder(database.db))?.id ?? folder;
          await lock.share();
        },
        close: () => lock.close(),
      },
      options,
    );
  } catch (err) {
    await lock.close();
    throw err;
  }
}

/** Waits for a folder without identity. Other problems are thrown immediately. */
async function claimWhenThere(
  database: Database,
  root: string,
  lock: FolderLock,
  { waitMs = 10_000, log, signal }: GuardOptions,
): Promise<FolderIdentity> {
  const deadline = performance.now() + waitMs;
  for (let said = false; ; said = true) {
    signal?.throwIfAborted();
    try {
      return await claimIdentity(database, root, lock);
    } catch (err) {
      if (!(err instanceof Refused) || !err.mayPass || performance.now() >= deadline) throw err;
      if (!said) log.warn(`waiting for the analytics folder: ${err.message}`);
    }
    await sleep(Math.min(RETRY_MS, waitMs), undefined, { signal });
  }
}
