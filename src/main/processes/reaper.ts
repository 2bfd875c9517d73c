import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { identityOf } from './identity.ts';
import type { ReaperOrders } from './reaper-process.ts';
import { endAll, type Ward } from './reaping.ts';

/**
 * Sees to it that the processes given to it do not outlive this one, even where this one is killed with SIGKILL.
 * Two nets: a small process that notices the death at once, and a list on disk for the next start.
 */
export class Reaper {
  readonly #recordFile: string | undefined;
  #orders: ReaperOrders = { wards: [], temporaryFolders: [] };
  #process: ChildProcess | undefined;
  #closed = false;

  /** @param options.recordFile where the list is kept for {@link endLeftovers} of a later start */
  constructor(options: { recordFile?: string } = {}) {
    this.#recordFile = options.recordFile;
    this.#launch();
  }

  /** Takes charge of a process that was just started. Does nothing if it has ended already. */
  async watch(ward: Omit<Ward, 'identity'>): Promise<void> {
    const identity = await identityOf(ward.pid);
    if (identity === null) return;
    this.#update({ ...this.#orders, wards: [...this.#orders.wards, { ...ward, identity }] });
  }

  /** To be called when a process has ended. */
  forget(pid: number): void {
    this.#update({ ...this.#orders, wards: this.#orders.wards.filter((ward) => ward.pid !== pid) });
  }

  /** Has a folder deleted when this process dies without having called {@link close}. */
  deleteAfterDeath(folder: string): void {
    this.#update({ ...this.#orders, temporaryFolders: [...this.#orders.temporaryFolders, folder] });
  }

  /** Kills at once what is being watched. */
  killNow(): void {
    for (const { pid } of this.#orders.wards) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
  }

  /** Call when everything has been stopped: what is still being watched is ended now. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await endAll(this.#orders.wards);
    this.#update({ wards: [], temporaryFolders: [] });
    if (this.#recordFile !== undefined) rmSync(this.#recordFile, { force: true });
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.stdin?.end();
    await ended;
  }

  #launch(): void {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const script = fileURLToPath(new URL(`./reaper-process.${extension}`, import.meta.url));
    // Detached: Ctrl-C at the terminal goes to the foreground process group, and this process is needed afterwards.
    const child = spawn(process.execPath, [script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    child.stdin.on('error', () => {}); // It died; `exit` below starts another.
    child.once('error', () => {});
    child.once('exit', () => {
      if (!this.#closed) setTimeout(() => this.#closed || this.#launch(), 1_000).unref();
    });
    child.unref();
    (child.stdin as unknown as { unref?: () => void }).unref?.();
    this.#process = child;
    this.#send();
  }

  #update(orders: ReaperOrders): void {
    this.#orders = orders;
    if (this.#recordFile !== undefined) {
      writeFileSync(`${this.#recordFile}.new`, JSON.stringify(orders.wards), { mode: 0o600 });
      renameSync(`${this.#recordFile}.new`, this.#recordFile);
    }
    this.#send();
  }

  #send(): void {
    this.#process?.stdin?.write(`${JSON.stringify(this.#orders)}\n`);
  }
}

/**
 * Ends what an earlier owner of `recordFile` left running. Call only as the home's only owner.
 * @returns the names of the processes that were found alive
 */
export async function endLeftovers(recordFile: string): Promise<string[]> {
  let wards: Ward[];
  try {
    wards = JSON.parse(readFileSync(recordFile, 'utf8')) as Ward[];
  } catch {
    return []; // No record, or one cut short by a power cut: then its processes are gone too.
  }
  const ended = await endAll(wards);
  rmSync(recordFile, { force: true });
  return ended;
}
