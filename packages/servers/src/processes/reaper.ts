import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { identityOf } from './identity.ts';
import type { ReaperOrders } from './reaper-process.ts';
import { endAll, type Ward } from './reaping.ts';

const RECORD_AGAIN_MS = 1_000;
/** Ignores signals until its input ends, then has Node process its last line. Small, as it is a shell. */
const WAIT = `trap '' INT TERM HUP
while IFS= read -r line; do orders=$line; done
[ -z "$orders" ] || printf '%s\\n' "$orders" | "$0" "$1"`;

/** Ends its processes with this one, even after SIGKILL: a small process and a list on disk. */
export class Reaper {
  readonly #recordFile: string | undefined;
  #orders: ReaperOrders = { wards: [], temporaryFolders: [] };
  #process: ChildProcess | undefined;
  #closed = false;
  readonly #onProblem: ((err: unknown) => void) | undefined;
  #hasProblem = false;
  #again: NodeJS.Timeout | undefined;

  /**
   * @param options.recordFile the list for {@link endLeftovers}
   * @param options.onProblem is called once if the list cannot be written; it is retried
   */
  constructor(options: { recordFile?: string; onProblem?: (err: unknown) => void } = {}) {
    this.#recordFile = options.recordFile;
    this.#onProblem = options.onProblem;
    this.#launch();
  }

  /** Takes charge of a process that was just started. Does nothing if it has ended already. */
  async watch(ward: Omit<Ward, 'identity'>): Promise<void> {
    const identity = await identityOf(ward.pid);
    if (identity === null) return;
    this.#update({ ...this.#orders, wards: [...this.#orders.wards, { ...ward, identity }] });
  }

  /** Call it when a process has ended. */
  forget(pid: number): void {
    this.#update({ ...this.#orders, wards: this.#orders.wards.filter((ward) => ward.pid !== pid) });
  }

  /** Has a folder deleted when this process dies without having called {@link close}. */
  deleteAfterDeath(folder: string): void {
    this.#update({ ...this.#orders, temporaryFolders: [...this.#orders.temporaryFolders, folder] });
  }

  /** Immediately kills all watched processes. */
  killNow(): void {
    for (const { pid } of this.#orders.wards) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
  }

  /** Call it when everything has been stopped: remaining watched processes are ended now. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await endAll(this.#orders.wards);
    this.#update({ wards: [], temporaryFolders: [] });
    clearTimeout(this.#again);
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
    // Detached: Ctrl-C goes to the foreground process group, and this process is still needed.
    const child = spawn('/bin/sh', ['-c', WAIT, process.execPath, script], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    child.stdin.on('error', () => {}); // It died; `exit` below starts another.
    child.once('error', () => {});
    child.once('exit', () => {
      if (!this.#closed) setTimeout(() => this.#closed || this.#launch(), 1_000).unref();
    });
    child.unref();
    if (child.stdin instanceof Socket) child.stdin.unref();
    this.#process = child;
    this.#send();
  }

  #update(orders: ReaperOrders): void {
    this.#orders = orders;
    this.#send();
    this.#record();
  }

  /** The helper process already has the list: the file is for the case that both are killed. */
  #record(): void {
    if (this.#recordFile === undefined) return;
    clearTimeout(this.#again);
    try {
      const of = placeOf(this.#recordFile);
      const text = JSON.stringify(this.#orders.wards.map((ward) => ({ ...ward, of }) satisfies RecordedWard));
      writeFileSync(`${this.#recordFile}.new`, text, { mode: 0o600 });
      renameSync(`${this.#recordFile}.new`, this.#recordFile);
      this.#hasProblem = false;
    } catch (err) {
      if (!this.#hasProblem) this.#onProblem?.(err);
      this.#hasProblem = true;
      this.#again = setTimeout(() => this.#record(), RECORD_AGAIN_MS).unref();
    }
  }

  #send(): void {
    const { wards, temporaryFolders } = this.#orders;
    const isIdle = wards.length === 0 && temporaryFolders.length === 0;
    this.#process?.stdin?.write(`${isIdle ? '' : JSON.stringify(this.#orders)}\n`);
  }
}

/** Wards as in the list on disk. Listed processes are killed, so an incomplete list is ignored. */
const RecordedWards = z.array(
  z.object({
    pid: z.int().positive(),
    identity: z.string().min(1),
    name: z.string(),
    signal: z.custom<NodeJS.Signals>((name) => typeof name === 'string' && name in constants.signals),
    graceMs: z.number(),
    /** The folder of the list. A copy of the folder has a list of processes that are not its own. */
    of: z.object({ folder: z.string(), inode: z.string() }).optional(),
  }),
);
type RecordedWard = z.output<typeof RecordedWards>[number];

/** The inode survives a move of the folder, and the path survives a restore in place. */
function placeOf(recordFile: string): { folder: string; inode: string } {
  const folder = realpathSync(path.dirname(recordFile));
  const { dev, ino } = statSync(folder);
  return { folder, inode: `${dev}:${ino}` };
}

/**
 * Ends what an earlier owner of `recordFile` left. Only for the home's owner.
 * @returns the living ones' names
 */
export async function endLeftovers(recordFile: string): Promise<string[]> {
  let wards: RecordedWard[];
  try {
    wards = RecordedWards.parse(JSON.parse(readFileSync(recordFile, 'utf8')));
  } catch {
    return []; // No record, or one cut short by a power cut: then its processes are gone too.
  }
  const here = placeOf(recordFile);
  const own = wards.filter(({ of }) => !of || of.folder === here.folder || of.inode === here.inode);
  const ended = await endAll(own);
  rmSync(recordFile, { force: true });
  return ended;
}
