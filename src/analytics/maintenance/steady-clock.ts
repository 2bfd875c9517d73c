/** The wall clock and the monotonic one may differ by this much between two looks. */
const STEP_MS = 60_000;
/** How long after a clock change nothing is deleted because of its age. */
const DISTRUST_MS = 60 * 60_000;

/** The earlier of this machine's and the database's clock; stops for an hour after a clock change. */
export class SteadyClock {
  readonly #wall: () => number;
  readonly #monotonic: () => number;
  #offset: number;
  #steppedAt = -Infinity;

  constructor(wall: () => number = Date.now, monotonic: () => number = () => performance.now()) {
    this.#wall = wall;
    this.#monotonic = monotonic;
    this.#offset = wall() - monotonic();
  }

  /** @returns milliseconds since 1970, or null while the clock cannot be trusted */
  now(databaseNow: number): number | null {
    const [wall, monotonic] = [this.#wall(), this.#monotonic()];
    if (Math.abs(wall - monotonic - this.#offset) > STEP_MS) this.#steppedAt = monotonic;
    this.#offset = wall - monotonic;
    return monotonic - this.#steppedAt < DISTRUST_MS ? null : Math.min(wall, databaseNow);
  }
}
