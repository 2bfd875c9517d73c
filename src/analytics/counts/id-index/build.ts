import { randomInt } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { FileRow } from '../../../store/analytics/manifest.ts';
import type { AnalyticsFolder } from '../../storage/analytics-folder.ts';
import type { Ids } from '../../storage/duck-read.ts';
import type { DuckSession } from '../../storage/duck.ts';
import { writeAll } from '../../storage/durable-files.ts';
import { absolutePaths, relation } from '../../storage/tables.ts';
import { checksum, indexEnd, writeIndexFile } from '../index-file.ts';
import {
  BLOCK_IDS,
  BUCKETS,
  GROUP_BUCKETS,
  GROUP_WIDTH,
  GROUPS,
  headBytes,
  KIND,
  mixed,
  PART_ROWS,
  type Footer,
  type Part,
} from './format.ts';

/**
 * Idempotent. Leaves nothing behind when it throws.
 * @param how `partRows`: approximate number of ids per part; `seed`: odd, see {@link mixed}
 */
export async function buildIdIndex(
  session: DuckSession,
  folder: AnalyticsFolder,
  file: FileRow,
  { partRows = PART_ROWS, seed = randomInt(2 ** 31) * 2 + 1 } = {},
): Promise<void> {
  await writeIndexFile(folder, file, async (handle) => {
    const writer = new IdIndexWriter(handle, Math.min(file.rows, partRows), seed);
    const source = { source: absolutePaths(folder, [file]) };
    for await (const ids of session.ids(`SELECT id FROM ${relation('events', [file], 'source')}`, source)) {
      for (let from = 0; from < ids.low.length;) {
        from = writer.add(ids, from);
        if (from < ids.low.length) await writer.flush();
      }
    }
    await writer.finish(file);
  });
}

/** With hashes, a group is practically never larger: six standard deviations above the mean. */
const groupRoom = (rows: number): number => Math.ceil(rows / GROUPS + 6 * Math.sqrt(rows / GROUPS));

/** Ids in any order, as parts. A part ends when one of its groups is full. */
class IdIndexWriter {
  readonly #handle: FileHandle;
  readonly #seed: number;
  readonly #room: number;
  readonly #first: Uint32Array;
  readonly #low: Uint32Array;
  /** How many each group holds. */
  readonly #lengths = new Uint32Array(GROUPS);
  readonly #parts: Part[] = [];
  #position = 0;

  constructor(handle: FileHandle, partRows: number, seed: number) {
    this.#handle = handle;
    this.#seed = seed;
    this.#room = groupRoom(partRows);
    this.#first = new Uint32Array(GROUPS * this.#room);
    this.#low = new Uint32Array(GROUPS * this.#room);
  }

  /** Takes as many ids from a position on as there is room for. @returns the position after the last */
  add({ low, high }: Ids, from: number): number {
    const [lengths, room, seed] = [this.#lengths, this.#room, this.#seed];
    for (let i = from; i < low.length; i += 1) {
      const first = mixed(high[i]!, low[i]!, seed);
      const group = Math.floor(first / GROUP_WIDTH);
      if (lengths[group] === room) return i;
      const at = group * room + lengths[group]!++;
      this.#first[at] = first;
      this.#low[at] = low[i]!;
    }
    return low.length;
  }

  /** Writes the collected ids as a part. */
  async flush(): Promise<void> {
    const rows = this.#lengths.reduce((sum, length) => sum + length, 0);
    if (rows === 0) return;
    const head = Buffer.allocUnsafeSlow(headBytes(rows));
    const ends = new Uint32Array(head.buffer, 0, BUCKETS).fill(0);
    const middles = new Uint16Array(head.buffer, BUCKETS * 4, rows);
    const lows = new Uint32Array(rows);
    for (let group = 0, base = 0; group < GROUPS; group += 1) {
      const [from, length] = [group * this.#room, this.#lengths[group]!];
      const bucket = group * GROUP_BUCKETS;
      this.#fill({ from, to: from + length, base }, ends.subarray(bucket, bucket + GROUP_BUCKETS), middles, lows);
      base += length;
    }
    this.#lengths.fill(0);
    const rest = Buffer.from(lows.buffer);
    const part: Part = { position: this.#position, rows, ends: 0, middles: 0, blocks: [] };
    part.ends = checksum(head.subarray(0, BUCKETS * 4));
    part.middles = checksum(head.subarray(BUCKETS * 4));
    for (let at = 0; at < rows; at += BLOCK_IDS)
      part.blocks.push(checksum(rest.subarray(at * 4, (at + BLOCK_IDS) * 4)));
    for (const bytes of [head, rest]) await writeAll(this.#handle, bytes);
    this.#parts.push(part);
    this.#position += head.length + rest.length;
  }

  /** Sorts a group. @param base positions of the groups before it */
  #fill(
    { from, to, base }: { from: number; to: number; base: number },
    ends: Uint32Array,
    middles: Uint16Array,
    lows: Uint32Array,
  ): void {
    const [firsts, low] = [this.#first, this.#low];
    for (let i = from; i < to; i += 1) ends[(firsts[i]! >>> 16) % GROUP_BUCKETS]! += 1;
    // For now where each bucket begins; each id moves it on by one.
    for (let bucket = 0, sum = base; bucket < GROUP_BUCKETS; bucket += 1) {
      const count = ends[bucket]!;
      ends[bucket] = sum;
      sum += count;
    }
    for (let i = from; i < to; i += 1) {
      const place = ends[(firsts[i]! >>> 16) % GROUP_BUCKETS]!++;
      middles[place] = firsts[i]!;
      lows[place] = low[i]!;
    }
  }

  async finish({ id, rows }: Pick<FileRow, 'id' | 'rows'>): Promise<void> {
    await this.flush();
    const written = this.#parts.reduce((sum, part) => sum + part.rows, 0);
    if (written !== rows) throw new Error(`${written} ids were read instead of ${rows}.`);
    const footer: Footer = {
      format: KIND.format,
      id,
      seed: this.#seed,
      table: this.#position,
      parts: this.#parts,
    };
    for (const bytes of indexEnd(KIND.magic, Buffer.alloc(0), footer)) await writeAll(this.#handle, bytes);
  }
}
