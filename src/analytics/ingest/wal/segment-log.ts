import { mkdirSync } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { faultPoint } from '../../../platform/faults.ts';
import { syncFolder } from '../../storage/durable-files.ts';
import { encodeFrame } from './frame.ts';

interface Waiting {
  payload: Buffer;
  resolve: (no: number) => void;
  reject: (err: unknown) => void;
}

interface Segment {
  no: number;
  file: string;
  handle: FileHandle;
  /** Bytes that hold whole frames. */
  size: number;
  frames: number;
  openedAt: number;
}

export interface ClosedSegment {
  no: number;
  file: string;
}

/**
 * Appends to a row of segment files. All that waits is written and synced together; `append` resolves when
 * its payload is on disk. A write that fails is cut off again, so that a complete frame never follows a torn
 * one.
 */
export class SegmentLog {
  readonly #folder: string;
  readonly #fileOf: (no: number) => string;
  readonly #maxBytes: number;
  readonly #requireWritten: (file: string) => Promise<void>;
  readonly #onClosed: (segment: ClosedSegment) => void;
  #nextNo: number;
  #segment: Segment | null = null;
  #waiting: Waiting[] = [];
  #isRunning = false;
  #rotate: (() => void)[] = [];

  constructor(options: {
    folder: string;
    fileOf: (no: number) => string;
    firstNo: number;
    /** A segment that has grown beyond this is closed. */
    maxBytes: number;
    /** Throws if a new segment's file is not in the folder, as with an unmounted disk, before writing. */
    requireWritten?: (file: string) => Promise<void>;
    onClosed: (segment: ClosedSegment) => void;
  }) {
    this.#folder = options.folder;
    this.#fileOf = options.fileOf;
    this.#nextNo = options.firstNo;
    this.#maxBytes = options.maxBytes;
    this.#requireWritten = options.requireWritten ?? (async () => {});
    this.#onClosed = options.onClosed;
  }

  /**
   * @returns the number of its segment
   * @throws errors of the file system; nothing of the payload is kept then
   */
  append(payload: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ payload, resolve, reject });
      this.#run();
    });
  }

  /** Closes the segment that is written to, if it holds anything; it goes to `onClosed`. */
  rotate(): Promise<void> {
    return new Promise((resolve) => {
      this.#rotate.push(resolve);
      this.#run();
    });
  }

  /** Bytes that are waiting to be written. */
  get backlog(): number {
    return this.#waiting.reduce((sum, { payload }) => sum + payload.length, 0);
  }

  /** When the segment that is written to got its first frame, or null: `performance.now()` milliseconds. */
  get openedAt(): number | null {
    return this.#segment?.openedAt ?? null;
  }

  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#work();
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0 || this.#rotate.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      if (batch.length > 0) await this.#write(batch);
      const rotations = this.#rotate;
      this.#rotate = [];
      if (rotations.length > 0 || (this.#segment?.size ?? 0) > this.#maxBytes) await this.#close();
      for (const done of rotations) done();
    }
    // In the same synchronous step as the last check of the queues: the next append starts it again.
    this.#isRunning = false;
  }

  async #write(batch: Waiting[]): Promise<void> {
    let no: number;
    try {
      const segment = (this.#segment ??= await this.#open());
      no = segment.no;
      const frames = batch.map(({ payload }, i) => encodeFrame(segment.frames + i, payload));
      const bytes = frames.reduce((sum, frame) => sum + frame.length, 0);
      let written = 0;
      for (const buffer of bytes < 4_000_000 ? [Buffer.concat(frames)] : frames) {
        for (let at = 0; at < buffer.length;) {
          const { bytesWritten } = await segment.handle.write(buffer, at, buffer.length - at, segment.size + written);
          at += bytesWritten;
          written += bytesWritten;
        }
      }
      faultPoint('wal-appended');
      await segment.handle.datasync();
      segment.size += bytes;
      segment.frames += frames.length;
      faultPoint('wal-synced');
    } catch (err) {
      await this.#cutOff();
      for (const { reject } of batch) reject(err);
      return;
    }
    for (const { resolve } of batch) resolve(no);
  }

  async #open(): Promise<Segment> {
    const no = this.#nextNo;
    const file = this.#fileOf(no);
    const handle = await this.#create(file);
    // Taken: a name is never used twice, not even if the next line fails.
    this.#nextNo += 1;
    try {
      await syncFolder(this.#folder);
      await syncFolder(path.dirname(this.#folder));
    } catch (err) {
      await handle.close();
      this.#onClosed({ no, file });
      throw err;
    }
    return { no, file, handle, size: 0, frames: 0, openedAt: performance.now() };
  }

  async #create(file: string): Promise<FileHandle> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const handle = await open(file, 'wx', 0o600);
    try {
      await this.#requireWritten(file);
    } catch (err) {
      await handle.close();
      // It is empty, and nothing refers to it.
      await rm(file, { force: true });
      throw err;
    }
    return handle;
  }

  /** After a failed write. If even truncating fails, the segment ends here. */
  async #cutOff(): Promise<void> {
    const segment = this.#segment;
    if (!segment) return;
    try {
      await segment.handle.truncate(segment.size);
      await segment.handle.datasync();
    } catch {
      await this.#close();
    }
  }

  async #close(): Promise<void> {
    const segment = this.#segment;
    this.#segment = null;
    if (!segment) return;
    await segment.handle.close().catch(() => {}); // It is synced; the process that seals it opens it again.
    this.#onClosed({ no: segment.no, file: segment.file });
  }
}
