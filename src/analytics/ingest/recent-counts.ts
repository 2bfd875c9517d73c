const SLOTS = 1 << 17;
const MASK = SLOTS - 1;
/** A table is left half empty, so that a free slot is near. */
const FULL = SLOTS / 2;

/** One generation: open addressing over keys of 64 bits. A count of 0 is a free slot. */
class CountTable {
  readonly #keys = new Uint32Array(2 * SLOTS);
  readonly #counts = new Uint32Array(SLOTS);
  #size = 0;

  get isFull(): boolean {
    return this.#size >= FULL;
  }

  get(high: number, low: number): number {
    return this.#counts[this.#find(high, low)]!;
  }

  set(high: number, low: number, count: number): void {
    const slot = this.#find(high, low);
    if (this.#counts[slot] === 0) this.#size += 1;
    this.#keys[2 * slot] = high;
    this.#keys[2 * slot + 1] = low;
    this.#counts[slot] = count;
  }

  clear(): void {
    this.#counts.fill(0);
    this.#size = 0;
  }

  #find(high: number, low: number): number {
    let slot = low & MASK;
    while (this.#counts[slot] !== 0 && (this.#keys[2 * slot] !== high || this.#keys[2 * slot + 1] !== low)) {
      slot = (slot + 1) & MASK;
    }
    return slot;
  }
}

/**
 * Counts how often each key came among the last ones: at least 65,536 different keys back. Takes 3 MB whatever comes, and
 * no objects for each key: it is asked for every line of a log.
 */
export class RecentCounts {
  #young = new CountTable();
  #old = new CountTable();

  /** Counts a key, given as two unsigned numbers of 32 bits, and returns how often it has come by now, from 1. */
  next(high: number, low: number): number {
    const count = (this.#young.get(high, low) || this.#old.get(high, low)) + 1;
    if (this.#young.isFull) {
      [this.#young, this.#old] = [this.#old, this.#young];
      this.#young.clear();
    }
    this.#young.set(high, low, count);
    return count;
  }
}
