import type { IndexFooter, IndexKind } from '../index-file.ts';

/**
 * An index of the ids of one file of events, so that whether a few are among them is known without reading
 * all. It is made from the file, lies beside it, is in no manifest and in no backup, and may be missing: then
 * the file is read instead.
 *
 * Parts of about {@link PART_ROWS} ids, each by itself, so that making them takes little memory. The first
 * half of each id is mixed with the second: see {@link mixed}. In a part, ids lie by their first 16 bits
 * then, in any order where those are the same: the places behind the last id of each of {@link BUCKETS}
 * buckets (4 bytes each); of each id the next 16 bits; of each id the last 32 bits. The first two, the head,
 * are read as a whole, group by group, and rule out all but one in some thousand ids that the file does not
 * hold; the last ones are read in blocks of {@link BLOCK_IDS}, where an id may be there. No table.
 */
export const PART_ROWS = 1 << 21;
export const BUCKETS = 1 << 16;
export const BLOCK_IDS = 1 << 14;
/**
 * Buckets by groups: what is put in order or looked up at once fits into a processor's cache then, which
 * takes a third of the time.
 */
export const GROUPS = 256;
export const GROUP_BUCKETS = BUCKETS / GROUPS;
export const GROUP_WIDTH = 2 ** 32 / GROUPS;
export const KIND: IndexKind = { magic: 0x3149_4449_4f43_4e54n, format: 1 };

export interface Part {
  position: number;
  rows: number;
  /** CRC-32 of the ends of the buckets, and of the next 16 bits. */
  ends: number;
  middles: number;
  /** CRC-32 of each block. */
  blocks: number[];
}

export interface Footer extends IndexFooter {
  /** See {@link mixed}. */
  seed: number;
  parts: Part[];
}

/**
 * The first half of an id, mixed with the second by a number that no one knows beforehand: who sends events
 * may choose ids, and with them the bits that these begin with, but has no means to put many into one bucket.
 * Different ids stay different.
 */
export const mixed = (high: number, low: number, seed: number): number => (high + Math.imul(low, seed)) >>> 0;

/** Bytes of the head of a part of so many ids. */
export const headBytes = (rows: number): number => BUCKETS * 4 + rows * 2;
