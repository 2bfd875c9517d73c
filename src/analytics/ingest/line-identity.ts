import { hash } from 'node:crypto';
import { BoundedCache } from '../bounded-cache.ts';
import { MAX_LINE_BYTES } from './log-formats/log-line.ts';

export const IDENTITY_KEY_BYTES = 32;

const LINE = 1;
const REQUEST = 2;
/** Equal lines bear equal times, so they stand close together: how many lines apart two equal ones are still both counted. */
const REMEMBERED = 200_000;

/**
 * Gives each line of a log an id that is the same whenever that log is imported again, from whichever file: a keyed hash of
 * the line and of how many equal lines came before it in this log. So a repeated import counts nothing twice, and two equal
 * requests within a second both count.
 *
 * One instance for each log (a followed log stays one log when it is rotated); a second file with the same lines is the same
 * log again. The key keeps addresses from being guessed from the ids: it belongs with the salt of the visitors.
 */
export class LineIdentity {
  readonly #seen = new BoundedCache<string, number>(REMEMBERED);
  readonly #scratch = Buffer.alloc(IDENTITY_KEY_BYTES + 5 + MAX_LINE_BYTES);

  /**
   * The id of the next line, 128 bits in hex. Lines are to be passed in the order of the log.
   * @param key {@link IDENTITY_KEY_BYTES} secret bytes, the same for all imports of lines of one day
   */
  ofLine(key: Buffer, buffer: Buffer, start: number, end: number): string {
    const length = this.#fill(key, LINE, buffer, start, end);
    const id = this.#digest(length, 1);
    const count = (this.#seen.get(id) ?? 0) + 1;
    this.#seen.set(id, count);
    return count === 1 ? id : this.#digest(length, count);
  }

  /** The id of a request that its server named: all of its lines have this one. */
  ofRequest(key: Buffer, requestId: string): string {
    const bytes = Buffer.from(requestId);
    return this.#digest(this.#fill(key, REQUEST, bytes, 0, Math.min(bytes.length, MAX_LINE_BYTES)), 1);
  }

  #fill(key: Buffer, kind: number, buffer: Buffer, start: number, end: number): number {
    if (key.length !== IDENTITY_KEY_BYTES) throw new RangeError(`The key must have ${IDENTITY_KEY_BYTES} bytes.`);
    key.copy(this.#scratch);
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
