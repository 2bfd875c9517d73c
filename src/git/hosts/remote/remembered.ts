const MAX_ENTRIES = 500;

/** Keeps answers for a while. A failure is not kept. */
export class Remembered<T> {
  readonly #entries = new Map<string, { value: T; until: number }>();
  readonly #keepMs: number;

  constructor(keepMs: number) {
    this.#keepMs = keepMs;
  }

  async get(key: string, ask: () => Promise<T>): Promise<T> {
    const found = this.#entries.get(key);
    if (found && performance.now() < found.until) return found.value;
    const value = await ask();
    if (this.#entries.size >= MAX_ENTRIES) this.#entries.clear();
    this.#entries.set(key, { value, until: performance.now() + this.#keepMs });
    return value;
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }
}
