import { spawn } from 'node:child_process';
import { pipeline, Readable, type Duplex } from 'node:stream';
import { createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { codeOf } from '@docent/base/thrown';
import { Refused } from '../../../../platform/refused.ts';

const CHUNK = 1024 * 1024;

type Unpack = (packed: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

/**
 * File signatures, and how to unpack each.
 * @throws Refused for archives that hold several files
 */
const SIGNATURES: readonly { begins: readonly number[]; unpack: (name: string) => Unpack; isIt?: typeof isDeflate }[] =
  [
    { begins: [0x1f, 0x8b], unpack: () => through(() => createGunzip({ chunkSize: CHUNK })) },
    { begins: [0x28, 0xb5, 0x2f, 0xfd], unpack: () => through(() => createZstdDecompress({ chunkSize: CHUNK })) },
    { begins: [0x78], unpack: () => through(() => createInflate({ chunkSize: CHUNK })), isIt: isDeflate },
    { begins: [0x42, 0x5a, 0x68], unpack: (name) => byProgram('bzip2', name) },
    { begins: [0xfd, 0x37, 0x7a, 0x58, 0x5a], unpack: (name) => byProgram('xz', name) },
    { begins: [0xff, 0xfe], unpack: () => decodedFrom('utf-16le') },
    { begins: [0xfe, 0xff], unpack: () => decodedFrom('utf-16be') },
    { begins: [0x50, 0x4b, 0x03, 0x04], unpack: (name) => refused(name, 'ZIP') },
    { begins: [0x37, 0x7a, 0xbc, 0xaf], unpack: (name) => refused(name, '7z') },
  ];

/** Enough bytes to identify a file. */
const HEAD_BYTES = 1 + Math.max(...SIGNATURES.map(({ begins }) => begins.length));

/** Whether more bytes are needed: a single line of text should not wait for the next one. */
export function needsMoreToTell(head: Buffer): boolean {
  if (head.length >= HEAD_BYTES) return false;
  return head.length === 0 || SIGNATURES.some(({ begins }) => begins[0] === head[0]);
}

/**
 * The unpacker of a file with this beginning; null for plain text.
 * @param name the file's, for messages
 * @throws Refused for archives that hold several files
 */
export function unpackerOf(head: Buffer, name: string): Unpack | null {
  const found = SIGNATURES.find(
    ({ begins, isIt }) => begins.every((byte, i) => head[i] === byte) && (isIt === undefined || isIt(head)),
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

function decodedFrom(encoding: 'utf-16le' | 'utf-16be'): Unpack {
  return async function* (packed) {
    const decoder = new TextDecoder(encoding);
    for await (const chunk of packed) yield Buffer.from(decoder.decode(chunk, { stream: true }));
    yield Buffer.from(decoder.decode());
  };
}
