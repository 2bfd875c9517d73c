import type { Logger } from '../../../platform/log.ts';
import { renewWriter, type WriterLease } from '../../../store/analytics/writers.ts';
import type { Db } from '../../../store/database.ts';
import type { FolderClaim } from '../../storage/folder-claim.ts';

export const LEASE_SECONDS = 20;
/** A lease of 20 s is renewed every 4 s, and counts as over 2 s before another process may take it. */
const RENEWALS = 5;
const MARGIN = 0.1;
/** Beyond this drift of wall and monotonic clock, the machine slept or a person set the clock. */
const STEP_MS = 1_000;

/**
 * The right to append to one folder of logs, renewed on a timer. Its end is measured on this process's
 * monotonic clock, from before the renewal was sent, so that a paused process knows that it is late. The
 * monotonic clock stops while a machine sleeps. So whenever the wall clock disagrees, the lease is checked
 * again before anything is acknowledged.
 *
 * The lease is for processes that cannot see whether this one lives; see {@link FolderClaim} for the others.
 */
export class Lease {
  readonly writer: WriterLease;
  readonly #db: Db;
  readonly #log: Logger;
  readonly #seconds: number;
  readonly #wallClock: () => number;
  readonly #claim: FolderClaim;
  readonly #onBehind: () => void;
  #validUntil: number;
  /** Wall clock minus monotonic clock at the last renewal. */
  #offset: number;
  #lost = false;
  #timer: NodeJS.Timeout;
  #renewing: Promise<void> = Promise.resolve();

  constructor(
    db: Db,
    writer: WriterLease,
    options: {
      /** `performance.now()` before the lease was requested. */
      takenAt: number;
      seconds: number;
      log: Logger;
      /** The claim on the folder: after this process ends, others need not wait for the lease. */
      claim: FolderClaim;
      wallClock?: () => number;
      /**
       * Called when the database knows less of the folder than this process does: it may have gone back in
       * time.
       */
      onBehind?: (() => void) | undefined;
    },
  ) {
    this.#db = db;
    this.#log = options.log;
    this.#seconds = options.seconds;
    this.#wallClock = options.wallClock ?? Date.now;
    this.#claim = options.claim;
    this.#onBehind = options.onBehind ?? (() => {});
    this.writer = writer;
    this.#offset = this.#wallClock() - performance.now();
    this.#validUntil = this.#endAfter(options.takenAt);
    this.#timer = setInterval(() => void (this.#renewing = this.#renew()), (this.#seconds * 1_000) / RENEWALS);
    this.#timer.unref();
  }

  /** Whether no other process can have taken over the folder yet, by the monotonic clock. */
  get isValid(): boolean {
    return !this.#lost && performance.now() < this.#validUntil;
  }

  /** Another process has taken over the folder permanently. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** Whether the folder is still ours. Call it after every write, before the acknowledgment. */
  async holds(): Promise<boolean> {
    if (this.isValid && Math.abs(this.#wallClock() - performance.now() - this.#offset) > STEP_MS) {
      this.#validUntil = -Infinity;
      await this.#renew();
    }
    return this.isValid;
  }

  /** @param isDone whether the folder is deleted; otherwise it may be taken over immediately */
  async close({ isDone }: { isDone: boolean }): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
    if (isDone) this.#claim.release();
    else this.#claim.abandon();
  }

  #endAfter(askedAt: number): number {
    return askedAt + this.#seconds * 1_000 * (1 - MARGIN);
  }

  async #renew(): Promise<void> {
    const askedAt = performance.now();
    const offset = this.#wallClock() - askedAt;
    try {
      const found = await renewWriter(this.#db, this.writer, this.#seconds);
      if (found === 'renewed' || found === 'behind') {
        this.#validUntil = this.#endAfter(askedAt);
        this.#offset = offset;
      } else if (!this.#lost) {
        this.#lost = true;
        this.#log.error(
          { writer: this.writer.id },
          found === 'gone'
            ? 'the database does not know the event log of this process any more: another one is begun'
            : 'another process took over the log: this one was away for too long',
        );
        if (found === 'gone') this.#onBehind();
      }
      if (found === 'behind') this.#onBehind();
    } catch (err) {
      this.#log.warn({ err }, 'the lease of the event log could not be renewed');
    }
  }
}
