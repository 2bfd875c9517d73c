/**
 * Words of 32 bits of one client: period, agent, length and text of the address, the visitor's two halves.
 * One line of the processor's cache.
 */
const WORDS = 16;
const ADDRESS = 3;
const VISITOR = 14;
const LONGEST = (VISITOR - ADDRESS) * 4;
/** The number of positions for a client: a lookup ends after these. */
const WAYS = 4;

/**
 * Caches the visitor ids of clients, so that a log import hashes each client once and not each line. Takes a
 * fixed amount of memory, 64 bytes per client; a new client replaces an old one. With `lru-cache` instead,
 * `npm run bench -- import` gave 122,000 lines a second on one core, and 196,000 with this (the better of two
 * runs each).
 */
export class ClientVisitors {
  readonly #words: Uint32Array;
  readonly #sets: number;
  readonly #wanted = new Uint32Array(VISITOR);
  #next = 0;
  /** The visitor that {@link find} found, in two halves of 32 bits. */
  high = 0;
  low = 0;

  /** @param capacity how many clients: a power of two, at least 4 */
  constructor(capacity: number) {
    this.#words = new Uint32Array(capacity * WORDS);
    this.#sets = capacity / WAYS;
  }

  /**
   * Puts the visitor of a client into `high` and `low`.
   * @param period number of the salt, from 1
   * @param agent number of the user agent
   * @param make pure: called for a client that is not cached
   */
  find(period: number, agent: number, address: string, make: () => bigint): void {
    const set = this.#want(period, agent, address);
    if (set < 0) {
      this.#take(make());
      return;
    }
    const first = set * WAYS * WORDS;
    let place = -1;
    for (let way = first; way < first + WAYS * WORDS; way += WORDS) {
      if (this.#words[way] === 0) place = way;
      if (!this.#isWanted(way)) continue;
      this.high = this.#words[way + VISITOR]!;
      this.low = this.#words[way + VISITOR + 1]!;
      return;
    }
    this.#take(make());
    if (place < 0) {
      this.#next = (this.#next + 1) % WAYS;
      place = first + this.#next * WORDS;
    }
    this.#words.set(this.#wanted, place);
    this.#words[place + VISITOR] = this.high;
    this.#words[place + VISITOR + 1] = this.low;
  }

  /** Removes the relation between visitors and addresses from memory. */
  forget(): void {
    this.#words.fill(0);
    this.#wanted.fill(0);
  }

  /**
   * Puts a client's key into `#wanted`.
   * @returns its set; -1 for an address that cannot be cached: too long, or beyond Latin-1
   */
  #want(period: number, agent: number, address: string): number {
    const { length } = address;
    if (length > LONGEST) return -1;
    const wanted = this.#wanted;
    wanted[0] = period;
    wanted[1] = agent;
    wanted[2] = length;
    let hash = Math.imul(Math.imul(period, 0x85ebca6b) ^ agent, 0x9e3779b1) ^ length;
    for (let word = ADDRESS, at = 0; word < VISITOR; word += 1) {
      let four = 0;
      for (let shift = 0; shift < 32 && at < length; shift += 8, at += 1) {
        const code = address.charCodeAt(at);
        if (code > 255) return -1;
        four |= code << shift;
      }
      wanted[word] = four;
      hash = Math.imul(hash ^ four, 0x9e3779b1);
      hash = (hash << 13) | (hash >>> 19);
    }
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
    return ((hash ^ (hash >>> 13)) >>> 0) % this.#sets;
  }

  #isWanted(way: number): boolean {
    for (let word = 0; word < VISITOR; word += 1) if (this.#words[way + word] !== this.#wanted[word]) return false;
    return true;
  }

  #take(visitor: bigint): void {
    this.high = Number(visitor >> 32n);
    this.low = Number(visitor & 0xffff_ffffn);
  }
}
