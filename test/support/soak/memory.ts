import { readdir, readFile } from 'node:fs/promises';

export type Measured = 'own' | 'children' | 'largestChild' | 'files';

/** Resident memory of processes, in MB, looked at every few seconds. */
export class MemoryWatch {
  readonly own = new Map<string, number[]>();
  /** All that they started, together. */
  readonly children = new Map<string, number[]>();
  /** The largest of what they started. */
  readonly largestChild = new Map<string, number[]>();
  /** Open files of the processes themselves. */
  readonly files = new Map<string, number[]>();
  readonly #pids: Readonly<Record<string, number>>;
  readonly #timer: NodeJS.Timeout;

  constructor(pids: Readonly<Record<string, number>>, everyMs = 5_000) {
    this.#pids = pids;
    this.#timer = setInterval(() => void this.#look(), everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * What a part had in the middle of the second fifth of the time, when everything that is made once has been
   * made, and in the last fifth: medians, so that a moment's work does not count.
   */
  grown(name: string, of: Measured = 'own'): { early: number; late: number } {
    const all = this[of].get(name) ?? [];
    const fifth = Math.floor(all.length / 5);
    return { early: median(all.slice(fifth, 2 * fifth)), late: median(all.slice(-fifth)) };
  }

  async #look(): Promise<void> {
    for (const [name, pid] of Object.entries(this.#pids)) {
      const children = await Promise.all((await childrenOf(pid)).map(treeMegabytes));
      append(this.own, name, await ownMegabytes(pid));
      append(
        this.children,
        name,
        children.reduce((sum, mb) => sum + mb, 0),
      );
      append(this.largestChild, name, Math.max(0, ...children));
      append(
        this.files,
        name,
        await readdir(`/proc/${pid}/fd`).then(
          ({ length }) => length,
          () => 0,
        ),
      );
    }
  }
}

async function ownMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
}

async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return children.split(' ').filter(Boolean).map(Number);
}

async function treeMegabytes(pid: number): Promise<number> {
  const theirs = await Promise.all((await childrenOf(pid)).map(treeMegabytes));
  return theirs.reduce((sum, mb) => sum + mb, await ownMegabytes(pid));
}

function append(to: Map<string, number[]>, name: string, value: number): void {
  to.set(name, [...(to.get(name) ?? []), value]);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
