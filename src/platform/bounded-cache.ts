/**
 * A map that forgets what was not used for long. It keeps two generations: when the young one is full, the old one goes
 * and the young one becomes old. A hit moves an entry to the young one. So at most `capacity` entries are held, and a hit
 * costs one or two look-ups, with no list to re-link.
 */
export class BoundedCache<K, V extends object | string | number | bigint> {
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  readonly #half: number;

  /** @param capacity the most entries held, at least 2 */
  constructor(capacity: number) {
    this.#half = Math.max(1, Math.floor(capacity / 2));
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    if (this.#old.size === 0) return undefined;
    const old = this.#old.get(key);
    if (old === undefined) return undefined;
    this.#old.delete(key);
    this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    if (this.#young.size >= this.#half && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    if (this.#old.size > 0) this.#old.delete(key);
    this.#young.set(key, value);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
