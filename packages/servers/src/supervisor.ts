import { setTimeout as sleep } from 'node:timers/promises';
import { withEllipsis } from '@docent/base/ellipsis';
import { messageOf } from '@docent/base/thrown';
import type { Logger } from 'pino';
import { describeExit, type Exit } from './processes/child.ts';
import { GivenUpParts } from './given-up-parts.ts';
import { Refused } from '@docent/base/refused';

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
  /** The reason that it reported for its end, if any. */
  lastOutput?: () => LastOutput | undefined;
  stop(): Promise<unknown>;
}

export interface LastOutput {
  text: string;
  /** It would end the same way until someone changes something. */
  isRefusal: boolean;
}

export interface SupervisorOptions {
  log: Logger;
  /** Removes secrets from the reason of a failure. */
  redact: (text: string) => string;
  /** Pause before the first restart, in milliseconds; doubles up to `maxPauseMs`. */
  firstPauseMs?: number;
  maxPauseMs?: number;
  /** After this many consecutive failures, the part is only restarted every `givenUpPauseMs`. */
  maxFailures?: number;
  givenUpPauseMs?: number;
  /** After running for this long, a part's failures are no longer consecutive. */
  steadyMs?: number;
  /** The list of parts that keep failing. */
  givenUp?: GivenUpParts;
  /**
   * A temporary reason for failures, such as a full disk, asked after each one: the failure then does not
   * count.
   */
  obstacle?: () => Promise<string | null>;
}

interface Kept {
  part: Part;
  running: RunningPart | null;
  /** Settles when the part is no longer supervised. */
  done: Promise<void>;
}

/** How a part ended, or why it did not start. */
interface Failure {
  reason: string;
  wasSteady: boolean;
  isRefusal: boolean;
}

/**
 * Starts parts, restarts them with growing pauses (slowly if they keep failing), and stops them in reverse.
 */
export class Supervisor {
  readonly #options: Required<SupervisorOptions>;
  readonly #kept: Kept[] = [];
  readonly #firstStarts = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();

  constructor(options: SupervisorOptions) {
    this.#options = {
      firstPauseMs: 500,
      maxPauseMs: 15_000,
      maxFailures: 6,
      givenUpPauseMs: 30_000,
      steadyMs: 10_000,
      givenUp: new GivenUpParts(),
      obstacle: async () => null,
      ...options,
    };
  }

  /** Starts a part and keeps it running. Rejects if its first start fails, which a retry would not fix. */
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
      kept.done = this.#supervise(kept);
    } finally {
      this.#firstStarts.delete(starting);
    }
  }

  /** The running process of a part, for tests and status displays. */
  pidOf(name: string): number | undefined {
    return this.#kept.find(({ part }) => part.name === name)?.running?.pid;
  }

  /** Stops everything, the last started part first. May be called twice. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('Docent is stopping.'));
    await Promise.allSettled(this.#firstStarts);
    for (const kept of this.#kept.toReversed()) {
      await kept.running?.stop();
      await kept.done;
    }
  }

  async #supervise(kept: Kept): Promise<void> {
    const { log, maxFailures, givenUpPauseMs } = this.#options;
    const { signal } = this.#stopping;
    const { name } = kept.part;
    let failures = 0;
    /** Including failures that do not count: the pauses grow anyway. */
    let tries = 0;
    let startError: unknown;
    while (!signal.aborted) {
      const failure = kept.running ? await this.#deathOf(kept, kept.running) : this.#failureOf(startError);
      const { reason, wasSteady, isRefusal } = failure;
      if (signal.aborted) return;
      const inTheWay = await this.#obstacle();
      tries = wasSteady ? 1 : tries + 1;
      if (wasSteady) failures = 0;
      if (inTheWay === null) failures = isRefusal ? maxFailures : failures + 1;
      const isGivenUp = failures >= maxFailures;
      const pauseMs = isGivenUp ? givenUpPauseMs : this.#pauseAfter(tries);
      const again = `Restarting${pauseMs >= 1_000 ? ` in ${pauseMs / 1_000} s` : ''}.`;
      if (isGivenUp) this.#giveUp(name, failure, failures);
      else log.warn(`${name}: ${reason}. ${inTheWay === null ? '' : `${inTheWay} `}${again}`);
      startError = await this.#restart(kept, pauseMs);
    }
  }

  #giveUp(name: string, { reason, isRefusal }: Failure, failures: number): void {
    const { log, givenUp, givenUpPauseMs } = this.#options;
    const isNew = !givenUp.all.some((part) => part.name === name);
    givenUp.add({ name, reason });
    const seconds = givenUpPauseMs / 1_000;
    if (!isNew) return log.warn(`${name}: ${reason}. Next retry in ${seconds} s.`);
    log.error(
      `${name} is down${isRefusal ? '' : ` after ${failures} failures in a row`}: ${reason}. The other parts keep running. ` +
        `Fix the cause. Docent retries ${name} every ${seconds} s; you do not need to restart anything.`,
    );
  }

  /** A failed check is not an obstacle. */
  async #obstacle(): Promise<string | null> {
    try {
      return await this.#options.obstacle();
    } catch (err) {
      this.#options.log.warn(`The free disk space could not be checked: ${messageOf(err)}`);
      return null;
    }
  }

  async #deathOf(kept: Kept, running: RunningPart): Promise<Failure> {
    const { log, steadyMs, givenUp } = this.#options;
    const { name } = kept.part;
    const since = performance.now();
    const timer = setTimeout(() => {
      if (givenUp.remove(name)) log.info(`${name} is running again and stable.`);
    }, steadyMs);
    const exit = await running.exited;
    clearTimeout(timer);
    kept.running = null;
    // A killed part reported nothing.
    const output = exit.signal === null ? running.lastOutput?.() : undefined;
    return {
      reason: `it exited with ${describeExit(exit)}${output ? ` (${this.#oneLine(output.text)})` : ''}`,
      wasSteady: performance.now() - since >= steadyMs,
      isRefusal: output?.isRefusal ?? false,
    };
  }

  /** @returns why it could not be started, if so */
  async #restart(kept: Kept, pauseMs: number): Promise<unknown> {
    const { signal } = this.#stopping;
    try {
      await sleep(pauseMs, undefined, { signal });
      const running = await kept.part.start(signal);
      if (signal.aborted) {
        // Where `stop` found nothing to stop.
        await running.stop();
        return undefined;
      }
      kept.running = running;
      this.#options.log.info(`${kept.part.name} is running again.`);
      return undefined;
    } catch (err) {
      return err;
    }
  }

  #pauseAfter(failures: number): number {
    return Math.min(this.#options.maxPauseMs, this.#options.firstPauseMs * 2 ** (failures - 1));
  }

  #failureOf(startError: unknown): Failure {
    return {
      reason: `it did not start (${this.#oneLine(messageOf(startError))})`,
      wasSteady: false,
      isRefusal: startError instanceof Refused,
    };
  }

  /** Reasons go into sentences, and those that are lists become long ones. */
  #oneLine(text: string): string {
    return withEllipsis(this.#options.redact(text.trim()).replaceAll(/\s*\n\s*/g, ' '), MAX_REASON);
  }
}

const MAX_REASON = 500;
