import type { FileHandle } from 'node:fs/promises';
import { bytesAt, checksum, openIndex, readIndexEnd } from '../index-file.ts';
import { ENTRY_BYTES, KIND, type Footer, type Section } from './format.ts';
import { Expected } from '../../../platform/errors.ts';

/** Visitors on pages, by visitor and then by page: columns of one length. */
export interface Wanted {
  high: Uint32Array;
  low: Uint32Array;
  /** A place in `paths`. */
  page: Uint32Array;
  /** In byte order. */
  paths: readonly string[];
  /** The range in which all days are wanted; outside of it, the nearest ones. */
  first: Int32Array;
  last: Int32Array;
}

/** Receives the results. */
export interface Finder {
  /** The number of a kind, of this file or another. */
  numberOf(kind: Footer['kinds'][number]): number;
  /** @param place position in {@link Wanted} */
  take(place: number, kind: number, day: number): void;
}

/** Blocks this close to each other are read together. */
const GAP_BYTES = 32_768;
const READ_BYTES = 1 << 18;
/** The most parallel reads. */
const READS = 8;
/** Buffers of the last read, for the next: each merge reads several files. */
const spare: Buffer<ArrayBuffer>[][] = [];
/** With more visitors and pages than this, or fewer rows for each, reading the whole file costs less. */
const FEW = 20_000;
const WORTH_ROWS = 10;

/**
 * Finds days of visitors on pages in a file's index: for each kind, the nearest before the first, all
 * between, and the nearest after the last.
 * @param chains how many visitors on pages are wanted
 * @param floor earlier days are ignored
 * @returns false without an index, or if reading the file is faster
 * @throws Expected `index_damaged`; some may have been found
 */
export async function findInIndex(
  presence: string,
  { chains, read }: { chains: number; read: () => Promise<Wanted> },
  floor: number,
  finder: Finder,
): Promise<boolean> {
  const handle = await openIndex(presence);
  if (!handle) return false;
  try {
    const { footer, table } = await readIndexEnd<Footer>(handle, KIND, presence);
    if (chains > FEW && footer.rows < chains * WORTH_ROWS) return false;
    const wanted = await read();
    const buffers = spare.pop() ?? Array.from({ length: READS }, () => Buffer.allocUnsafeSlow(READ_BYTES));
    const find = new BlockFinder(footer, wanted, floor, finder, buffers);
    for (const section of [footer.site, footer.pages]) {
      await find.run(handle, table.subarray(section.first * ENTRY_BYTES), section);
    }
    if (spare.length === 0) spare.push(buffers);
    return true;
  } finally {
    await handle.close();
  }
}

/** Positions of the index's pages among the wanted ones, or -1. Both have the same order. */
function placesOf(paths: readonly string[], wanted: readonly string[]): Int32Array {
  const places = new Map(wanted.map((name, place) => [name, place]));
  return Int32Array.from(paths, (name) => places.get(name) ?? -1);
}

/** The location of a block, and its wanted chains: the positions [from, to). */
interface Block {
  position: number;
  length: number;
  crc: number;
  /** High half of its first visitor. */
  high: number;
  from: number;
  to: number;
}

/** Blocks that are read together. */
interface Part {
  position: number;
  length: number;
  blocks: Block[];
}

class BlockFinder {
  readonly #wanted: Wanted;
  readonly #firstDay: number;
  readonly #floor: number;
  /** Positions of the index's pages among the wanted ones, and of its kinds for the receiver. */
  readonly #places: Int32Array;
  readonly #kinds: Int32Array;
  readonly #take: Finder['take'];
  readonly #buffers: readonly Buffer<ArrayBuffer>[];
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;

  constructor(footer: Footer, wanted: Wanted, floor: number, finder: Finder, buffers: readonly Buffer<ArrayBuffer>[]) {
    this.#wanted = wanted;
    this.#buffers = buffers;
    this.#firstDay = footer.firstDay;
    this.#floor = floor - footer.firstDay;
    this.#places = placesOf(footer.paths, wanted.paths);
    this.#kinds = Int32Array.from(footer.kinds, (kind) => finder.numberOf(kind));
    this.#take = finder.take.bind(finder);
  }

  async run(handle: FileHandle, table: Buffer, { blocks }: Section): Promise<void> {
    const parts = this.#parts(table, blocks);
    for (let i = 0; i < parts.length; i += READS) {
      const some = parts.slice(i, i + READS);
      const read = await Promise.all(
        some.map(({ position, length }, no) => bytesAt(handle, position, length, this.#buffers[no])),
      );
      for (const [no, part] of some.entries()) {
        for (const block of part.blocks) {
          const bytes = read[no]!.subarray(block.position - part.position).subarray(0, block.length);
          if (checksum(bytes) !== block.crc)
            throw new Expected('index_damaged', 'A block of an index has other bytes than were written.');
          this.#search(bytes, block);
        }
      }
    }
  }

  #parts(table: Buffer, blocks: number): Part[] {
    const { high, low } = this.#wanted;
    const entries = new DataView(table.buffer, table.byteOffset, table.byteLength);
    const u32 = (block: number, at: number) => entries.getUint32(block * ENTRY_BYTES + at, true);
    /** Whether a block begins after a visitor. */
    const isBehind = (block: number, place: number) => {
      const first = u32(block, 0);
      return first > high[place]! || (first === high[place] && u32(block, 4) > low[place]!);
    };
    const parts: Part[] = [];
    let block = 0;
    for (let from = 0; from < high.length;) {
      let to = from + 1;
      while (to < high.length && high[to] === high[from] && low[to] === low[from]) to += 1;
      // The last block that does not begin after the visitor. Doubles its steps, then halves them.
      let step = 1;
      while (block + step < blocks && !isBehind(block + step, from)) {
        block += step;
        step *= 2;
      }
      for (; step >= 1; step = Math.floor(step / 2)) {
        if (block + step < blocks && !isBehind(block + step, from)) block += step;
      }
      if (block < blocks && !isBehind(block, from)) {
        const position = u32(block, 8) + u32(block, 12) * 2 ** 32;
        const length = u32(block, 16);
        let part = parts.at(-1);
        const before = part?.blocks.at(-1);
        if (before?.position === position) before.to = to;
        else {
          if (
            !part ||
            position - part.position - part.length > GAP_BYTES ||
            position + length - part.position > READ_BYTES
          )
            parts.push((part = { position, length, blocks: [] }));
          part.length = position + length - part.position;
          part.blocks.push({ position, length, crc: u32(block, 20), high: u32(block, 0), from, to });
        }
      }
      from = to;
    }
    return parts;
  }

  /** Searches a block for its wanted chains, which are in the same order. */
  #search(bytes: Buffer, { from, to, high: first }: Block): void {
    const { high, low } = this.#wanted;
    this.#bytes = bytes;
    this.#at = 0;
    let h = first;
    for (let place = from; place < to && this.#at < bytes.length;) {
      h += this.#varint();
      const l = bytes.readUInt32LE(this.#at);
      this.#at += 4;
      const length = this.#varint();
      const end = this.#at + length;
      while (place < to && (high[place]! < h || (high[place] === h && low[place]! < l))) place += 1;
      if (place < to && high[place] === h && low[place] === l) {
        let last = place + 1;
        while (last < to && high[last] === h && low[last] === l) last += 1;
        this.#visitor(end, place, last);
        place = last;
      }
      this.#at = end;
    }
  }

  #visitor(end: number, from: number, to: number): void {
    const { page: pages } = this.#wanted;
    let place = from;
    let page = 0;
    const oneKind = this.#varint() - 1;
    while (this.#at < end && place < to) {
      const head = this.#varint();
      page += head >>> 1;
      const found = this.#places[page] ?? -1;
      while (place < to && pages[place]! < found) place += 1;
      const isWanted = place < to && pages[place] === found;
      const kind = this.#kinds[oneKind >= 0 ? oneKind : this.#varint()];
      if (kind === undefined) throw new Expected('index_damaged', 'An index names a kind that it does not have.');
      const days = head & 1 ? this.#varint() : 1;
      if (isWanted) this.#days(place, kind, days);
      else for (let rest = days; rest > 0; rest -= 1) this.#varint();
    }
  }

  #days(place: number, kind: number, days: number): void {
    const firstDay = this.#firstDay;
    const [first, last] = [this.#wanted.first[place]! - firstDay, this.#wanted.last[place]! - firstDay];
    let day = 0;
    let before = -1;
    let isBehind = false;
    for (let rest = days; rest > 0; rest -= 1) {
      day += this.#varint();
      if (day < this.#floor) continue;
      if (day < first) before = day;
      else if (day <= last) this.#take(place, kind, day + firstDay);
      else if (!isBehind) {
        this.#take(place, kind, day + firstDay);
        isBehind = true;
      }
    }
    if (before >= 0) this.#take(place, kind, before + firstDay);
  }

  #varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
    throw new Expected('index_damaged', 'An index has a number without an end.');
  }
}
