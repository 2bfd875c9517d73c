import { hash } from 'node:crypto';
import { MAX_LINE_BYTES } from './log-formats/log-line.ts';
import { RecentCounts } from './recent-counts.ts';

export const IDENTITY_KEY_BYTES = 32;

const LINE = 1;
const REQUEST = 2;
/**
 * Gives each line of a log an id that is the same whenever that log is imported again, from whichever file: a keyed hash of
 * the line and of how many equal lines came before it in this log. So a repeated import counts nothing twice, and two equal
 * requests within a second both count.
 *
 * Equal lines bear equal times, so they stand close together: they are told apart as long as fewer than 65,536 others are between.
 *
 * One instance for each log (a followed log stays one log when it is rotated); a second file with the same lines is the same
 * log again. The key keeps addresses from being guessed from the ids: it belongs with the salt of the visitors.
 */
export class LineIdentity {
  readonly #seen = new RecentCounts();
  #key: Buffer | null = null;
  readonly #scratch = Buffer.alloc(IDENTITY_KEY_BYTES + 5 + MAX_LINE_BYTES);

  /**
   * The id of the next line, 128 bits in hex. Lines are to be passed in the order of the log.
   * @param key {@link IDENTITY_KEY_BYTES} secret bytes, the same for all imports of lines of one day
   */
  ofLine(key: Buffer, buffer: Buffer, start: number, end: number): string {
    const length = this.#fill(key, LINE, buffer, start, end);
    const id = this.#digest(length, 1);
    const count = this.#seen.next(Number.parseInt(id.slice(0, 8), 16), Number.parseInt(id.slice(8, 16), 16));
    return count === 1 ? id : this.#digest(length, count);
  }

  /** The id of a request that its server named: all of its lines have this one. */
  ofRequest(key: Buffer, requestId: string): string {
    const bytes = Buffer.from(requestId);
    return this.#digest(this.#fill(key, REQUEST, bytes, 0, Math.min(bytes.length, MAX_LINE_BYTES)), 1);
  }

  #fill(key: Buffer, kind: number, buffer: Buffer, start: number, end: number): number {
    if (key !== this.#key) {
      if (key.length !== IDENTITY_KEY_BYTES) throw new RangeError(`The key must have ${IDENTITY_KEY_BYTES} bytes.`);
      key.copy(this.#scratch);
      this.#key = key;
    }
    this.#scratch[IDENTITY_KEY_BYTES] = kind;
    const stop = Math.min(end, start + MAX_LINE_BYTES);
    return IDENTITY_KEY_BYTES + 5 + buffer.copy(this.#scratch, IDENTITY_KEY_BYTES + 5, start, stop);
  }

  /** SHA-256 with the key in front is a keyed hash here: half of the digest is kept, which rules out length extension. */
  #digest(length: number, count: number): string {
    this.#scratch.writeUInt32BE(count, IDENTITY_KEY_BYTES + 1);
    return hash('sha256', this.#scratch.subarray(0, length), 'hex').slice(0, 32);
  }
}
