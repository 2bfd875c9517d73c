import { readdir, readFile } from 'node:fs/promises';

/** Resident memory of processes and all that they started, in MB, looked at every few seconds. */
export class MemoryWatch {
  readonly samples = new Map<string, number[]>();
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
   * What a part had in the middle of the second fifth of the time, when everything that is made once has been made, and in the last
   * fifth: medians, so that a moment's work does not count.
   */
  grown(name: string, of: 'samples' | 'files' = 'samples'): { early: number; late: number } {
    const all = this[of].get(name) ?? [];
    const fifth = Math.floor(all.length / 5);
    return { early: median(all.slice(fifth, 2 * fifth)), late: median(all.slice(-fifth)) };
  }

  async #look(): Promise<void> {
    for (const [name, pid] of Object.entries(this.#pids)) {
      append(this.samples, name, await treeMegabytes(pid));
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

async function treeMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const own = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const theirs = await Promise.all(
    children
      .split(' ')
      .filter(Boolean)
      .map((child) => treeMegabytes(Number(child))),
  );
  return theirs.reduce((sum, mb) => sum + mb, own);
}

function append(to: Map<string, number[]>, name: string, value: number): void {
  to.set(name, [...(to.get(name) ?? []), value]);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
