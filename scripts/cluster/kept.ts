import { setTimeout as sleep } from 'node:timers/promises';
import { startChild, type Child, type ChildOptions } from '@docent/servers/processes/child';

/** Between the end of a program and its next start. */
const PAUSE_MS = 500;
const LAST_LINES = 20;

/** A program that is started again whenever it ends, as a service manager would. */
export class Kept {
  readonly name: string;
  readonly #options: ChildOptions;
  readonly #lastOutput: string[] = [];
  #child: Child | null = null;
  #stopped = false;
  /** How often it was started. */
  starts = 0;

  constructor(options: ChildOptions) {
    this.name = options.name;
    this.#options = {
      ...options,
      onLine: (line) => {
        this.#lastOutput.push(line);
        if (this.#lastOutput.length > LAST_LINES) this.#lastOutput.shift();
        options.onLine?.(line);
      },
    };
  }

  /** Null for the moment between an end and the next start. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** What it printed last. */
  get lastOutput(): string {
    return this.#lastOutput.join('\n');
  }

  async start(): Promise<void> {
    const child = await startChild(this.#options);
    this.#child = child;
    this.starts += 1;
    void this.#startAgainAfter(child);
  }

  async #startAgainAfter(child: Child): Promise<void> {
    await child.exited;
    this.#child = null;
    await sleep(PAUSE_MS);
    if (!this.#stopped) await this.start();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#child?.stop();
  }
}
