import type { IndexFooter, IndexKind } from '../index-file.ts';

/**
 * An index of the ids in one event file, to find whether a few ids are in it without reading it all. It is
 * built from the file and stored beside it, in no manifest or backup. If it is missing, the file is read
 * instead.
 *
 * It has independent parts of about {@link PART_ROWS} ids, so that building takes little memory. The first
 * half of each id is mixed with the second: see {@link mixed}. Within a part, ids are sorted by their first
 * 16 bits only. A part has: the positions after the last id of each of {@link BUCKETS} buckets (4 bytes
 * each); the next 16 bits of each id; the last 32 bits of each id. The first two, the head, are read
 * completely, group by group, and rule out all but one in some thousand absent ids. The last ones are read in
 * blocks of {@link BLOCK_IDS}, where an id may be present. No table.
 */
export const PART_ROWS = 1 << 21;
export const BUCKETS = 1 << 16;
export const BLOCK_IDS = 1 << 14;
/** Groups of buckets fit into a processor's cache, which takes a third of the time. */
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

/** The first half of an id, mixed with the second by a secret: senders of ids cannot fill one bucket. */
export const mixed = (high: number, low: number, seed: number): number => (high + Math.imul(low, seed)) >>> 0;

/** Bytes of the head of a part with this many ids. */
export const headBytes = (rows: number): number => BUCKETS * 4 + rows * 2;
