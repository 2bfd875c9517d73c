import { setTimeout as sleep } from 'node:timers/promises';
import type { SQLWrapper } from 'drizzle-orm';
import { messageOf } from '@docent/base/thrown';
import type { Logger } from '../platform/log.ts';
import type { Queryable } from '../store/database.ts';
import { isDatabaseUnavailable } from '../store/database-problem.ts';
import { claimTask, keepTask, leaveTask, type TaskTerms } from '../store/installation/periodic-tasks.ts';
import { newId } from '../store/ids.ts';

export interface PeriodicTaskOptions {
  db: Queryable;
  /** All processes that share the database name it alike. */
  name: string;
  /** Pause between two rounds, in milliseconds. */
  everyMs: number;
  /**
   * Queries that find rows if there is work, and whether it is time for work that no row shows. A round
   * without work is left out.
   */
  work?: { queries: readonly SQLWrapper[]; isTime?: () => boolean };
  /**
   * One round; may run twice at once if a process was paused.
   * @param isNew another process may have run the previous one
   * @param stopping aborts on stop
   */
  round: (isNew: boolean, stopping: AbortSignal) => Promise<void>;
  /**
   * A round or its claim failed; the next one comes in time.
   * @param isFirst whether the round before succeeded
   */
  failed: (err: unknown, isFirst: boolean) => void;
}

/** Reports the first of several failures as a warning, the others as debug messages. */
export function reportOnce(log: Logger, message: string): PeriodicTaskOptions['failed'] {
  return (err, isFirst) => {
    const reason = isDatabaseUnavailable(err) ? 'the database is unavailable' : messageOf(err);
    log[isFirst ? 'warn' : 'debug']({ err, reason }, message);
  };
}

/** Tries parts of a task. Of a part's failures in a row, the first is logged as a warning. */
export class Attempts {
  readonly #log: Logger;
  readonly #failing = new Set<string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Never throws: the next round tries again. @returns whether the work succeeded */
  async try(what: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      this.#failing.delete(what);
      return true;
    } catch (err) {
      this.report(what, err);
      return false;
    }
  }

  report(what: string, err: unknown): void {
    reportOnce(this.#log, `${what}: failed, retrying`)(err, !this.#failing.has(what));
    this.#failing.add(what);
  }
}

/** A longer round may hang: another process may then begin one beside it. */
const MAX_ROUND_MS = 60_000;

/** Runs a task periodically in one of all processes; if that dies, another takes over soon. */
export class PeriodicTask {
  readonly #options: PeriodicTaskOptions;
  readonly #terms: TaskTerms;
  readonly #holder = newId();
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #isMine = false;
  #isFailing = false;

  constructor(options: PeriodicTaskOptions) {
    this.#options = options;
    const { name, everyMs } = options;
    this.#terms = { name, everyMs, graceMs: everyMs / 4 };
  }

  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Resolves when the round that was under way has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    if (this.#isMine) await leaveTask(this.#options.db, this.#terms.name, this.#holder).catch(() => {});
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const pauseMs = await this.#claimAndWork();
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {
        // It stops.
      });
    }
  }

  /** @returns how long to wait before the next claim */
  async #claimAndWork(): Promise<number> {
    const { db, everyMs, work, round, failed } = this.#options;
    try {
      const claim = await claimTask(db, this.#terms, this.#holder, work?.queries);
      const isNew = !this.#isMine;
      this.#isMine = claim.isMine;
      // Spreads the processes that wait at the same time.
      if (!claim.isMine) return claim.forMs + this.#terms.graceMs + 1 + Math.random() * 0.15 * everyMs;
      if (!isNew && !claim.hasWork && !work?.isTime?.()) return everyMs;
      await this.#keeping(() => round(isNew, this.stopping));
      this.#isFailing = false;
    } catch (err) {
      failed(err, !this.#isFailing);
      this.#isFailing = true;
    }
    return everyMs;
  }

  /** No other process takes over during the work, unless it takes far too long. */
  async #keeping(work: () => Promise<void>): Promise<void> {
    const { db } = this.#options;
    const startedAt = performance.now();
    // If the lease cannot be renewed, another process does the same work beside this one.
    const keep = () => keepTask(db, this.#terms, this.#holder).catch(() => {});
    const took = () => performance.now() - startedAt;
    const timer = setInterval(() => void (took() < MAX_ROUND_MS && keep()), this.#terms.everyMs / 2);
    try {
      await work();
    } finally {
      clearInterval(timer);
      if (took() > this.#terms.graceMs / 4) await keep();
    }
  }
}
