import type { FileHandle } from 'node:fs/promises';
import type { Ids } from '../../storage/duck-read.ts';
import { bytesAt, checksum, openIndex, readIndexEnd } from '../index-file.ts';
import {
  BLOCK_IDS,
  BUCKETS,
  GROUP_BUCKETS,
  GROUP_WIDTH,
  GROUPS,
  headBytes,
  KIND,
  mixed,
  type Footer,
  type Part,
} from './format.ts';
import { Expected } from '../../../platform/errors.ts';

/** Groups whose middle bits are read together. */
const READ_GROUPS = 16;

/** Reused between indexes: new buffers for each would keep the garbage collector busy. */
export interface Scratch {
  ends: Buffer<ArrayBuffer>;
  middles: Buffer<ArrayBuffer>;
  block: Buffer<ArrayBuffer>;
}

export const makeScratch = (): Scratch => ({
  ends: Buffer.allocUnsafeSlow(BUCKETS * 4),
  middles: Buffer.allocUnsafeSlow(0),
  block: Buffer.allocUnsafeSlow(BLOCK_IDS * 4),
});

/**
 * Finds ids in a file's index.
 * @returns the positions of those that it holds, in any order; null without an index
 * @throws Expected `index_damaged`
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

/** Mixed first halves of ids by group, with their positions, for locality. */
interface Grouped {
  first: Uint32Array;
  place: Uint32Array;
  /** For each group, the position after its last. */
  ends: Uint32Array;
}

function inGroups({ low, high }: Ids, seed: number): Grouped {
  const given = new Uint32Array(high.length);
  const next = new Uint32Array(GROUPS + 1);
  for (let i = 0; i < given.length; i += 1) {
    given[i] = mixed(high[i]!, low[i]!, seed);
    next[Math.floor(given[i]! / GROUP_WIDTH) + 1]! += 1;
  }
  for (let group = 1; group < next.length; group += 1) next[group]! += next[group - 1]!;
  const grouped = { first: new Uint32Array(given.length), place: new Uint32Array(given.length), ends: next };
  for (let i = 0; i < given.length; i += 1) {
    const at = next[Math.floor(given[i]! / GROUP_WIDTH)]!++;
    grouped.first[at] = given[i]!;
    grouped.place[at] = i;
  }
  return grouped;
}

/** Positions in a block and among the wanted ids that agree in all but the last 32 bits. */
interface Candidates {
  inBlock: number[];
  inWanted: number[];
}

/** By block of the part. */
async function candidatesIn(
  handle: FileHandle,
  part: Part,
  { first, place, ends: groupEnds }: Grouped,
  scratch: Scratch,
): Promise<Map<number, Candidates>> {
  const table = await bytesAt(handle, part.position, BUCKETS * 4, scratch.ends);
  if (checksum(table) !== part.ends)
    throw new Expected('index_damaged', 'A part of an index has other buckets than were written.');
  const ends = new Uint32Array(table.buffer, table.byteOffset, BUCKETS);
  const blocks = new Map<number, Candidates>();
  let sum = 0;
  for (let group = 0, from = 0, next = 0; group < GROUPS; group += READ_GROUPS) {
    const to = ends[(group + READ_GROUPS) * GROUP_BUCKETS - 1]!;
    if (scratch.middles.length < (to - from) * 2) scratch.middles = Buffer.allocUnsafeSlow((to - from) * 2);
    const bytes = await bytesAt(handle, part.position + BUCKETS * 4 + from * 2, (to - from) * 2, scratch.middles);
    sum = checksum(bytes, sum);
    const middles = new Uint16Array(bytes.buffer, bytes.byteOffset, to - from);
    for (const last = groupEnds[group + READ_GROUPS - 1]!; next < last; next += 1) {
      const bucket = first[next]! >>> 16;
      const middle = first[next]! & 0xffff;
      const end = ends[bucket]!;
      for (let at = bucket === 0 ? 0 : ends[bucket - 1]!; at < end; at += 1) {
        if (middles[at - from] !== middle) continue;
        const block = Math.floor(at / BLOCK_IDS);
        let own = blocks.get(block);
        if (!own) blocks.set(block, (own = { inBlock: [], inWanted: [] }));
        own.inBlock.push(at % BLOCK_IDS);
        own.inWanted.push(place[next]!);
      }
    }
    from = to;
  }
  if (sum !== part.middles) throw new Expected('index_damaged', 'A part of an index has other bits than were written.');
  return blocks;
}

/** The candidates of a block that also agree in the last 32 bits: positions among the wanted ids. */
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
    throw new Expected('index_damaged', 'A block of an index has other bytes than were written.');
  const lows = new Uint32Array(bytes.buffer, bytes.byteOffset, length / 4);
  return inWanted.filter((place, i) => lows[inBlock[i]!] === low[place]);
}
