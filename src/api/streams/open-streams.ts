import { AppError } from '../../platform/errors.ts';

const RETRY_SECONDS = 5;

/** Counts the streams that are open at this server, by caller. */
export class OpenStreams {
  readonly #limits: { all: number; perCaller: number; what: string; instead: string };
  readonly #byCaller = new Map<string, number>();
  #all = 0;

  /** @param limits.what the name of the streams; `limits.instead`: the alternative to suggest */
  constructor(limits: { all: number; perCaller: number; what: string; instead: string }) {
    this.#limits = limits;
  }

  /**
   * Takes a slot, which the returned function frees.
   * @throws AppError `rate_limited` (caller), `unavailable` (server)
   */
  take(caller: string): () => void {
    const { what, instead } = this.#limits;
    const own = this.#byCaller.get(caller) ?? 0;
    if (own >= this.#limits.perCaller) {
      throw new AppError(
        'rate_limited',
        `You have ${own} ${what} open on this server, which is the limit. Close some, or use ${instead}.`,
        {
          retryAfterSeconds: RETRY_SECONDS,
        },
      );
    }
    if (this.#all >= this.#limits.all) {
      throw new AppError(
        'unavailable',
        `This server has ${this.#all} ${what} open, which is the limit. Use ${instead}.`,
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
