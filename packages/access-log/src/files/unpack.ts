import { spawn } from 'node:child_process';
import { pipeline, Readable, type Duplex } from 'node:stream';
import { createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { codeOf } from '@docent/base/thrown';
import { Refused } from '@docent/base/refused';

const CHUNK = 1024 * 1024;

type Unpack = (packed: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

/**
 * File signatures, and how to unpack each.
 * @throws Refused for archives that hold several files
 */
const SIGNATURES: readonly { begins: readonly number[]; unpack: (name: string) => Unpack; isIt?: typeof isDeflate }[] =
  [
    { begins: [0x1f, 0x8b], unpack: () => through(() => createGunzip({ chunkSize: CHUNK })) },
    { begins: [0x28, 0xb5, 0x2f, 0xfd], unpack: () => zstdFrames },
    // A frame to skip, as parallel zstd writes it: RFC 8878, section 3.1.2.
    {
      begins: [],
      unpack: () => zstdFrames,
      isIt: (head) => head[0]! >> 4 === 5 && head.readUIntLE(1, 3) === 0x18_4d_2a,
    },
    { begins: [0x78], unpack: () => through(() => createInflate({ chunkSize: CHUNK })), isIt: isDeflate },
    { begins: [0x42, 0x5a, 0x68], unpack: (name) => byProgram('bzip2', name) },
    { begins: [0xfd, 0x37, 0x7a, 0x58, 0x5a], unpack: (name) => byProgram('xz', name) },
    { begins: [0xef, 0xbb, 0xbf], unpack: () => withoutMark },
    { begins: [0xff, 0xfe], unpack: () => decodedFrom('utf-16le') },
    { begins: [0xfe, 0xff], unpack: () => decodedFrom('utf-16be') },
    {
      begins: [],
      unpack: () => decodedFrom('utf-16le'),
      isIt: (head) => head[0] !== 0 && head[1] === 0 && head[2] !== 0 && head[3] === 0,
    },
    { begins: [0x5b], unpack: () => (chunks) => jsonDocuments(chunks, true), isIt: isJsonList },
    { begins: [0x7b], unpack: () => (chunks) => jsonDocuments(chunks, true), isIt: isJsonList },
    { begins: [0x7b], unpack: () => (chunks) => jsonDocuments(chunks, false), isIt: isPrettyJson },
    { begins: [0x50, 0x4b, 0x03, 0x04], unpack: (name) => refused(name, 'ZIP') },
    { begins: [0x37, 0x7a, 0xbc, 0xaf], unpack: (name) => refused(name, '7z') },
    {
      begins: [],
      unpack: (name) => refused(name, 'tar'),
      isIt: (head) => head.toString('latin1', 257, 262) === 'ustar',
    },
  ];

/** Enough bytes to identify a file. */
const HEAD_BYTES = 1 + Math.max(...SIGNATURES.map(({ begins }) => begins.length));

/** More of them after the bracket of a list are not a list. */
const MOST_BLANKS = 256;

/** Whether more bytes are needed: a single line of text should not wait for the next one. */
export function needsMoreToTell(head: Buffer): boolean {
  if (head.length >= HEAD_BYTES)
    return head.length < MOST_BLANKS && /^[[{]\s*(?:"[a-z]{0,7}"?[\s:[]*)?$/.test(head.toString('latin1'));
  return head.length === 0 || SIGNATURES.some(({ begins }) => begins[0] === head[0]);
}

/**
 * The unpacker of a file with this beginning; null for plain text.
 * @param name the file's, for messages
 * @throws Refused for archives that hold several files
 */
export function unpackerOf(head: Buffer, name: string): Unpack | null {
  const found = SIGNATURES.find(
    ({ begins, isIt }) =>
      head.length >= 4 && begins.every((byte, i) => head[i] === byte) && (isIt === undefined || isIt(head)),
  );
  return found ? found.unpack(name) : null;
}

/** RFC 1950, section 2.2: deflate, and a check of these two bytes. */
function isDeflate(head: Buffer): boolean {
  return ((head[0]! << 8) | (head[1] ?? 0)) % 31 === 0;
}

function refused(name: string, kind: string): never {
  throw new Refused(`${name} is a ${kind} archive. Unpack it first.`);
}

function through(make: () => Duplex): Unpack {
  return (packed) => {
    const stream = make();
    // The error comes out of the iteration.
    pipeline(Readable.from(packed), stream, () => undefined);
    return stream as AsyncIterable<Buffer>;
  };
}

/**
 * `zstd` puts several frames into one file if it is appended to. Node's decompressor stops after the first
 * one.
 */
async function* zstdFrames(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const input = packed[Symbol.asyncIterator]();
  /** Chunks that the current frame got, without those that it used up. */
  let given: Buffer[] = [];
  for (let isOver = false; !isOver;) {
    const again = given;
    given = [];
    let used = 0;
    const stream = createZstdDecompress({ chunkSize: CHUNK });
    const give = async function* () {
      for (const chunk of again) {
        given.push(chunk);
        yield chunk;
      }
      for (;;) {
        const { value, done } = await input.next();
        if (done) {
          isOver = true;
          return;
        }
        while (given.length > 0 && used + given[0]!.length <= stream.bytesWritten) used += given.shift()!.length;
        given.push(value);
        yield value;
      }
    };
    pipeline(give, stream, () => undefined);
    yield* stream as AsyncIterable<Buffer>;
    const rest = Buffer.concat(given).subarray(stream.bytesWritten - used);
    given = rest.length > 0 ? [rest] : [];
    // The frame may have ended in the last chunk.
    if (given.length > 0) isOver = false;
  }
}

/** Node has no bzip2 and no xz: the system's programs unpack them. */
function byProgram(program: 'bzip2' | 'xz', name: string): Unpack {
  return async function* (packed) {
    const child = spawn(program, ['-dc'], { stdio: ['pipe', 'pipe', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said = (said + String(chunk)).slice(0, 500)));
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    ended.catch(() => undefined);
    // A program that ends early breaks the pipe; its exit code gives the reason.
    pipeline(Readable.from(packed), child.stdin, () => undefined);
    try {
      yield* child.stdout as AsyncIterable<Buffer>;
      const code = await ended;
      if (code !== 0)
        throw new Refused(
          `${name} cannot be decompressed: ${said.trim().split('\n')[0] || `${program} ended with ${code}`}.`,
        );
    } catch (err) {
      if (codeOf(err) !== 'ENOENT') throw err;
      throw new Refused(
        `${name} is compressed with ${program}, which is not installed. Install it, or decompress the file first.`,
        { cause: err },
      );
    } finally {
      child.kill();
    }
  };
}

/** UTF-8 has a mark in front where Windows wrote it. */
async function* withoutMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let mark = 3;
  for await (const chunk of chunks) {
    yield chunk.subarray(mark);
    mark = Math.max(0, mark - chunk.length);
  }
}

function decodedFrom(encoding: 'utf-16le' | 'utf-16be'): Unpack {
  return async function* (packed) {
    const decoder = new TextDecoder(encoding);
    for await (const chunk of packed) yield Buffer.from(decoder.decode(chunk, { stream: true }));
    yield Buffer.from(decoder.decode());
  };
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN = [0x7b, 0x5b];
const CLOSE = [0x7d, 0x5d];
/** A longer object is not a request. Its line is cut, and reported as too long. */
const LONGEST_OBJECT = 1024 * 1024;

/** `[{`, as exports of logs begin: not `[20/Nov/2026`. Azure wraps them in `records`, and CloudWatch in `events`. */
function isJsonList(head: Buffer): boolean {
  return /^(?:\{\s*"(?:records|events)"\s*:\s*)?\[\s*\{/.test(head.toString('latin1', 0, MOST_BLANKS));
}

/** An object in several lines. */
function isPrettyJson(head: Buffer): boolean {
  return /^\{[ \t]*\r?\n/.test(head.toString('latin1', 0, MOST_BLANKS));
}

/**
 * Each object of a list, or of several after another, as a line.
 * @param inList whether what comes before the first `[` is left out
 */
async function* jsonDocuments(chunks: AsyncIterable<Buffer>, inList: boolean): AsyncGenerator<Buffer> {
  let hasBegun = !inList;
  let depth = 0;
  let inText = false;
  let isEscaped = false;
  let length = 0;
  for await (const chunk of chunks) {
    const out = Buffer.alloc(chunk.length * 2);
    let at = 0;
    for (const byte of chunk) {
      if (!hasBegun) {
        hasBegun = byte === OPEN[1];
        continue;
      }
      if (inText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) inText = false;
      } else if (byte === QUOTE) inText = true;
      else if (OPEN.includes(byte)) depth += byte === 0x5b && depth === 0 ? 0 : 1;
      else if (CLOSE.includes(byte)) depth -= depth === 0 ? 0 : 1;
      // One that nothing opened ends what wraps the list.
      const isEnd = byte === 0x7d && depth === 0 && !inText && length > 0;
      if (depth === 0 && !isEnd) continue;
      length += 1;
      // Line breaks are spaces between the tokens.
      if (length <= LONGEST_OBJECT) out[at++] = byte === 10 || byte === 13 ? 32 : byte;
      if (!isEnd) continue;
      out[at++] = 10;
      length = 0;
    }
    yield out.subarray(0, at);
  }
}
