import { hash } from 'node:crypto';
import { MAX_LINE_BYTES } from './line-reader.ts';
import { RecentCounts } from './recent-counts.ts';

export const IDENTITY_KEY_BYTES = 32;

const LINE = 1;
const REQUEST = 2;
/** Views of longer lines are made again for each line. */
const VIEWS = 2_048;

/**
 * Gives each line of a log an id that is the same for every import of that log, from any file: a keyed hash
 * of the line and of the number of equal lines before it in this log. So a repeated import counts nothing
 * twice, and two equal requests within a second both count.
 *
 * Equal lines have equal times, so they are close together: they are distinguished as long as fewer than
 * 65,536 others are between them.
 *
 * One instance per log (a followed log stays one log when it is rotated); a second file with the same lines
 * is the same log again. The key prevents guessing addresses from ids: it belongs to the salt of the
 * visitors.
 */
export class LineIdentity {
  readonly #seen = new RecentCounts();
  #key: Buffer | null = null;
  readonly #scratch = Buffer.alloc(IDENTITY_KEY_BYTES + 5 + MAX_LINE_BYTES);
  /** The scratch's beginnings, by length. */
  readonly #views: (Buffer | undefined)[] = Array.from({ length: VIEWS });
  /**
   * The id, 64 bits, of the line or request that was asked about last: two numbers of 32 bits, the first ones
   * first.
   */
  readonly id = new Uint32Array(2);

  /**
   * Puts the id of the next line into `id`. Pass the lines in the order of the log.
   * @param key {@link IDENTITY_KEY_BYTES} secret bytes, the same for all imports of lines of one day
   */
  ofLine(key: Buffer, buffer: Buffer, start: number, end: number): void {
    const length = this.#fill(key, LINE, buffer, start, end);
    this.#digest(length, 1);
    const count = this.#seen.next(this.id[0]!, this.id[1]!);
    if (count > 1) this.#digest(length, count);
  }

  /** Puts the id of a request that its server named into `id`: all of its lines have this one. */
  ofRequest(key: Buffer, requestId: string): void {
    const bytes = Buffer.from(requestId);
    this.#digest(this.#fill(key, REQUEST, bytes, 0, Math.min(bytes.length, MAX_LINE_BYTES)), 1);
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

  /**
   * SHA-256 over the key and the text is a keyed hash here: only a quarter of the digest is kept, which rules
   * out length extension.
   */
  #digest(length: number, count: number): void {
    this.#scratch.writeUInt32BE(count, IDENTITY_KEY_BYTES + 1);
    // As text, of a byte to a character: a Buffer for each line takes three times as long.
    const digest = hash('sha256', this.#beginning(length), 'binary');
    for (let word = 0; word < 2; word += 1) {
      const at = 4 * word;
      this.id[word] =
        (digest.charCodeAt(at) << 24) |
        (digest.charCodeAt(at + 1) << 16) |
        (digest.charCodeAt(at + 2) << 8) |
        digest.charCodeAt(at + 3);
    }
  }

  #beginning(length: number): Buffer {
    return length < VIEWS
      ? (this.#views[length] ??= this.#scratch.subarray(0, length))
      : this.#scratch.subarray(0, length);
  }
}
