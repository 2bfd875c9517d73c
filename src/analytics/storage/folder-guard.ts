import path from 'node:path';
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
  isOriginal,
  readIdentity,
  SHARED,
  type FolderIdentity,
} from './folder-identity.ts';
import { Refused } from '@docent/base/refused';

export interface GuardOptions {
  log: Logger;
  /** The process's name for people: `docent api`. */
  name: string;
  signal?: AbortSignal | undefined;
  /** How long to wait for the identity, in milliseconds: the disk may be about to be mounted. */
  waitMs?: number;
  /** How often `identity.json` is read. */
  checkEveryMs?: number;
  /** How often the row and the lock in the database are. */
  beatMs?: number;
}

/** The time limit of a check: an unreachable network file system never answers. */
const HANGS_MS = 15_000;
const RETRY_MS = 500;

/**
 * Verifies the folder by the id in `identity.json` and the database; a lock shows which process has it open.
 */
export class FolderGuard {
  readonly root: string;
  readonly #database: Database;
  readonly #log: Logger;
  readonly #lock: FolderLock;
  readonly #timers: NodeJS.Timeout[];
  #identity: FolderIdentity;
  /** When the running check began. */
  #checkingSince: number | null = null;
  /** Why the folder cannot be used now; null if it can. */
  #problem: string | null = null;
  #isOpen = true;
  #beating: Promise<void> | null = null;

  private constructor(
    database: Database,
    root: string,
    { identity, lock, options }: { identity: FolderIdentity; lock: FolderLock; options: GuardOptions },
  ) {
    this.#database = database;
    this.root = root;
    this.#identity = identity;
    this.#lock = lock;
    this.#log = options.log;
    const look = setInterval(() => {
      if (this.#checkingSince === null) void this.#check();
    }, options.checkEveryMs ?? 1_000);
    const beat = setInterval(() => {
      this.#beating ??= this.#beat().finally(() => (this.#beating = null));
    }, options.beatMs ?? 5_000);
    this.#timers = [look, beat];
    for (const timer of this.#timers) timer.unref();
  }

  /**
   * Claims or compares a folder and takes a share of its lock.
   * @throws Refused if this process must not use it
   */
  static async open(database: Database, root: string, options: GuardOptions): Promise<FolderGuard> {
    const lock = new FolderLock(database, options.name);
    try {
      const identity = await claimWhenThere(database, root, lock, options);
      return new FolderGuard(database, root, { identity, lock, options });
    } catch (err) {
      await lock.close();
      throw err;
    }
  }

  /** As of a second ago. @throws AppError `unavailable` for a missing or other folder */
  assertMounted(): void {
    if (this.#problem !== null) throw folderUnavailable(this.#problem);
    if (this.#checkingSince !== null && performance.now() - this.#checkingSince > HANGS_MS) {
      throw folderUnavailable(`The page-view folder ${this.root} does not respond. Check its disk.`);
    }
  }

  /** Checks now. @throws AppError as {@link assertMounted} does */
  async verify(): Promise<void> {
    await this.#check();
    this.assertMounted();
  }

  /**
   * Checks that a new file is in this folder, not below an unmounted mount point.
   * @throws AppError as {@link assertMounted}
   */
  async requireWritten(file: string): Promise<void> {
    await this.verify();
    if (await areOnOneDisk(file, path.join(this.root, 'identity.json'))) return;
    throw folderUnavailable(`The page-view folder ${this.root} disappeared during a write.`);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#beating;
    await this.#lock.close();
  }

  /** Never rejects: the result is stored. */
  async #check(): Promise<void> {
    let problem: string | null;
    this.#checkingSince ??= performance.now();
    try {
      const found = await readIdentity(this.root);
      problem =
        found === null
          ? `The page-view folder ${this.root} does not exist. Check that its disk is mounted. No data was ` +
            'lost; Docent continues when the folder is back.'
          : found.folder === this.#identity.folder && (await isOriginal(this.root, found))
            ? null
            : `${this.root} is not the analytics folder of this database any more. ${SHARED}`;
    } catch (err) {
      problem =
        err instanceof Refused
          ? err.message
          : `The page-view folder ${this.root} cannot be read (${(err as NodeJS.ErrnoException).code ?? String(err)}).`;
    }
    this.#checkingSince = null;
    this.#note(problem);
  }

  #note(problem: string | null): void {
    const before = this.#problem;
    this.#problem = problem;
    if (!this.#isOpen || problem === before) return;
    if (problem === null) this.#log.info('the analytics folder is available again');
    else this.#log.error(`${problem} Until then, page views are neither accepted nor reported.`);
  }

  /** Never rejects: the database may be down, which is reported elsewhere. */
  async #beat(): Promise<void> {
    try {
      const row = await findFolder(this.#database.db);
      // An operator may have accepted another folder, or this one again.
      if (row) this.#identity = { ...this.#identity, folder: row.id };
      await this.#check();
      await this.#lock.share();
    } catch (err) {
      if (!isDatabaseUnavailable(err))
        this.#log.warn({ err }, 'the row and the lock of the analytics folder cannot be read');
    }
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
