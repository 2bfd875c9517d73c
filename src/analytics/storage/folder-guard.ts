import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import {
  findFolder,
  numberOf,
  otherProcesses,
  removeOldProcesses,
  removeProcess,
  tellNonce,
  type ProcessRow,
} from '../../store/analytics-folder.ts';
import type { Database } from '../../store/database.ts';
import { isDatabaseUnavailable } from '../../store/database-problem.ts';
import { newId } from '../../store/ids.ts';
import { isMissing, isStorageFull } from './durable-files.ts';
import { claimFolder, FolderRefused, readIdentity, SHARED, type FolderIdentity } from './folder-identity.ts';
import { FolderWitness } from './folder-witness.ts';

export interface GuardOptions {
  log: Logger;
  /** What this process is, for people: `docent api`. */
  name: string;
  signal?: AbortSignal;
  /** How long a folder without an identity is waited for: its disk may be about to be mounted. */
  waitMs?: number;
  /** How often the identity is looked at. */
  lookMs?: number;
  /** How often a nonce is written, and those of others are looked for. */
  beatMs?: number;
  /** How late a file that another machine wrote may show. Network file systems remember for up to 60 s what is not there. */
  patienceMs?: number;
}

type Settings = Required<Omit<GuardOptions, 'signal'>>;

/** How long a look may take: a network file system that is away answers never. */
const HANGS_MS = 15_000;
const RETRY_MS = 500;

/**
 * Proves, as long as a process runs, that its analytics folder is the one of the installation: that the folder has the identity that
 * the database has, and that it is no copy of the one that others work on. Whoever came later has to find the nonces of those
 * that came before, so that of two folders one goes on.
 */
export class FolderGuard {
  readonly root: string;
  readonly patienceMs: number;
  readonly #database: Database;
  readonly #options: Settings;
  #identity: FolderIdentity;
  readonly #id = newId();
  readonly #witness: FolderWitness;
  #nonce = '';
  /** When the look that is under way began. */
  #lookingSince: number | null = null;
  /** Why the folder cannot be used now; null where it can. */
  #trouble: string | null = null;
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
    this.#witness = new FolderWitness(options.beatMs, options.patienceMs);
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
      await guard.#meetOthers(signal);
    } catch (err) {
      await guard.close();
      throw err;
    }
    guard.#start();
    return guard;
  }

  /** As far as this process knew a second ago. @throws AppError `unavailable` where the folder is away, or another one */
  requireHere(): void {
    if (this.#trouble !== null) throw unavailable(this.#trouble);
    if (this.#lookingSince !== null && performance.now() - this.#lookingSince > HANGS_MS) {
      throw unavailable(`The folder of page views, ${this.root}, does not answer. Is its disk there?`);
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
    try {
      const [written, identity] = await Promise.all([stat(file), stat(path.join(this.root, 'identity.json'))]);
      if (written.dev === identity.dev) return;
    } catch (err) {
      if (!isMissing(err)) throw err;
    }
    throw unavailable(`The folder of page views, ${this.root}, went away while it was written to.`);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#running;
    try {
      await removeProcess(this.#database.db, this.#id);
      await rm(this.#nonceFile(this.#id), { force: true });
    } catch (err) {
      this.#options.log.debug({ err }, 'the analytics folder was not signed off; that is cleared away later');
    }
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
    let trouble: string | null;
    this.#lookingSince ??= performance.now();
    try {
      const found = await readIdentity(this.root);
      trouble =
        found === null
          ? `The folder of page views, ${this.root}, is not there. Is its disk mounted? Nothing is lost; it goes on once the folder is back.`
          : found.folder === this.#identity.folder
            ? null
            : `${this.root} is not the analytics folder of this database any more. ${SHARED}`;
    } catch (err) {
      trouble =
        err instanceof FolderRefused
          ? err.message
          : `The folder of page views, ${this.root}, cannot be read (${(err as NodeJS.ErrnoException).code ?? String(err)}).`;
    }
    this.#lookingSince = null;
    this.#note(trouble ?? (this.#apart && apartFrom(this.root, this.#apart)));
  }

  #note(trouble: string | null): void {
    const before = this.#trouble;
    this.#trouble = trouble;
    if (!this.#isOpen || trouble === before) return;
    if (trouble === null) this.#options.log.info('the analytics folder is there again');
    else this.#options.log.error(`${trouble} Until then, page views are neither taken nor told.`);
  }

  /** Tells others apart until nobody is left in doubt. @throws FolderRefused */
  async #meetOthers(signal: AbortSignal | undefined): Promise<void> {
    const { log } = this.#options;
    for (const id of await removeOldProcesses(this.#database.db)) await rm(this.#nonceFile(id), { force: true });
    await mkdir(path.join(this.root, 'processes'), { recursive: true, mode: 0o700 });
    let said = false;
    for (;;) {
      signal?.throwIfAborted();
      const { apart, open } = await this.#seeOthers();
      if (apart) throw new FolderRefused(apartFrom(this.root, apart));
      if (open.length === 0) break;
      if (!said) {
        said = true;
        const waitingFor = open.map(({ name, host, pid }) => `${name} on ${host}, process ${pid}`);
        log.info({ waitingFor }, 'waiting to see in the analytics folder what other processes write there');
      }
      await sleep(Math.min(RETRY_MS, this.#options.beatMs), undefined, { signal });
    }
    try {
      await this.#tell(true);
    } catch (err) {
      // Nobody looks for what has no row; what needs room says so by itself, and the next beat tells.
      if (!isStorageFull(err)) throw err;
      log.warn({ err }, 'no sign of life could be written into the analytics folder: its disk is full');
    }
  }

  async #beatQuietly(): Promise<void> {
    try {
      await this.#beat();
    } catch (err) {
      // The database is away, or the folder, which the look tells.
      if (!isDatabaseUnavailable(err) && this.#trouble === null) {
        this.#options.log.warn({ err }, 'no sign of life could be written into the analytics folder');
      }
    }
  }

  async #beat(): Promise<void> {
    const row = await findFolder(this.#database.db);
    // An operator may have accepted another folder, or this one anew.
    if (row) this.#identity = { ...this.#identity, folder: row.id };
    await this.#look();
    const { apart } = await this.#seeOthers();
    this.#apart = apart;
    await this.#look();
    // Nobody is to look for what this process writes where it is not the right folder.
    if (this.#trouble === null || apart) await this.#tell(apart === null);
  }

  /** What is known of the processes that came before this one, and found each other. */
  async #seeOthers(): Promise<{ apart: ProcessRow | null; open: ProcessRow[] }> {
    const { db } = this.#database;
    const others = await otherProcesses(db, this.#id);
    const no = this.#nonce === '' ? null : await numberOf(db, this.#id);
    this.#witness.keep(new Set(others.map(({ id }) => id)));
    let apart: ProcessRow | null = null;
    const open: ProcessRow[] = [];
    for (const other of others) {
      if (!other.seesOthers || (no !== null && other.no > no)) continue;
      const sight = this.#witness.see(other, await this.#noncesOf(other.id), performance.now());
      if (sight === 'apart') apart ??= other;
      if (sight === 'open') open.push(other);
    }
    return { apart, open };
  }

  /** The folder first: whoever reads the new nonce in the row finds it there. The one before stays beside it for those between. */
  async #tell(seesOthers: boolean): Promise<void> {
    const nonce = newId();
    const handle = await openToOverwrite(this.#nonceFile(this.#id));
    try {
      // In place: what is open to all under one name shows soonest on network file systems.
      await handle.write(`${nonce} ${this.#nonce || nonce}\n`, 0);
    } finally {
      await handle.close();
    }
    const { name } = this.#options;
    const about = { name, host: hostname(), pid: process.pid, path: this.root };
    await tellNonce(this.#database.db, { ...about, id: this.#id, nonce, seesOthers });
    this.#nonce = nonce;
  }

  async #noncesOf(id: string): Promise<string[]> {
    try {
      return (await readFile(this.#nonceFile(id), 'utf8')).trim().split(' ');
    } catch (err) {
      if (isMissing(err)) return [];
      throw err;
    }
  }

  #nonceFile(id: string): string {
    return path.join(this.root, 'processes', id);
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
      return await claimFolder(database, root);
    } catch (err) {
      if (!(err instanceof FolderRefused) || !err.isBare || performance.now() >= deadline) throw err;
      if (!said) log.warn(`waiting for the analytics folder: ${err.message}`);
    }
    await sleep(Math.min(RETRY_MS, waitMs), undefined, { signal });
  }
}

async function openToOverwrite(file: string) {
  try {
    return await open(file, 'r+');
  } catch (err) {
    if (!isMissing(err)) throw err;
    return open(file, 'w', 0o600);
  }
}

function apartFrom(root: string, { name, host, pid, path: theirs }: ProcessRow): string {
  return `${root} is a copy: what ${name} (process ${pid} on ${host}) writes into its analytics folder, ${theirs}, does not show here. ${SHARED}`;
}

/** @param detail for the log: answers go to anybody, and name no paths and machines */
function unavailable(detail: string): AppError {
  return new AppError(
    'unavailable',
    'The folder of page views cannot be used now: the log of the server says why. Nothing is lost. Try again in a moment.',
    { cause: new Error(detail), retryAfterSeconds: 30 },
  );
}
