import type { IndexFooter, IndexKind } from '../index-file.ts';

/**
 * An index of one file of presence: who was where on which days, so that the days of a few visitors are read
 * without those of all others. It is made from the file, lies beside it, is in no manifest and in no backup,
 * and may be missing: then the file is read instead.
 *
 * Blocks of about {@link BLOCK_BYTES}, each of whole visitors in ascending order: first those of the site
 * (path ''), then those of pages. A table with the first visitor of each block, and the {@link Footer}.
 * Numbers in blocks are varints (LEB128).
 *
 * A block: for each visitor the high half, less that of the one before (of the first visitor, 0), the low
 * half in 4 bytes, and the length of what follows: the number of the kind (class, agent, result of the check), and 1 more, or 0
 * where there are several kinds. Then for each page and kind: twice the page's number less that of the one
 * before, and 1 more if there are several days; the kind's number where there are several kinds; how many
 * days, where they are several; the first day less `firstDay`, and each next one less the one before.
 */
export const BLOCK_BYTES = 1_024;
export const ENTRY_BYTES = 24;
export const KIND: IndexKind = { magic: 0x3149_5044_4f43_4e54n, format: 3 };

/** A part of the blocks: those of the site, or of pages. */
export interface Section {
  /** Where its entries begin in the table, and how many they are. */
  first: number;
  blocks: number;
}

export interface Footer extends IndexFooter {
  rows: number;
  firstDay: number;
  site: Section;
  pages: Section;
  /** In the order of their bytes. */
  paths: string[];
  kinds: { class: string; agent: string | null; verified: boolean | null }[];
}

/** Bytes to which numbers are added. */
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
