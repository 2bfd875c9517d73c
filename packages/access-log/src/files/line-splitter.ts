import { MAX_LINE_BYTES } from '../lines/line-reader.ts';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** Replaces a line that was too long to keep, so that its reader finds it too long as well. */
const LONG_LINE = Buffer.alloc(MAX_LINE_BYTES + 1, 46);

/** Called for each line that is not blank; `end` is exclusive and leaves the line break out. */
export type LineVisitor = (buffer: Buffer, start: number, end: number, lineNumber: number) => void;

/** Whole lines of one log. Read them before you request the next block, and once. */
export interface LogBlock {
  /** The file's path, or `-`. */
  readonly source: string;
  /** Identifies the log across all of its blocks, even if a rotated file continues in another one. */
  readonly log: object;
  /** Bytes of the source read so far; for a packed one, packed bytes. */
  readonly bytesRead: number;
  /** How many bytes the source has, if that is known. */
  readonly bytesTotal: number | null;
  forEachLine(visit: LineVisitor): void;
}

/** Cuts chunks into whole lines and numbers them. Holds at most one line of {@link MAX_LINE_BYTES}. */
export class LineSplitter {
  #carry: Buffer[] = [];
  #carried = 0;
  #dropping = false;
  #lineNumber = 0;

  /** The whole lines that a chunk completes, as pieces for {@link visit} in order. */
  push(chunk: Buffer): Buffer[] {
    const pieces: Buffer[] = [];
    const first = chunk.indexOf(LINE_FEED);
    if (first < 0) {
      this.#keep(chunk);
      return pieces;
    }
    let from = 0;
    if (this.#dropping || this.#carried > 0) {
      pieces.push(this.#finish(chunk.subarray(0, first + 1)));
      from = first + 1;
    }
    const last = chunk.lastIndexOf(LINE_FEED) + 1;
    if (last > from) pieces.push(chunk.subarray(from, last));
    if (last < chunk.length) this.#keep(chunk.subarray(last));
    return pieces;
  }

  /** The last line, if no line break ends it. */
  flush(): Buffer[] {
    return this.#dropping || this.#carried > 0 ? [this.#finish(Buffer.alloc(0))] : [];
  }

  /** Forgets a line that was begun and will never be ended. */
  forget(): void {
    this.#carry = [];
    this.#carried = 0;
    this.#dropping = false;
  }

  visit(piece: Buffer, visit: LineVisitor): void {
    for (let start = 0; start < piece.length;) {
      const feed = piece.indexOf(LINE_FEED, start);
      const next = feed < 0 ? piece.length : feed + 1;
      let end = feed < 0 ? piece.length : feed;
      if (end > start && piece[end - 1] === CARRIAGE_RETURN) end -= 1;
      // After a log is emptied, a writer that keeps its position leaves NULs before its next line.
      while (start < end && piece[start] === 0) start += 1;
      this.#lineNumber += 1;
      if (end > start) visit(piece, start, end, this.#lineNumber);
      start = next;
    }
  }

  #keep(chunk: Buffer): void {
    if (this.#dropping) return;
    let from = 0;
    while (this.#carried === 0 && from < chunk.length && chunk[from] === 0) from += 1;
    const part = from === 0 ? chunk : chunk.subarray(from);
    if (part.length === 0) return;
    if (this.#carried + part.length > MAX_LINE_BYTES) {
      this.forget();
      this.#dropping = true;
      return;
    }
    // A copy: a view would keep the whole chunk alive.
    this.#carry.push(Buffer.from(part));
    this.#carried += part.length;
  }

  #finish(part: Buffer): Buffer {
    const line = this.#dropping || this.#carried + part.length > MAX_LINE_BYTES ? LONG_LINE : null;
    const whole = line ?? Buffer.concat([...this.#carry, part]);
    this.forget();
    return whole;
  }
}
