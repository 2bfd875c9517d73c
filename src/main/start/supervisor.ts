import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { describeExit, type Exit } from '../../platform/processes/child.ts';

/** Something that is kept running. */
export interface Part {
  /** As people read it in the log. */
  name: string;
  /** Resolves when the part does its work; called again after each death. */
  start(signal: AbortSignal): Promise<RunningPart>;
}

export interface RunningPart {
  pid: number;
  /** Never rejects. */
  exited: Promise<Exit>;
  stop(): Promise<unknown>;
}

export interface SupervisorOptions {
  log: Logger;
  /** Pause before the first restart, in milliseconds; doubled with each further failure up to `maxPauseMs`. */
  firstPauseMs?: number;
  maxPauseMs?: number;
  /** So many failures in a row, and the part is given up. */
  maxFailures?: number;
  /** A part that ran for this long before it died has not failed in a row. */
  steadyMs?: number;
  /**
   * What keeps parts from running that will pass, as a sentence: a full disk. Asked after each failure, which does not count
   * then: the part is started again for as long as it takes.
   */
  obstacle?: () => Promise<string | null>;
}

/** A part could not be kept running. */
export class PartGivenUp extends Error {
  constructor(name: string, failures: number, last: string) {
    super(`${name} failed ${failures} times in a row, and Docent gives up. The last time: ${last}`);
    this.name = 'PartGivenUp';
  }
}

interface Kept {
  part: Part;
  running: RunningPart | null;
  /** Settles when nobody looks after the part any more. */
  done: Promise<void>;
}

/**
 * Keeps parts running: starts them, starts those that die again, with growing pauses, and stops them in reverse order.
 */
export class Supervisor {
  readonly #options: Required<SupervisorOptions>;
  readonly #kept: Kept[] = [];
  readonly #firstStarts = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();
  readonly #givenUp = Promise.withResolvers<PartGivenUp>();

  constructor(options: SupervisorOptions) {
    this.#options = {
      firstPauseMs: 500,
      maxPauseMs: 15_000,
      maxFailures: 6,
      steadyMs: 10_000,
      obstacle: async () => null,
      ...options,
    };
  }

  /** Resolves with the error when a part that once ran is given up. */
  get givenUp(): Promise<PartGivenUp> {
    return this.#givenUp.promise;
  }

  /**
   * Starts a part and keeps it running. Resolves when it runs for the first time; rejects when its first start fails: then
   * something is wrong that a retry will not help.
   */
  async keep(part: Part): Promise<void> {
    const signal = this.#stopping.signal;
    signal.throwIfAborted();
    // Parts are stopped in the reverse of the order of these calls, whichever was ready first.
    const kept: Kept = { part, running: null, done: Promise.resolve() };
    this.#kept.push(kept);
    const starting = part.start(signal);
    this.#firstStarts.add(starting);
    try {
      kept.running = await starting;
      kept.done = this.#lookAfter(kept);
    } finally {
      this.#firstStarts.delete(starting);
    }
  }

  /** The running process of a part, for tests and status displays. */
  pidOf(name: string): number | undefined {
    return this.#kept.find(({ part }) => part.name === name)?.running?.pid;
  }

  /** Stops everything, what was started last first. May be called twice. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('Docent is stopping.'));
    await Promise.allSettled(this.#firstStarts);
    for (const kept of this.#kept.toReversed()) {
      await kept.running?.stop();
      await kept.done;
    }
  }

  async #lookAfter(kept: Kept): Promise<void> {
    const { log, maxFailures, obstacle } = this.#options;
    const { signal } = this.#stopping;
    const { name } = kept.part;
    let failures = 0;
    /** With those that do not count: the pauses grow all the same. */
    let tries = 0;
    let startError: unknown;
    while (!signal.aborted) {
      const { reason, wasSteady } = kept.running
        ? await this.#deathOf(kept, kept.running)
        : { reason: `it did not start (${messageOf(startError)})`, wasSteady: false };
      if (signal.aborted) return;
      const inTheWay = await obstacle();
      tries = wasSteady ? 1 : tries + 1;
      if (wasSteady) failures = 0;
      if (inTheWay === null) failures += 1;
      if (failures >= maxFailures) {
        this.#givenUp.resolve(new PartGivenUp(name, failures, reason));
        return;
      }
      const pauseMs = this.#pauseAfter(tries);
      const again = `Starting it again${pauseMs >= 1_000 ? ` in ${pauseMs / 1_000} s` : ''}.`;
      log.warn(`${name}: ${reason}. ${inTheWay === null ? '' : `${inTheWay} `}${again}`);
      startError = await this.#restart(kept, pauseMs);
    }
  }

  async #deathOf(kept: Kept, running: RunningPart): Promise<{ reason: string; wasSteady: boolean }> {
    const since = performance.now();
    const exit = await running.exited;
    kept.running = null;
    return {
      reason: `it ended with ${describeExit(exit)}`,
      wasSteady: performance.now() - since >= this.#options.steadyMs,
    };
  }

  /** @returns why it could not be started, if so */
  async #restart(kept: Kept, pauseMs: number): Promise<unknown> {
    const { signal } = this.#stopping;
    try {
      await sleep(pauseMs, undefined, { signal });
      const running = await kept.part.start(signal);
      kept.running = running;
      // Asked to stop meanwhile: `stop` found nothing to stop.
      if (signal.aborted) await running.stop();
      else this.#options.log.info(`${kept.part.name} runs again.`);
      return undefined;
    } catch (err) {
      return err;
    }
  }

  #pauseAfter(failures: number): number {
    return Math.min(this.#options.maxPauseMs, this.#options.firstPauseMs * 2 ** (failures - 1));
  }
}
