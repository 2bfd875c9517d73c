import { spawn } from 'node:child_process';
import { pipeline, Readable, type Duplex } from 'node:stream';
import { createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { codeOf } from '@docent/base/thrown';

/** A log cannot be read (further). The message is a sentence for whoever started the import, and names the source. */
export class LogSourceError extends Error {
  override readonly name = 'LogSourceError';
}

/** So many bytes tell what a file is. */
export const HEAD_BYTES = 6;

const CHUNK = 1024 * 1024;

/** Whether more bytes are needed to tell: a line of text that was sent alone is not to wait for the next one. */
export function mayBePacked(head: Buffer): boolean {
  return head.length === 0 || [0x1f, 0x28, 0x37, 0x42, 0x50, 0x78, 0xfd, 0xfe, 0xff].includes(head[0]!);
}

type Unpack = (packed: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

/**
 * What makes text of a file that begins so; null for plain text.
 * @param name the file's, for messages
 * @throws LogSourceError for archives that hold several files
 */
export function unpackerOf(head: Buffer, name: string): Unpack | null {
  const begins = (...bytes: number[]) => bytes.every((byte, i) => head[i] === byte);
  if (begins(0x1f, 0x8b)) return through(() => createGunzip({ chunkSize: CHUNK }));
  if (begins(0x28, 0xb5, 0x2f, 0xfd)) return through(() => createZstdDecompress({ chunkSize: CHUNK }));
  // RFC 1950, section 2.2: deflate, and a check of these two bytes.
  if (begins(0x78) && ((head[0]! << 8) | (head[1] ?? 0)) % 31 === 0)
    return through(() => createInflate({ chunkSize: CHUNK }));
  if (begins(0x42, 0x5a, 0x68)) return byProgram('bzip2', name);
  if (begins(0xfd, 0x37, 0x7a, 0x58, 0x5a)) return byProgram('xz', name);
  if (begins(0xff, 0xfe)) return decodedFrom('utf-16le');
  if (begins(0xfe, 0xff)) return decodedFrom('utf-16be');
  if (begins(0x50, 0x4b, 0x03, 0x04)) throw new LogSourceError(`${name} is a ZIP archive. Unpack it first.`);
  if (begins(0x37, 0x7a, 0xbc, 0xaf)) throw new LogSourceError(`${name} is a 7z archive. Unpack it first.`);
  return null;
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
    // A program that ends early breaks the pipe; its exit code says why.
    pipeline(Readable.from(packed), child.stdin, () => undefined);
    try {
      yield* child.stdout as AsyncIterable<Buffer>;
      const code = await ended;
      if (code !== 0)
        throw new LogSourceError(
          `${name} cannot be unpacked: ${said.trim().split('\n')[0] || `${program} ended with ${code}`}.`,
        );
    } catch (err) {
      if (codeOf(err) !== 'ENOENT') throw err;
      throw new LogSourceError(
        `${name} is packed with ${program}, which is not installed here. Install it, or unpack the file first.`,
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
