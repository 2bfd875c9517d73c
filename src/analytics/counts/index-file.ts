import { open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { faultPoint } from '../../platform/faults.ts';
import type { FileRow } from '../../store/analytics/manifest.ts';
import { newId } from '../../store/ids.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import { isMissing, publishFile } from '../storage/durable-files.ts';
import { indexOf } from '../storage/index-of.ts';
import { Expected } from '../../platform/errors.ts';

/*
 * The common format of all index files. They are built from a file and stored beside it, in no manifest or
 * backup; if one is missing, the file is read instead. An index ends with a table, a footer (JSON), and a
 * trailer of 16 bytes: length of the footer, CRC-32 of table and footer, and the kind of index. Numbers are
 * little-endian.
 */
const TRAILER_BYTES = 16;

export const checksum = (bytes: Uint8Array, before = 0): number => crc32(bytes, before);

export interface IndexKind {
  magic: bigint;
  /** Indexes of another format are made again. */
  format: number;
}

/** The fields of every footer. */
export interface IndexFooter {
  format: number;
  id: string;
  /** Offset of the table. */
  table: number;
}

/**
 * Writes a file's index atomically and durably. Idempotent.
 * @param write writes everything from the first byte to the trailer
 * @throws without leaving anything behind
 */
export async function writeIndexFile(
  folder: AnalyticsFolder,
  file: FileRow,
  write: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const temporary = path.join(folder.temporaryFolder, `${newId()}.index`);
  const letGo = await folder.hold([file]);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await write(handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    faultPoint('index-written');
    await publishFile(temporary, indexOf(folder.fileOf(file.path)));
  } catch (err) {
    await rm(temporary, { force: true });
    throw err;
  } finally {
    letGo();
  }
}

/** The footer and the trailer, which follow the table. */
export function indexEnd(magic: bigint, table: Uint8Array, footer: IndexFooter): [footer: Buffer, trailer: Buffer] {
  const text = Buffer.from(JSON.stringify(footer));
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(text.length, 0);
  trailer.writeUInt32LE(checksum(text, checksum(table)), 4);
  trailer.writeBigUInt64LE(magic, 8);
  return [text, trailer];
}

/** Opens the index of a file, or null if it has none. */
export async function openIndex(source: string): Promise<FileHandle | null> {
  try {
    const handle = await open(indexOf(source), 'r');
    const now = new Date();
    // Copies from a bucket are deleted by last use. An index is never fetched, and rebuilding it takes the
    // whole file.
    await handle.utimes(now, now).catch(() => {}); // It belongs to another user: then its age decides.
    return handle;
  } catch (err) {
    if (isMissing(err)) return null;
    throw err;
  }
}

/** @throws Expected `index_damaged` if it is not the index of this file */
export async function readIndexEnd<F extends IndexFooter>(
  handle: FileHandle,
  { magic, format }: IndexKind,
  source: string,
): Promise<{ footer: F; table: Buffer }> {
  const { size } = await handle.stat();
  if (size < TRAILER_BYTES) throw new Expected('index_damaged', 'An index is cut short.');
  const trailer = await bytesAt(handle, size - TRAILER_BYTES, TRAILER_BYTES);
  const length = trailer.readUInt32LE(0);
  const end = size - TRAILER_BYTES - length;
  if (trailer.readBigUInt64LE(8) !== magic || end < 0) throw new Expected('index_damaged', 'An index has no end.');
  let footer: F;
  try {
    footer = JSON.parse((await bytesAt(handle, end, length)).toString()) as F;
  } catch (cause) {
    throw new Expected('index_damaged', 'An index has a footer that cannot be read.', { cause });
  }
  if (!(footer.table >= 0 && footer.table <= end)) throw new Expected('index_damaged', 'An index has no table.');
  const rest = await bytesAt(handle, footer.table, size - TRAILER_BYTES - footer.table);
  const id = path.basename(source, '.parquet');
  const isWhole = checksum(rest) === trailer.readUInt32LE(4) && footer.format === format && footer.id === id;
  if (!isWhole) throw new Expected('index_damaged', 'An index has another footer than was written.');
  return { footer, table: rest.subarray(0, end - footer.table) };
}

/**
 * Reads this many bytes, into `into` if it is long enough.
 * @throws Expected `index_damaged` if there are fewer
 */
export async function bytesAt(
  handle: FileHandle,
  position: number,
  length: number,
  into?: Buffer<ArrayBuffer>,
): Promise<Buffer<ArrayBuffer>> {
  const buffer = into && into.length >= length ? into.subarray(0, length) : Buffer.allocUnsafe(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  if (bytesRead !== length) throw new Expected('index_damaged', 'An index is cut short.');
  return buffer;
}

/** Parts of one column, as one. */
export function joined(parts: readonly Uint32Array[]): Uint32Array<ArrayBuffer> {
  const all = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
