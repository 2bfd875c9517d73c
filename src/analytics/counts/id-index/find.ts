import type { FileHandle } from 'node:fs/promises';
import type { Ids } from '../../storage/duck-read.ts';
import { bytesAt, checksum, IndexDamaged, openIndex, readIndexEnd } from '../index-file.ts';
import { BLOCK_IDS, BUCKETS, headBytes, KIND, mixed, type Footer, type Part } from './format.ts';

/** Who looks into several indexes uses these again: new ones for each would have the system clear megabytes. */
export interface Scratch {
  head: Buffer<ArrayBuffer>;
  block: Buffer<ArrayBuffer>;
}

export const makeScratch = (): Scratch => ({
  head: Buffer.allocUnsafeSlow(0),
  block: Buffer.allocUnsafeSlow(BLOCK_IDS * 4),
});

/**
 * Finds out which of some ids a file of events holds, in its index.
 * @param file path of the file
 * @returns their places, in any order; null where there is no index
 * @throws IndexDamaged
 */
export async function findIds(file: string, wanted: Ids, scratch = makeScratch()): Promise<number[] | null> {
  const handle = await openIndex(file);
  if (!handle) return null;
  try {
    const { footer } = await readIndexEnd<Footer>(handle, KIND, file);
    const found: number[] = [];
    const nearby = inGroups(wanted, footer.seed);
    for (const part of footer.parts) {
      for (const [block, candidates] of await candidatesIn(handle, part, nearby, scratch)) {
        for (const place of await confirmed(handle, part, block, candidates, wanted, scratch)) found.push(place);
      }
    }
    return found;
  } finally {
    await handle.close();
  }
}

/** Groups by the first bits: their buckets lie together, so that a processor's cache holds them. */
const GROUP_BITS = 8;

/** The mixed first halves of ids, group by group, each with its place. */
interface Grouped {
  first: Uint32Array;
  place: Uint32Array;
}

function inGroups({ low, high }: Ids, seed: number): Grouped {
  const given = new Uint32Array(high.length);
  const next = new Uint32Array((1 << GROUP_BITS) + 1);
  for (let i = 0; i < given.length; i += 1) {
    given[i] = mixed(high[i]!, low[i]!, seed);
    next[(given[i]! >>> (32 - GROUP_BITS)) + 1]! += 1;
  }
  for (let group = 1; group < next.length; group += 1) next[group]! += next[group - 1]!;
  const grouped = { first: new Uint32Array(given.length), place: new Uint32Array(given.length) };
  for (let i = 0; i < given.length; i += 1) {
    const at = next[given[i]! >>> (32 - GROUP_BITS)]!++;
    grouped.first[at] = given[i]!;
    grouped.place[at] = i;
  }
  return grouped;
}

/** Places in a block, and among what is wanted, where all but the last 32 bits are the same. */
interface Candidates {
  inBlock: number[];
  inWanted: number[];
}

/** By block of the part. */
async function candidatesIn(
  handle: FileHandle,
  { position, rows, head: crc }: Part,
  { first, place }: Grouped,
  scratch: Scratch,
): Promise<Map<number, Candidates>> {
  if (scratch.head.length < headBytes(rows)) scratch.head = Buffer.allocUnsafeSlow(headBytes(rows));
  const head = await bytesAt(handle, position, headBytes(rows), scratch.head);
  if (checksum(head) !== crc) throw new IndexDamaged('A part of an index has another head than was written.');
  const ends = new Uint32Array(head.buffer, 0, BUCKETS);
  const middles = new Uint16Array(head.buffer, BUCKETS * 4, rows);
  const blocks = new Map<number, Candidates>();
  for (let i = 0; i < first.length; i += 1) {
    const bucket = first[i]! >>> 16;
    const middle = first[i]! & 0xffff;
    const end = ends[bucket]!;
    for (let at = bucket === 0 ? 0 : ends[bucket - 1]!; at < end; at += 1) {
      if (middles[at] !== middle) continue;
      const block = Math.floor(at / BLOCK_IDS);
      let own = blocks.get(block);
      if (!own) blocks.set(block, (own = { inBlock: [], inWanted: [] }));
      own.inBlock.push(at % BLOCK_IDS);
      own.inWanted.push(place[i]!);
    }
  }
  return blocks;
}

/** Those of the candidates of a block whose last 32 bits are the same as well: places among what is wanted. */
async function confirmed(
  handle: FileHandle,
  { position, rows, blocks }: Part,
  block: number,
  { inBlock, inWanted }: Candidates,
  { low }: Ids,
  scratch: Scratch,
): Promise<number[]> {
  const first = block * BLOCK_IDS;
  const length = Math.min(BLOCK_IDS, rows - first) * 4;
  const bytes = await bytesAt(handle, position + headBytes(rows) + first * 4, length, scratch.block);
  if (checksum(bytes) !== blocks[block])
    throw new IndexDamaged('A block of an index has other bytes than were written.');
  const lows = new Uint32Array(bytes.buffer, 0, length / 4);
  return inWanted.filter((place, i) => lows[inBlock[i]!] === low[place]);
}
