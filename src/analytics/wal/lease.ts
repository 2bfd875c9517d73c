import type { Logger } from '../../log.ts';
import { renewWriter, type WriterLease } from '../../store/analytics-writers.ts';
import type { Db } from '../../store/database.ts';

export const LEASE_SECONDS = 20;
const RENEW_MS = 4_000;
/** The lease counts as over this long before the database says so. */
const MARGIN_MS = 2_000;

/**
 * The right to append to one folder of logs, renewed on a timer. Its end is counted on this process's monotonic clock, from
 * before the renewal was sent: a paused process, or one whose wall clock was set, knows that it is late.
 */
export class Lease {
  readonly writer: WriterLease;
  readonly #db: Db;
  readonly #log: Logger;
  #validUntil: number;
  #lost = false;
  #timer: NodeJS.Timeout;
  #renewing: Promise<void> = Promise.resolve();

  /** @param takenAt `performance.now()` before the lease was asked for */
  constructor(db: Db, writer: WriterLease, takenAt: number, log: Logger) {
    this.#db = db;
    this.#log = log;
    this.writer = writer;
    this.#validUntil = takenAt + LEASE_SECONDS * 1_000 - MARGIN_MS;
    this.#timer = setInterval(() => (this.#renewing = this.#renew()), RENEW_MS);
    this.#timer.unref();
  }

  /** Whether nobody can have taken the folder over yet. */
  get isValid(): boolean {
    return !this.#lost && performance.now() < this.#validUntil;
  }

  /** Somebody else has taken the folder over, for good. */
  get isLost(): boolean {
    return this.#lost;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
  }

  async #renew(): Promise<void> {
    const askedAt = performance.now();
    try {
      if (await renewWriter(this.#db, this.writer, LEASE_SECONDS)) {
        this.#validUntil = askedAt + LEASE_SECONDS * 1_000 - MARGIN_MS;
      } else if (!this.#lost) {
        this.#lost = true;
        this.#log.error(
          { writer: this.writer.id },
          'another process took over the log: this one was away for too long',
        );
      }
    } catch (err) {
      this.#log.warn({ err }, 'the lease of the event log could not be renewed');
    }
  }
}
