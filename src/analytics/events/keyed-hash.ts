import { createHmac, hash } from 'node:crypto';

const BLOCK = 64;
const SCRATCH = 8_192;

/**
 * HMAC-SHA256 (RFC 2104) for many texts with one key: its two padded blocks are kept, and each text takes two
 * one-shot hashes. With `createHmac` for each text, `npm run bench -- ingest import` gave 75,000 and 87,000
 * log lines a second on one core instead of 136,000 and 135,000, and 48 and 49 µs of processor time per event
 * instead of 26 and 25 (two alternating runs each).
 */
export class KeyedHash {
  readonly #inner = Buffer.alloc(SCRATCH);
  readonly #outer = Buffer.alloc(BLOCK + 32);
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key.length > BLOCK ? hash('sha256', key, 'buffer') : key;
    for (let i = 0; i < BLOCK; i += 1) {
      const byte = this.#key[i] ?? 0;
      this.#inner[i] = byte ^ 0x36;
      this.#outer[i] = byte ^ 0x5c;
    }
  }

  /** The first 64 bits for a text. */
  first64(text: string): bigint {
    // A UTF-16 unit takes at most three bytes.
    if (BLOCK + text.length * 3 > SCRATCH) {
      return createHmac('sha256', this.#key).update(text).digest().readBigUInt64BE(0);
    }
    const end = BLOCK + this.#inner.write(text, BLOCK);
    // As text, of a byte to a character: a Buffer for each hash takes three times as long.
    this.#outer.write(hash('sha256', this.#inner.subarray(0, end), 'binary'), BLOCK, 'latin1');
    this.#outer.write(hash('sha256', this.#outer, 'binary'), BLOCK, 'latin1');
    return this.#outer.readBigUInt64BE(BLOCK);
  }
}
