import { AppError } from '../../platform/errors.ts';

interface Wait {
  no: number;
  resolve: () => void;
  reject: (err: unknown) => void;
  timer: NodeJS.Timeout;
}

/** Requests whose events are on this disk, and that are answered once their segment is stored. */
export class StoredWaits {
  readonly #waitMs: number;
  readonly #waits = new Set<Wait>();

  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  /** Whether a request waits for a segment from this number on. */
  isAwaited(no: number): boolean {
    for (const wait of this.#waits) if (wait.no >= no) return true;
    return false;
  }

  /**
   * Resolves when a segment is stored.
   * @throws AppError `unavailable` if that takes too long: the events may count anyway, later
   */
  until(no: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const wait: Wait = { no, resolve, reject, timer: setTimeout(() => this.#end(wait, notYet()), this.#waitMs) };
      this.#waits.add(wait);
    });
  }

  /** Segments up to this number are in. */
  storedUpTo(no: number): void {
    for (const wait of this.#waits) if (wait.no <= no) this.#end(wait, null);
  }

  /** For another log: its result will not arrive here. */
  giveUp(): void {
    for (const wait of this.#waits) this.#end(wait, notYet());
  }

  #end(wait: Wait, err: unknown): void {
    if (!this.#waits.delete(wait)) return;
    clearTimeout(wait.timer);
    if (err === null) wait.resolve();
    else wait.reject(err);
  }
}

export const notYet = (): AppError =>
  new AppError(
    'unavailable',
    'The events were not stored in time, but may still be counted. Send them again with the same IDs or ' +
      'Idempotency-Key; each is counted once.',
    { retryAfterSeconds: 5 },
  );
