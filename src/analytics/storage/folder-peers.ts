import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../platform/log.ts';
import {
  numberOf,
  otherProcesses,
  removeOldProcesses,
  removeProcess,
  tellNonce,
  type ProcessRow,
} from '../../store/analytics-folder.ts';
import type { Database } from '../../store/database.ts';
import { newId } from '../../store/ids.ts';
import { isMissing, isStorageFull } from './durable-files.ts';
import { FolderRefused, SHARED } from './folder-identity.ts';
import { FolderWitness } from './folder-witness.ts';

export interface PeerOptions {
  log: Logger;
  /** What this process is, for people: `docent api`. */
  name: string;
  /** How often a nonce is written, and those of others are looked for. */
  beatMs: number;
  /** How late a file that another machine wrote may show. Network file systems remember for up to 60 s what is not there. */
  patienceMs: number;
}

const RETRY_MS = 500;

/**
 * The processes that have the analytics folder open, as one of them. Each writes nonces into the folder and into its row; whoever came
 * later has to find in its folder the nonces of those that came before, so that of two copies one goes on.
 */
export class FolderPeers {
  readonly #database: Database;
  readonly #root: string;
  readonly #options: PeerOptions;
  readonly #id = newId();
  readonly #witness: FolderWitness;
  #nonce = '';

  constructor(database: Database, root: string, options: PeerOptions) {
    this.#database = database;
    this.#root = root;
    this.#options = options;
    this.#witness = new FolderWitness(options.beatMs, options.patienceMs);
  }

  /** Tells others apart until nobody is left in doubt, and signs on. @throws FolderRefused for a copy of the folder that they have */
  async meet(signal: AbortSignal | undefined): Promise<void> {
    const { log } = this.#options;
    for (const id of await removeOldProcesses(this.#database.db)) await rm(this.#nonceFile(id), { force: true });
    await mkdir(path.join(this.#root, 'processes'), { recursive: true, mode: 0o700 });
    let said = false;
    for (;;) {
      signal?.throwIfAborted();
      const { apart, open } = await this.#seeOthers();
      if (apart) throw new FolderRefused(apartFrom(this.#root, apart));
      if (open.length === 0) break;
      if (!said) {
        said = true;
        const waitingFor = open.map(({ name, host, pid }) => `${name} on ${host}, process ${pid}`);
        log.info({ waitingFor }, 'waiting to see in the analytics folder what other processes write there');
      }
      await sleep(Math.min(RETRY_MS, this.#options.beatMs), undefined, { signal });
    }
    try {
      await this.tell(true);
    } catch (err) {
      // Nobody looks for what has no row; what needs room says so by itself, and the next beat tells.
      if (!isStorageFull(err)) throw err;
      log.warn({ err }, 'no sign of life could be written into the analytics folder: its disk is full');
    }
  }

  /** A process that works on another copy of the folder, as far as it shows by now; null for none. */
  async findApart(): Promise<ProcessRow | null> {
    return (await this.#seeOthers()).apart;
  }

  /**
   * Writes a new nonce. The folder first: whoever reads it in the row finds it there. The one before stays beside it for those between.
   * @param seesOthers whether others have to find this process's nonces in their folder
   */
  async tell(seesOthers: boolean): Promise<void> {
    const nonce = newId();
    const handle = await openToOverwrite(this.#nonceFile(this.#id));
    try {
      // In place: what is open to all under one name shows soonest on network file systems.
      await handle.write(`${nonce} ${this.#nonce || nonce}\n`, 0);
    } finally {
      await handle.close();
    }
    const { name } = this.#options;
    const about = { name, host: hostname(), pid: process.pid, path: this.#root };
    await tellNonce(this.#database.db, { ...about, id: this.#id, nonce, seesOthers });
    this.#nonce = nonce;
  }

  /** Signs off. Never rejects: what stays is cleared away later. */
  async leave(): Promise<void> {
    try {
      await removeProcess(this.#database.db, this.#id);
      await rm(this.#nonceFile(this.#id), { force: true });
    } catch (err) {
      this.#options.log.debug({ err }, 'the analytics folder was not signed off; that is cleared away later');
    }
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

  async #noncesOf(id: string): Promise<string[]> {
    try {
      return (await readFile(this.#nonceFile(id), 'utf8')).trim().split(' ');
    } catch (err) {
      if (isMissing(err)) return [];
      throw err;
    }
  }

  #nonceFile(id: string): string {
    return path.join(this.#root, 'processes', id);
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

/** Says of a process that it has another copy of the folder at `root`. */
export function apartFrom(root: string, { name, host, pid, path: theirs }: ProcessRow): string {
  return `${root} is a copy: what ${name} (process ${pid} on ${host}) writes into its analytics folder, ${theirs}, does not show here. ${SHARED}`;
}
