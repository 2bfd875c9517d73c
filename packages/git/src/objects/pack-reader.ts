import { readSync } from 'node:fs';
import { createInflate, inflateSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { objectId, type ObjectType } from '@docent/base/files/object-id';
import { applyDelta, deltaSizes } from './delta.ts';
import { codeOf } from '@docent/base/thrown';
import { GitError, isGitError } from '../git-error.ts';

declare module 'zlib' {
  /** With `info`, Node also gives the engine: it knows how much of the input was used. */
  function inflateSync(input: Buffer, options: ZlibOptions & { info: true }): { buffer: Buffer; engine: Inflate };
}

/** Limits for reading any pack. */
export interface PackLimits {
  objects: number;
  /** Larger objects, and deltas that create or need them, are skipped: they have no id in the result. */
  objectBytes: number;
  /** Bytes inflated and made from deltas in total. */
  totalBytes: number;
  /** Bytes of bases held in memory, at least 1. */
  cacheBytes: number;
}

export const DEFAULT_PACK_LIMITS: PackLimits = {
  objects: 1_000_000,
  objectBytes: 32 * 1024 * 1024,
  totalBytes: 8 * 1024 * 1024 * 1024,
  cacheBytes: 64 * 1024 * 1024,
};

/** A pack that is damaged or breaks a limit. */
const badPack = (what: string): GitError => new GitError('object_bad', `the repository's server sent a pack ${what}`);

export interface PackedObject {
  type: ObjectType;
  id: string;
  content: Buffer;
}

export interface PackSummary {
  objects: number;
  /** Objects that were too large to read, or depend on such a one. */
  passedOver: number;
  /** Deltas whose base is neither in the pack nor known to `findBase`. */
  baseless: number;
}

type Resolved = { type: ObjectType; content: Buffer } | 'passed-over' | 'baseless';

interface Entry {
  type: number;
  /** Declared size after inflating. */
  size: number;
  dataAt: number;
  baseOffset: number;
  baseId: string;
}

const TYPES: Record<number, ObjectType> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const OFS_DELTA = 6;
const REF_DELTA = 7;
const WINDOW = 1024 * 1024;
/** Git creates no longer chains: it caps pack.depth at this value. */
const MAX_CHAIN = 4_096;
const TRAILER = 20;
/** How often reading yields to the event loop, for progress and cancellation. */
const BREATH_MS = 40;

/**
 * Reads every object of a pack file, one after the other, with memory limited independently of the pack. The
 * caller checks the file's checksum.
 * @param fd an open file of `length` bytes
 * @param findBase objects outside the pack that a thin pack's deltas may depend on
 */
export async function readPack(
  fd: number,
  length: number,
  visit: (object: PackedObject) => void,
  options: {
    limits?: PackLimits;
    findBase?: ((id: string) => { type: ObjectType; content: Buffer } | null) | undefined;
    signal?: AbortSignal | undefined;
    onProgress?: ((done: number, total: number) => void) | undefined;
  } = {},
): Promise<PackSummary> {
  return new PackReader(fd, length, options.limits ?? DEFAULT_PACK_LIMITS, options.findBase ?? (() => null)).read(
    visit,
    options.signal,
    options.onProgress,
  );
}

class PackReader {
  readonly #fd: number;
  readonly #end: number;
  readonly #limits: PackLimits;
  readonly #findBase: (id: string) => { type: ObjectType; content: Buffer } | null;
  readonly #offsets = new Map<string, number>();
  /** Resolved objects by offset. */
  readonly #cache: LRUCache<number, { type: ObjectType; content: Buffer }>;
  #made = 0;
  #storage = new ArrayBuffer(WINDOW);
  #window: Buffer = Buffer.from(this.#storage, 0, 0);
  #windowAt = 0;

  constructor(
    fd: number,
    length: number,
    limits: PackLimits,
    findBase: (id: string) => { type: ObjectType; content: Buffer } | null,
  ) {
    this.#fd = fd;
    this.#end = length - TRAILER;
    this.#limits = limits;
    this.#cache = new LRUCache({ maxSize: limits.cacheBytes, sizeCalculation: ({ content }) => content.length || 1 });
    this.#findBase = findBase;
  }

  async read(
    visit: (object: PackedObject) => void,
    signal: AbortSignal | undefined,
    onProgress: ((done: number, total: number) => void) | undefined,
  ): Promise<PackSummary> {
    const header = this.#end >= 12 ? this.#bytes(0, 12) : Buffer.alloc(12);
    if (header.toString('latin1', 0, 4) !== 'PACK' || header.readUInt32BE(4) !== 2) throw badPack('that is not one');
    const objects = header.readUInt32BE(8);
    if (objects > this.#limits.objects)
      throw badPack(`of ${objects} objects; at most ${this.#limits.objects} are read`);

    const summary: PackSummary = { objects, passedOver: 0, baseless: 0 };
    let waiting: number[] = [];
    const settle = (offset: number, resolved: Resolved) => {
      if (resolved === 'passed-over') summary.passedOver++;
      else if (resolved === 'baseless') waiting.push(offset);
      else {
        const id = objectId(resolved.type, resolved.content);
        this.#offsets.set(id, offset);
        visit({ ...resolved, id });
      }
    };

    let breath = performance.now();
    let at = 12;
    for (let done = 0; done < objects; done++) {
      const entry = this.#entryAt(at);
      const { inflated, next } = await this.#inflate(entry);
      settle(at, inflated === null ? 'passed-over' : this.#resolve(at, entry, inflated));
      at = next;
      if (performance.now() - breath > BREATH_MS) {
        onProgress?.(done, objects);
        await new Promise((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
        breath = performance.now();
      }
    }
    if (at !== this.#end) throw badPack('with something behind its last object');

    // A base may come later in the pack. Each round resolves what became possible in the last one.
    for (let before = Infinity; waiting.length > 0 && waiting.length < before;) {
      before = waiting.length;
      const round = waiting;
      waiting = [];
      for (const offset of round) settle(offset, await this.#resolveAgain(offset));
      signal?.throwIfAborted();
    }
    summary.baseless = waiting.length;
    return summary;
  }

  /** Bases come from the cache, from earlier in the pack, or from outside. */
  #resolve(offset: number, entry: Entry, inflated: Buffer): Resolved {
    const chain: Buffer[] = [];
    let current: { entry: Entry; data: Buffer; offset: number } = { entry, data: inflated, offset };
    let base: { type: ObjectType; content: Buffer };
    for (;;) {
      const type = TYPES[current.entry.type];
      if (type) {
        base = { type, content: current.data };
        this.#cache.set(current.offset, base);
        break;
      }
      const sizes = deltaSizes(current.data);
      if (Math.max(sizes.base, sizes.result) > this.#limits.objectBytes) return 'passed-over';
      chain.push(current.data);
      if (chain.length > MAX_CHAIN) throw badPack('with a chain of deltas that is too long');
      const found = this.#baseOf(current.entry);
      if (found === 'passed-over' || found === 'baseless') return found;
      if ('content' in found) {
        base = found;
        break;
      }
      current = found;
    }
    for (const delta of chain.toReversed()) {
      base = { type: base.type, content: applyDelta(base.content, delta) };
      this.#spend(base.content.length);
    }
    if (chain.length > 0) this.#cache.set(offset, base);
    return base;
  }

  #baseOf(
    entry: Entry,
  ):
    | { type: ObjectType; content: Buffer }
    | { entry: Entry; data: Buffer; offset: number }
    | 'passed-over'
    | 'baseless' {
    let offset = entry.baseOffset;
    if (entry.type === REF_DELTA) {
      const known = this.#offsets.get(entry.baseId);
      if (known === undefined) return this.#findBase(entry.baseId) ?? 'baseless';
      offset = known;
    }
    const cached = this.#cache.get(offset);
    if (cached) return cached;
    const base = this.#entryAt(offset);
    if (base.size > this.#limits.objectBytes) return 'passed-over';
    return { entry: base, data: this.#inflateSmall(base).inflated, offset };
  }

  async #resolveAgain(offset: number): Promise<Resolved> {
    const entry = this.#entryAt(offset);
    const { inflated } = await this.#inflate(entry);
    return inflated === null ? 'passed-over' : this.#resolve(offset, entry, inflated);
  }

  #entryAt(offset: number): Entry {
    if (offset < 12 || offset >= this.#end) throw badPack('with an object outside of it');
    const bytes = this.#bytes(offset, 64);
    let at = 0;
    const next = () => {
      const byte = bytes[at++];
      if (byte === undefined) throw badPack('that is cut short');
      return byte;
    };
    let byte = next();
    const type = (byte >> 4) & 7;
    let size = byte & 15;
    for (let factor = 16; byte & 0x80; factor *= 128) {
      byte = next();
      size += (byte & 0x7f) * factor;
    }
    if (!Number.isSafeInteger(size)) throw badPack('with an object of impossible size');
    const entry: Entry = { type, size, dataAt: 0, baseOffset: 0, baseId: '' };
    if (type === OFS_DELTA) {
      byte = next();
      let distance = byte & 0x7f;
      while (byte & 0x80) {
        byte = next();
        distance = (distance + 1) * 128 + (byte & 0x7f);
      }
      if (distance <= 0 || distance > offset) throw badPack('with a delta that has no base');
      entry.baseOffset = offset - distance;
    } else if (type === REF_DELTA) {
      if (at + 20 > bytes.length) throw badPack('that is cut short');
      entry.baseId = bytes.toString('hex', at, at + 20);
      at += 20;
    } else if (!TYPES[type]) {
      throw badPack('with an object of an unknown kind');
    }
    entry.dataAt = offset + at;
    return entry;
  }

  async #inflate(entry: Entry): Promise<{ inflated: Buffer | null; next: number }> {
    if (entry.size <= this.#limits.objectBytes) return this.#inflateSmall(entry);
    return { inflated: null, next: entry.dataAt + (await this.#compressedLength(entry)) };
  }

  #inflateSmall(entry: Entry): { inflated: Buffer; next: number } {
    this.#spend(entry.size);
    let guess = entry.size + (entry.size >> 8) + 128;
    for (;;) {
      const input = this.#bytes(entry.dataAt, guess);
      try {
        const { buffer, engine } = inflateSync(input, {
          info: true,
          maxOutputLength: Math.max(entry.size, 1),
          chunkSize: Math.max(entry.size + 1, 64),
        });
        if (buffer.length !== entry.size) throw badPack('with an object of another size than it says');
        return { inflated: buffer, next: entry.dataAt + engine.bytesWritten };
      } catch (err) {
        const cutShort = codeOf(err) === 'Z_BUF_ERROR';
        // More input than the object should need: small deflate blocks, or damaged data.
        if (cutShort && input.length === guess) guess *= 4;
        else if (isGitError(err, 'object_bad')) throw err;
        else throw badPack('with an object that cannot be inflated');
      }
    }
  }

  /** How long a large object is in the pack. Inflates it piece by piece and keeps nothing. */
  async #compressedLength(entry: Entry): Promise<number> {
    this.#spend(entry.size);
    const inflate = createInflate({ chunkSize: 262_144 });
    let made = 0;
    let fed = entry.dataAt;
    const fail = (sentence: string) => inflate.destroy(badPack(sentence));
    const finished = new Promise<number>((resolve, reject) => {
      inflate.on('data', (chunk: Buffer) => {
        made += chunk.length;
        if (made > entry.size) fail('with an object of another size than it says');
      });
      inflate.on('end', () => resolve(inflate.bytesWritten));
      inflate.on('error', (err) =>
        reject(isGitError(err, 'object_bad') ? err : badPack('with an object that cannot be inflated')),
      );
    });
    finished.catch(() => {});
    const pump = () => {
      if (inflate.destroyed || inflate.readableEnded) return;
      const piece = Buffer.from(this.#bytes(fed, WINDOW));
      if (piece.length === 0) {
        // The stream ends with its last byte, but without more input it only reports this when it is ended.
        inflate.end();
        return;
      }
      fed += piece.length;
      inflate.write(piece, () => setImmediate(pump));
    };
    pump();
    const length = await finished;
    inflate.destroy();
    if (made !== entry.size) throw badPack('with an object of another size than it says');
    return length;
  }

  /** Up to `length` bytes of the pack from `offset`; fewer at its end. Valid until the next call. */
  #bytes(offset: number, length: number): Buffer {
    const wanted = Math.min(length, this.#end - offset);
    if (wanted <= 0) return Buffer.alloc(0);
    const from = offset - this.#windowAt;
    if (from >= 0 && from + wanted <= this.#window.length) return this.#window.subarray(from, from + wanted);
    const size = Math.min(Math.max(wanted, WINDOW), this.#end - offset);
    if (size > this.#storage.byteLength) this.#storage = new ArrayBuffer(size);
    // Inflated and delta results never alias the window: both copy.
    const window = Buffer.from(this.#storage, 0, size);
    let filled = 0;
    while (filled < size) {
      const read = readSync(this.#fd, window, filled, size - filled, offset + filled);
      if (read === 0) throw badPack('that is cut short');
      filled += read;
    }
    this.#window = window;
    this.#windowAt = offset;
    return window.subarray(0, wanted);
  }

  #spend(bytes: number): void {
    // The constant keeps a million tiny steps from being free.
    this.#made += bytes + 64;
    if (this.#made > this.#limits.totalBytes) {
      throw badPack(`that unpacks to more than ${Math.round(this.#limits.totalBytes / 1_048_576)} MB`);
    }
  }
}
