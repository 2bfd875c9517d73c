import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFolder, type ProcessRow } from '../../store/analytics-folder.ts';
import type { Database } from '../../store/database.ts';
import { isDatabaseUnavailable } from '../../store/database-problem.ts';
import { areOnOneDisk } from './durable-files.ts';
import {
  claimIdentity,
  FolderRefused,
  folderUnavailable,
  readIdentity,
  SHARED,
  type FolderIdentity,
} from './folder-identity.ts';
import { apartFrom, FolderPeers, type PeerOptions } from './folder-peers.ts';

export interface GuardOptions extends Pick<PeerOptions, 'log' | 'name'>, Partial<Omit<PeerOptions, 'log' | 'name'>> {
  signal?: AbortSignal;
  /** How long a folder without an identity is waited for: its disk may be about to be mounted. */
  waitMs?: number;
  /** How often the identity is looked at. */
  lookMs?: number;
}

type Settings = Required<Omit<GuardOptions, 'signal'>>;

/** How long a look may take: a network file system that is away answers never. */
const HANGS_MS = 15_000;
const RETRY_MS = 500;

/**
 * Proves, as long as a process runs, that its analytics folder is the one of the installation: that the folder has the identity that
 * the database has, and that it is no copy of the one that others work on: see {@link FolderPeers}.
 */
export class FolderGuard {
  readonly root: string;
  readonly patienceMs: number;
  readonly #database: Database;
  readonly #options: Settings;
  #identity: FolderIdentity;
  readonly #peers: FolderPeers;
  /** When the look that is under way began. */
  #lookingSince: number | null = null;
  /** Why the folder cannot be used now; null where it can. */
  #problem: string | null = null;
  #apart: ProcessRow | null = null;
  #isOpen = false;
  #timers: NodeJS.Timeout[] = [];
  #running: Promise<void> = Promise.resolve();

  private constructor(database: Database, root: string, identity: FolderIdentity, options: Settings) {
    this.#database = database;
    this.root = root;
    this.#identity = identity;
    this.#options = options;
    this.patienceMs = options.patienceMs;
    this.#peers = new FolderPeers(database, root, options);
  }

  /**
   * Claims a folder or compares it, and proves that it is no copy of the one that others have open.
   * @throws FolderRefused where this process must not use the folder
   */
  static async open(database: Database, root: string, options: GuardOptions): Promise<FolderGuard> {
    const { signal, ...given } = options;
    const complete = { waitMs: 10_000, lookMs: 1_000, beatMs: 5_000, patienceMs: 90_000, ...given };
    const identity = await claimWhenThere(database, root, complete, signal);
    const guard = new FolderGuard(database, root, identity, complete);
    try {
      await guard.#peers.meet(signal);
    } catch (err) {
      await guard.close();
      throw err;
    }
    guard.#start();
    return guard;
  }

  /** As far as this process knew a second ago. @throws AppError `unavailable` where the folder is away, or another one */
  requireHere(): void {
    if (this.#problem !== null) throw folderUnavailable(this.#problem);
    if (this.#lookingSince !== null && performance.now() - this.#lookingSince > HANGS_MS) {
      throw folderUnavailable(`The folder of page views, ${this.root}, does not answer. Is its disk there?`);
    }
  }

  /** Looks now. @throws AppError as {@link requireHere} does */
  async prove(): Promise<void> {
    await this.#look();
    this.requireHere();
  }

  /**
   * That a file which was just written is in this very folder: not below a mount point whose disk had gone.
   * @throws AppError as {@link requireHere} does
   */
  async requireWritten(file: string): Promise<void> {
    await this.prove();
    if (await areOnOneDisk(file, path.join(this.root, 'identity.json'))) return;
    throw folderUnavailable(`The folder of page views, ${this.root}, went away while it was written to.`);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#running;
    await this.#peers.leave();
  }

  #start(): void {
    this.#isOpen = true;
    const { lookMs, beatMs } = this.#options;
    const look = setInterval(() => {
      if (this.#lookingSince === null) void this.#look();
    }, lookMs);
    let isBeating = false;
    const beat = setInterval(() => {
      if (isBeating) return;
      isBeating = true;
      this.#running = this.#beatQuietly().finally(() => (isBeating = false));
    }, beatMs);
    this.#timers = [look, beat];
    for (const timer of this.#timers) timer.unref();
  }

  /** Never rejects: what it finds is kept. */
  async #look(): Promise<void> {
    let problem: string | null;
    this.#lookingSince ??= performance.now();
    try {
      const found = await readIdentity(this.root);
      problem =
        found === null
          ? `The folder of page views, ${this.root}, is not there. Is its disk mounted? Nothing is lost; it goes on once the folder is back.`
          : found.folder === this.#identity.folder
            ? null
            : `${this.root} is not the analytics folder of this database any more. ${SHARED}`;
    } catch (err) {
      problem =
        err instanceof FolderRefused
          ? err.message
          : `The folder of page views, ${this.root}, cannot be read (${(err as NodeJS.ErrnoException).code ?? String(err)}).`;
    }
    this.#lookingSince = null;
    this.#note(problem ?? (this.#apart && apartFrom(this.root, this.#apart)));
  }

  #note(problem: string | null): void {
    const before = this.#problem;
    this.#problem = problem;
    if (!this.#isOpen || problem === before) return;
    if (problem === null) this.#options.log.info('the analytics folder is there again');
    else this.#options.log.error(`${problem} Until then, page views are neither taken nor told.`);
  }

  async #beatQuietly(): Promise<void> {
    try {
      await this.#beat();
    } catch (err) {
      // The database is away, or the folder, which the look tells.
      if (!isDatabaseUnavailable(err) && this.#problem === null) {
        this.#options.log.warn({ err }, 'no sign of life could be written into the analytics folder');
      }
    }
  }

  async #beat(): Promise<void> {
    const row = await findFolder(this.#database.db);
    // An operator may have accepted another folder, or this one anew.
    if (row) this.#identity = { ...this.#identity, folder: row.id };
    await this.#look();
    this.#apart = await this.#peers.findApart();
    await this.#look();
    // Nobody is to look for what this process writes where it is not the right folder.
    if (this.#problem === null || this.#apart) await this.#peers.tell(this.#apart === null);
  }
}

/** A bare folder is waited for; whatever else is wrong is said at once. */
async function claimWhenThere(
  database: Database,
  root: string,
  { waitMs, log }: Settings,
  signal: AbortSignal | undefined,
): Promise<FolderIdentity> {
  const deadline = performance.now() + waitMs;
  for (let said = false; ; said = true) {
    signal?.throwIfAborted();
    try {
      return await claimIdentity(database, root);
    } catch (err) {
      if (!(err instanceof FolderRefused) || !err.isBare || performance.now() >= deadline) throw err;
      if (!said) log.warn(`waiting for the analytics folder: ${err.message}`);
    }
    await sleep(Math.min(RETRY_MS, waitMs), undefined, { signal });
  }
}
