import { AppError } from '../../platform/errors.ts';

const RETRY_SECONDS = 5;

/** Counts the streams that are open at this server, by caller. */
export class OpenStreams {
  readonly #limits: { all: number; perCaller: number };
  readonly #byCaller = new Map<string, number>();
  #all = 0;

  constructor(limits: { all: number; perCaller: number }) {
    this.#limits = limits;
  }

  /**
   * Takes a place for one more. What it returns gives it back, once.
   * @throws AppError `rate_limited` where the caller has too many, `unavailable` where the server has
   */
  take(caller: string): () => void {
    const own = this.#byCaller.get(caller) ?? 0;
    if (own >= this.#limits.perCaller) {
      throw new AppError(
        'rate_limited',
        `You have ${own} streams open at this server. Close some, or ask for pages of events.`,
        {
          retryAfterSeconds: RETRY_SECONDS,
        },
      );
    }
    if (this.#all >= this.#limits.all) {
      throw new AppError(
        'unavailable',
        `This server has ${this.#all} streams open and takes no more. Ask for pages of events.`,
        {
          retryAfterSeconds: RETRY_SECONDS,
        },
      );
    }
    this.#all += 1;
    this.#byCaller.set(caller, own + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#all -= 1;
      const left = (this.#byCaller.get(caller) ?? 1) - 1;
      if (left > 0) this.#byCaller.set(caller, left);
      else this.#byCaller.delete(caller);
    };
  }
}
