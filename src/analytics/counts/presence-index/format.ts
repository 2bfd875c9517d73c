import type { IndexFooter, IndexKind } from '../index-file.ts';

/**
 * An index of one presence file: which visitor was where on which days, so that the days of a few visitors
 * are read without those of all others. It is built from the file and stored beside it, in no manifest or
 * backup. If it is missing, the file is read instead.
 *
 * It has blocks of about {@link BLOCK_BYTES}, each with whole visitors in ascending order: first those of the
 * site (path ''), then those of pages. Then a table with the first visitor of each block, and the {@link
 * Footer}. Numbers in blocks are varints (LEB128).
 *
 * A block has for each visitor: the high half as the difference from the previous one (0 for the first), the
 * low half in 4 bytes, the length of what follows, and the number of the kind (class, agent, result of the
 * check) plus 1, or 0 for several kinds. Then for each page and kind: twice the difference from the previous
 * page's number, plus 1 for several days; the kind's number if there are several kinds; the number of days if
 * there are several; the first day minus `firstDay`, and the differences between the days.
 */
export const BLOCK_BYTES = 1_024;
export const ENTRY_BYTES = 24;
export const KIND: IndexKind = { magic: 0x3149_5044_4f43_4e54n, format: 3 };

/** A part of the blocks: those of the site, or of pages. */
export interface Section {
  /** Position of its first entry in the table, and their number. */
  first: number;
  blocks: number;
}

export interface Footer extends IndexFooter {
  rows: number;
  firstDay: number;
  site: Section;
  pages: Section;
  /** In byte order. */
  paths: string[];
  kinds: { class: string; agent: string | null; verified: boolean | null }[];
}

/** A growing byte buffer for numbers. */
export class Bytes {
  buffer: Buffer;
  length = 0;

  constructor(size = 65_536) {
    this.buffer = Buffer.allocUnsafe(size);
  }

  varint(value: number): void {
    if (this.length + 5 > this.buffer.length) this.#grow(5);
    const { buffer } = this;
    let rest = value;
    while (rest > 127) {
      buffer[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    buffer[this.length++] = rest;
  }

  uint32(value: number): void {
    if (this.length + 4 > this.buffer.length) this.#grow(4);
    this.length = this.buffer.writeUInt32LE(value, this.length);
  }

  add(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.buffer.length) this.#grow(bytes.length);
    this.buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  get bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  #grow(by: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.length + by));
    larger.set(this.bytes);
    this.buffer = larger;
  }
}
