import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { codeOf, messageOf } from '@docent/base/thrown';
import type { BaseFile } from '@docent/base/files/base-tree';
import { GitError } from '../git-error.ts';

/**
 * The file of one commit: magic, contents (text blobs up to 1 MB and all trees, in any order), a JSON index,
 * and a footer with the position and the SHA-256 of the index. It gets its final name when it is complete,
 * and never changes.
 */
const MAGIC = Buffer.from('docent-snapshot1');
const FOOTER_BYTES = 8 + 8 + 32 + MAGIC.length;
const MAX_INDEX_BYTES = 256 * 1024 * 1024;
const BUFFER_BYTES = 1024 * 1024;

/** Columns of equal length, by path in code unit order. */
export interface SnapshotIndex {
  commit: string;
  /** The commit object, base64. */
  commitObject: string;
  rootTree: string;
  files: {
    paths: string[];
    /** Blob ids, one after the other. */
    ids: string;
    sizes: number[];
    /** Positions in {@link FILE_KINDS}. */
    kinds: number[];
    /** Position of the content in the file; -1 if it is not stored. */
    offsets: number[];
  };
  /** Every tree that the listed folders have, once. */
  trees: { ids: string; sizes: number[]; offsets: number[] };
}

export const FILE_KINDS: readonly BaseFile['kind'][] = [
  'text',
  'binary',
  'symlink',
  'submodule',
  'executable-text',
  'executable-binary',
];

export class SnapshotWriter {
  readonly #fd: number;
  #at: number;
  #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #buffered = 0;

  /** @param path must not exist yet */
  constructor(path: string) {
    this.#fd = openSync(path, 'wx', 0o600);
    this.#at = 0;
    this.append(MAGIC);
  }

  /** Adds content; answers its offset. */
  append(content: Uint8Array): number {
    const offset = this.#at;
    this.#at += content.length;
    if (this.#buffered + content.length > BUFFER_BYTES) this.#flush();
    if (content.length > BUFFER_BYTES) writeWhole(this.#fd, content);
    else {
      this.#buffer.set(content, this.#buffered);
      this.#buffered += content.length;
    }
    return offset;
  }

  /** Does not wait for the disk, which can take seconds: readers detect by hashes what a power cut left. */
  finish(index: SnapshotIndex): void {
    const json = Buffer.from(JSON.stringify(index));
    const footer = Buffer.alloc(FOOTER_BYTES);
    footer.writeBigUInt64LE(BigInt(this.append(json)), 0);
    footer.writeBigUInt64LE(BigInt(json.length), 8);
    createHash('sha256').update(json).digest().copy(footer, 16);
    MAGIC.copy(footer, 48);
    this.append(footer);
    this.#flush();
  }

  close(): void {
    closeSync(this.#fd);
  }

  #flush(): void {
    writeWhole(this.#fd, this.#buffer.subarray(0, this.#buffered));
    this.#buffered = 0;
  }
}

/** Reads a snapshot file, fast in order. Holds it open until closed. */
export class SnapshotReader {
  readonly path: string;
  readonly index: SnapshotIndex;
  readonly #footer: Buffer;
  #fd: number | null;
  #window: Buffer = Buffer.alloc(0);
  #windowAt = 0;

  /** Throws GitError `snapshot_unusable`. */
  constructor(path: string) {
    this.path = path;
    this.#fd = openOrThrow(path);
    try {
      this.#footer = readFooter(this.#fd, path);
      this.index = readIndex(this.#fd, this.#footer, path);
    } catch (err) {
      this.close();
      throw err;
    }
  }

  /** Bytes of the file. A closed file is opened again, if it still is the same. */
  read(offset: number, size: number): Buffer {
    const from = offset - this.#windowAt;
    if (from >= 0 && from + size <= this.#window.length) return this.#window.subarray(from, from + size);
    this.#reopen();
    const length = Math.max(size, 131_072);
    const window = Buffer.allocUnsafeSlow(length);
    const filled = readUpTo(this.#fd!, window, offset);
    if (filled < size) throw this.damaged('it is cut short');
    this.#window = window.subarray(0, filled);
    this.#windowAt = offset;
    return this.#window.subarray(0, size);
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
    this.#window = Buffer.alloc(0);
  }

  /** Removes the file, so that it is made again, and gives the error to throw. */
  damaged(why: string): GitError {
    this.close();
    removeDamaged(this.path);
    return new GitError('snapshot_unusable', `The snapshot ${this.path} is damaged: ${why}.`);
  }

  #reopen(): void {
    if (this.#fd !== null) return;
    const fd = openOrThrow(this.path);
    if (!readFooter(fd, this.path).equals(this.#footer)) {
      closeSync(fd);
      throw new GitError('snapshot_unusable', `The snapshot ${this.path} was recreated in the meantime.`);
    }
    this.#fd = fd;
  }
}

function openOrThrow(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (err) {
    throw new GitError('snapshot_unusable', `The snapshot ${path} cannot be opened: ${messageOf(err)}`, { cause: err });
  }
}

function readFooter(fd: number, path: string): Buffer {
  const { size } = fstatSync(fd);
  const footer = Buffer.alloc(FOOTER_BYTES);
  const whole =
    size >= MAGIC.length + FOOTER_BYTES &&
    readUpTo(fd, footer, size - FOOTER_BYTES) === FOOTER_BYTES &&
    footer.subarray(48).equals(MAGIC) &&
    Number(footer.readBigUInt64LE(0) + footer.readBigUInt64LE(8)) + FOOTER_BYTES === size;
  if (whole) return footer;
  removeDamaged(path);
  throw new GitError('snapshot_unusable', `The snapshot ${path} is damaged: its end is missing.`);
}

function readIndex(fd: number, footer: Buffer, path: string): SnapshotIndex {
  const length = Number(footer.readBigUInt64LE(8));
  const json = Buffer.allocUnsafeSlow(Math.min(length, MAX_INDEX_BYTES));
  const whole =
    readUpTo(fd, json, Number(footer.readBigUInt64LE(0))) === length &&
    createHash('sha256').update(json).digest().equals(footer.subarray(16, 48));
  if (whole) return JSON.parse(json.toString('utf8')) as SnapshotIndex;
  removeDamaged(path);
  throw new GitError('snapshot_unusable', `The snapshot ${path} is damaged: its index is not what was written.`);
}

/** Fills the buffer from the file; answers how many bytes there were. */
function readUpTo(fd: number, buffer: Buffer, position: number): number {
  let filled = 0;
  while (filled < buffer.length) {
    const read = readSync(fd, buffer, filled, buffer.length - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return filled;
}

function writeWhole(fd: number, content: Uint8Array): void {
  for (let written = 0; written < content.length;) written += writeSync(fd, content, written);
}

function removeDamaged(path: string): void {
  try {
    unlinkSync(path);
  } catch (err) {
    if (codeOf(err) !== 'ENOENT') throw err;
  }
}
