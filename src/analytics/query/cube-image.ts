import { createHash, type Hash } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { endianness } from 'node:os';
import path from 'node:path';
import { faultPoint } from '../../platform/faults.ts';
import type { FileRow } from '../../store/analytics/manifest.ts';
import { newId } from '../../store/ids.ts';
import { CUBE_KINDS } from '../events/kinds.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import { writeAll } from '../storage/durable-files.ts';
import { hasSum } from '../storage/file-sum.ts';
import { imageOf } from '../storage/index-of.ts';
import { CubeRows } from './cube-rows.ts';

/** The kept data of a cube file. */
export interface Imaged {
  pages: readonly string[];
  rows: CubeRows;
}

/**
 * The image of one cube file: its rows as they are in memory, so that the next process has them without
 * reading the file. It is built from the file and stored beside it, in no manifest or backup. If it is
 * missing or damaged, the file is read instead.
 *
 * It has a start of {@link START_BYTES}: {@link MAGIC}, and the length of the header; the header (JSON, see
 * {@link Header}); the arrays of {@link CubeRows} in this machine's byte order; and the SHA-256 of all that.
 */
interface Header {
  format: typeof FORMAT;
  /** The source file's id. */
  id: string;
  sha256: string;
  /** The order of bytes in a number. */
  order: 'BE' | 'LE';
  kinds: readonly string[];
  pages: readonly string[];
  /** For each array: its length, and the bytes of each number. */
  arrays: [length: number, width: number][];
}

/** Images of another format are made again. */
const FORMAT = 1;
const MAGIC = 0x3145_4742_5543_4f44n;
const START_BYTES = 16;
const SUM_BYTES = 32;
/** Bytes per read, write and hash step, so that other work gets its turn in between. */
const STEP_BYTES = 1 << 20;

type Numbers = Int16Array | Uint16Array | Int32Array | Uint32Array;

/**
 * Writes a file's image atomically; readers detect by its sum what a power cut left.
 * @param file on this disk; a damaged one gets no image
 * @returns whether there is one
 * @throws without leaving anything behind
 */
export async function writeImage(folder: AnalyticsFolder, file: FileRow, { pages, rows }: Imaged): Promise<boolean> {
  const source = folder.fileOf(file.path);
  // Data from a damaged file would outlast its repair.
  if (!(await hasSum(source, file))) return false;
  const temporary = path.join(folder.temporaryFolder, `${newId()}.image`);
  const arrays: Numbers[] = [rows.days, rows.runsOf, rows.prevs, rows.rowsOf, rows.slots, rows.counts];
  const header: Header = {
    ...boundTo(file),
    pages,
    arrays: arrays.map(({ length, BYTES_PER_ELEMENT }) => [length, BYTES_PER_ELEMENT]),
  };
  const text = Buffer.from(JSON.stringify(header));
  const start = Buffer.alloc(START_BYTES);
  start.writeBigUInt64LE(MAGIC, 0);
  start.writeUInt32LE(text.length, 8);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      const sum = createHash('sha256');
      for (const part of [start, text, ...arrays.map(bytesOf)]) await writeSummed(handle, part, sum);
      await writeAll(handle, sum.digest());
    } finally {
      await handle.close();
    }
    faultPoint('image-written');
    await rename(temporary, imageOf(source));
    return true;
  } catch (err) {
    await rm(temporary, { force: true });
    throw err;
  }
}

/** A file's image, or null without a whole one. Never throws: the file has the same rows. */
export async function readImage(folder: AnalyticsFolder, file: FileRow): Promise<Imaged | null> {
  try {
    const handle = await open(imageOf(folder.fileOf(file.path)), 'r');
    try {
      const now = new Date();
      // Beside copies from a bucket it goes by when it was used.
      await handle.utimes(now, now).catch(() => {}); // It belongs to another user: then its age decides.
      return await read(handle, file);
    } finally {
      await handle.close();
    }
  } catch {
    return null;
  }
}

async function read(handle: FileHandle, file: FileRow): Promise<Imaged> {
  const { size } = await handle.stat();
  const sum = createHash('sha256');
  const at = { position: 0 };
  const start = await fill(handle, Buffer.alloc(START_BYTES), at, sum);
  const length = start.readUInt32LE(8);
  if (start.readBigUInt64LE(0) !== MAGIC || length > size) throw new Error('This is no image of a cube.');
  const text = await fill(handle, Buffer.alloc(length), at, sum);
  const header = JSON.parse(text.toString()) as Header;
  const { pages, arrays, ...bound } = header;
  if (JSON.stringify(bound) !== JSON.stringify(boundTo(file)))
    throw new Error('An image is of another file or format.');
  const bytes = arrays.reduce((total, [count, width]) => total + count * width, 0);
  // Before room is made for them.
  if (at.position + bytes + SUM_BYTES !== size) throw new Error('An image is cut short, or too long.');
  const [days, runsOf, prevs, rowsOf, slots, counts] = arrays as Arrays;
  const runs = {
    days: new Int32Array(days[0]),
    runsOf: new Uint32Array(runsOf[0]),
    prevs: new Int32Array(prevs[0]),
    rowsOf: new Uint32Array(rowsOf[0]),
  };
  const slotOf = slots[1] === 2 ? new Uint16Array(slots[0]) : new Uint32Array(slots[0]);
  const countOf = counts[1] === 2 ? new Int16Array(counts[0]) : new Int32Array(counts[0]);
  for (const array of [runs.days, runs.runsOf, runs.prevs, runs.rowsOf, slotOf, countOf])
    await fill(handle, bytesOf(array), at, sum);
  const storedDigest = await fill(handle, Buffer.alloc(SUM_BYTES), at);
  if (!sum.digest().equals(storedDigest)) throw new Error('An image holds other bytes than were written.');
  return { pages, rows: new CubeRows(runs, slotOf, countOf) };
}

type Sized = Header['arrays'][number];
type Arrays = [days: Sized, runsOf: Sized, prevs: Sized, rowsOf: Sized, slots: Sized, counts: Sized];

/** The header fields that must match for an image to be used here. */
const boundTo = ({ id, sha256 }: FileRow): Omit<Header, 'pages' | 'arrays'> => ({
  format: FORMAT,
  id,
  sha256: sha256.toString('hex'),
  order: endianness(),
  kinds: CUBE_KINDS,
});

const bytesOf = ({ buffer, byteOffset, byteLength }: Numbers): Buffer => Buffer.from(buffer, byteOffset, byteLength);

async function writeSummed(handle: FileHandle, bytes: Buffer, sum: Hash): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const step = bytes.subarray(at, at + STEP_BYTES);
    sum.update(step);
    await writeAll(handle, step);
    at += step.length;
  }
}

async function fill(handle: FileHandle, bytes: Buffer, at: { position: number }, sum?: Hash): Promise<Buffer> {
  for (let filled = 0; filled < bytes.length;) {
    const step = bytes.subarray(filled, filled + STEP_BYTES);
    const { bytesRead } = await handle.read(step, 0, step.length, at.position);
    if (bytesRead === 0) throw new Error('An image is cut short.');
    sum?.update(step.subarray(0, bytesRead));
    filled += bytesRead;
    at.position += bytesRead;
  }
  return bytes;
}
