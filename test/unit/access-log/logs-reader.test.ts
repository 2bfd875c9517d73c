import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { appendFile, copyFile, mkdir, mkdtemp, open, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LineIdentity } from '@docent/access-log/lines/line-identity';
import { MAX_LINE_BYTES, readLogLine } from '@docent/access-log/lines/line-reader';
import { LineSplitter } from '@docent/access-log/files/line-splitter';
import {
  findLogSources,
  followLogs,
  readLogSource,
  type LogBlock,
  type ReadLogOptions,
} from '@docent/access-log/files/read-log';
import { Refused } from '@docent/base/refused';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-logs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let files = 0;
async function fileWith(content: string | Buffer, name = `log-${(files += 1)}`): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

function linesOf(block: LogBlock): string[] {
  const lines: string[] = [];
  block.forEachLine((buffer, start, end, number) => lines.push(`${number}:${buffer.toString('utf8', start, end)}`));
  return lines;
}

async function readAll(source: string, options?: ReadLogOptions): Promise<string[]> {
  const lines: string[] = [];
  for await (const block of readLogSource(source, options)) lines.push(...linesOf(block));
  return lines;
}

describe('reading a log', () => {
  test('lines with their numbers; blank ones count, a missing last line break does not matter', async () => {
    expect(await readAll(await fileWith('a\r\n\nb\nc'))).toEqual(['1:a', '3:b', '4:c']);
    expect(await readAll(await fileWith(''))).toEqual([]);
  });

  test('gzip, even with several members, and also from standard input, byte by byte', async () => {
    const packed = Buffer.concat([gzipSync('a\nb'), gzipSync('c\nd\n')]);
    expect(await readAll(await fileWith(packed, 'access.log.1.gz'))).toEqual(['1:a', '2:bc', '3:d']);
    expect(await readAll(await fileWith(packed, 'no-suffix'))).toEqual(['1:a', '2:bc', '3:d']);
    const stdin = Readable.from([...packed].map((byte) => Buffer.from([byte])));
    expect(await readAll('-', { stdin })).toEqual(['1:a', '2:bc', '3:d']);
    expect(await readAll('-', { stdin: Readable.from(['a\n', 'b']) })).toEqual(['1:a', '2:b']);
  });

  test('keeps the lines before damaged data', async () => {
    const text = Array.from({ length: 60_000 }, (_, n) => `line ${n} ${(n * 7_919) % 10_007}\n`).join('');
    const packed = gzipSync(text);
    const path = await fileWith(packed.subarray(0, packed.length - 1_000), 'cut.gz');
    const lines: string[] = [];
    const reading = (async () => {
      for await (const block of readLogSource(path)) lines.push(...linesOf(block));
    })();
    await expect(reading).rejects.toThrow(Refused);
    expect(lines.length).toBeGreaterThan(30_000);
    expect(lines.at(-1)).toMatch(/^\d+:line \d+ \d+$/);
  });

  test('a gzip bomb stops, in bounded memory', async () => {
    const path = await fileWith(gzipSync(Buffer.alloc(32 * 1024 * 1024)), 'bomb.gz');
    const before = process.memoryUsage().rss;
    let lines = 0;
    const reading = (async () => {
      for await (const block of readLogSource(path, { bombFloor: 8 * 1024 * 1024 }))
        block.forEachLine(() => (lines += 1));
    })();
    await expect(reading).rejects.toThrow(/decompresses to more than 500 times its size/);
    expect(lines).toBe(0);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  test('skips and reports a line that is too long, and reads the next one', async () => {
    const path = await fileWith(
      `a\n${'x'.repeat(3_000_000)}\nb\n${'y'.repeat(MAX_LINE_BYTES + 1)}\n{}\n${'z'.repeat(200_000)}`,
    );
    const found: unknown[] = [];
    for await (const block of readLogSource(path)) {
      block.forEachLine((buffer, start, end, number) => found.push([number, readLogLine(buffer, start, end)]));
    }
    expect(found).toEqual([
      [1, 'not_a_log_line'],
      [2, 'too_long'],
      [3, 'not_a_log_line'],
      [4, 'too_long'],
      [5, 'not_a_request'],
      [6, 'too_long'],
    ]);
  });

  test('says how far it is', async () => {
    const path = await fileWith('a line of text\n'.repeat(300_000));
    const progress: number[] = [];
    for await (const block of readLogSource(path)) {
      expect(block.bytesTotal).toBe(4_500_000);
      progress.push(block.bytesRead);
    }
    expect(progress.length).toBeGreaterThan(2);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toBe(4_500_000);
  });

  test('however the bytes are cut into chunks, the lines are the same', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r\n', ' ') }),
        fc.array(fc.nat(5)),
        (text, cuts) => {
          const bytes = Buffer.from(text);
          const splitter = new LineSplitter();
          const lines: string[] = [];
          const take = (pieces: Buffer[]) => {
            for (const piece of pieces)
              splitter.visit(piece, (buffer, start, end) => lines.push(buffer.toString('utf8', start, end)));
          };
          let at = 0;
          for (const cut of cuts) take(splitter.push(bytes.subarray(at, (at = Math.min(bytes.length, at + cut)))));
          take(splitter.push(bytes.subarray(at)));
          take(splitter.flush());
          expect(lines).toEqual(text.split(/\r?\n/).filter((line) => line !== ''));
        },
      ),
    );
  });
});

test.each([
  ['zstd', (text: string) => zstdCompressSync(text)],
  ['zstd in several frames', (text: string) => Buffer.concat([...text].map((sign) => zstdCompressSync(sign)))],
  [
    'zstd behind a frame to skip',
    (text: string) => Buffer.concat([Buffer.from('502a4d180400000061626364', 'hex'), zstdCompressSync(text)]),
  ],
  ['zlib', (text: string) => deflateSync(text)],
  ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16 without its mark', (text: string) => Buffer.from(text, 'utf16le')],
  ['UTF-8 with a mark', (text: string) => Buffer.from(`\ufeff${text}`)],
  ['gzip of UTF-8 with a mark', (text: string) => gzipSync(`\ufeff${text}`)],
  ['NULs in front of a line', (text: string) => Buffer.concat([Buffer.alloc(70_000), Buffer.from(text)])],
] as const)('%s is read as text', async (_, pack) => {
  const lines = await readAll(await fileWith(pack('one\ntwo\n')));
  expect(lines).toEqual(['1:one', '2:two']);
});

test.each([
  ['in one line', (objects: object[]) => JSON.stringify(objects)],
  ['on several lines', (objects: object[]) => JSON.stringify(objects, null, 2)],
  ['each on a line', (objects: object[]) => `[\n${objects.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`],
  ['in what Azure wraps around them', (records: object[]) => JSON.stringify({ records })],
  ['in what Azure wraps around them, on several lines', (records: object[]) => JSON.stringify({ records }, null, 2)],
  ['as CloudWatch gives them', (events: object[]) => JSON.stringify({ events, searchedLogStreams: [] }, null, 4)],
  ['one after another', (objects: object[]) => objects.map((each) => JSON.stringify(each, null, 1)).join('\n')],
])('the objects of JSON %s are lines', async (_, text) => {
  const objects = [{ a: 'x"}],{[\\' }, { a: [{ b: [] }], c: 'é\n' }, {}].map((each, i) => ({ i, ...each }));
  const bytes = Buffer.from(text(objects));
  const stdin = () => Readable.from([...bytes].map((byte) => Buffer.from([byte])));
  const forms = [
    await fileWith(bytes),
    await fileWith(gzipSync(bytes)),
    await fileWith(zstdCompressSync(`\ufeff${text(objects)}`)),
  ];
  for (const lines of [
    ...(await Promise.all(forms.map((path) => readAll(path)))),
    await readAll('-', { stdin: stdin() }),
  ]) {
    expect(lines.map((line) => JSON.parse(line.replace(/^\d+:/, '')) as unknown)).toEqual(objects);
  }
});

test('zstd that was cut off is reported after its lines', async () => {
  const packed = Buffer.concat([zstdCompressSync('one\n'), zstdCompressSync('two\n').subarray(0, -3)]);
  await expect(readAll(await fileWith(packed))).rejects.toThrow(/cannot be read/);
});

test('an archive of several files is refused', async () => {
  const path = await fileWith(Buffer.from('PK\x03\x04rest of it', 'latin1'));
  await expect(readAll(path)).rejects.toThrow(/is a ZIP archive\. Unpack it first\./);
  // Its first line would be lost behind the name of its file.
  const tar = Buffer.from(`${'access.log'.padEnd(257, '\0')}ustar  ${'\0'.repeat(248)}one\ntwo\n`, 'latin1');
  await expect(readAll(await fileWith(gzipSync(tar)))).rejects.toThrow(/is a tar archive\. Unpack it first\./);
});

describe('which files are meant', () => {
  test('rotations from the oldest one, each file once, names with brackets as they are', async () => {
    const dir = join(folder, 'sources');
    await mkdir(dir);
    for (const name of [
      'access.log',
      'access.log.1',
      'access.log.2.gz',
      'access.log.10.gz',
      'odd[1].log',
      'other.txt',
    ]) {
      await writeFile(join(dir, name), '');
    }
    const found = await findLogSources([
      join(dir, 'access.log.1'),
      join(dir, 'access.log*'),
      '-',
      join(dir, 'odd[1].log'),
    ]);
    expect(found.map((path) => path.replace(`${dir}/`, ''))).toEqual([
      'access.log.10.gz',
      'access.log.2.gz',
      'access.log.1',
      'access.log',
      '-',
      'odd[1].log',
    ]);
    await expect(findLogSources([dir])).rejects.toThrow(/is a folder/);
    await expect(findLogSources([join(dir, 'none*.log')])).rejects.toThrow(/does not exist/);
  });
});

async function follow(path: string | string[]) {
  const stop = new AbortController();
  const lines: string[] = [];
  const done = (async () => {
    for await (const block of followLogs([path].flat(), { signal: stop.signal, pollMs: 5 })) {
      lines.push(...linesOf(block).map((line) => line.replace(/^\d+:/, '')));
    }
  })();
  return {
    lines,
    until: (count: number) => expect.poll(() => lines.length, { timeout: 5_000, interval: 5 }).toBe(count),
    stop: async () => {
      stop.abort();
      await done;
    },
  };
}

async function takeAll(path: string): Promise<void> {
  for await (const block of followLogs([path], { signal: AbortSignal.timeout(1_000) })) linesOf(block);
}

describe('following a log', () => {
  test('reads existing and new lines, once a line is complete', async () => {
    const path = await fileWith('a\nb\n');
    const log = await follow(path);
    await log.until(2);
    await appendFile(path, 'c');
    await appendFile(path, 'd\ne');
    await log.until(3);
    await log.stop();
    expect(log.lines).toEqual(['a', 'b', 'cd']);
  });

  test('rotation by renaming: loses nothing while the writer still uses the old file', async () => {
    const path = await fileWith('a\n');
    const writer = await open(path, 'a');
    const log = await follow(path);
    await log.until(1);
    await rename(path, `${path}.1`);
    await writer.write('b\n');
    await log.until(2);
    await writer.write('c\n');
    await writer.close();
    await writeFile(path, 'd\n');
    await log.until(4);
    await appendFile(path, 'e\n');
    await log.until(5);
    await log.stop();
    expect(log.lines).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('rotation by copying and truncating, even when the new file outgrows the old one at once', async () => {
    const path = await fileWith('first\n');
    const log = await follow(path);
    await log.until(1);
    await copyFile(path, `${path}.1`);
    await truncate(path);
    await appendFile(path, 'x\n');
    await log.until(2);
    // In one write, as if truncation and growth had happened between two looks.
    const writer = await open(path, 'r+');
    await writer.write('a longer beginning\nand more\n', 0);
    await writer.close();
    await log.until(4);
    await log.stop();
    expect(log.lines).toEqual(['first', 'x', 'a longer beginning', 'and more']);
  });

  test('the file may be away for a while', async () => {
    const path = await fileWith('a\n');
    const log = await follow(path);
    await log.until(1);
    await rm(path);
    await new Promise((resolve) => setTimeout(resolve, 40));
    await writeFile(path, 'b\n');
    await log.until(2);
    await log.stop();
    expect(log.lines).toEqual(['a', 'b']);
  });

  test('several logs at once, a busy one does not silence a quiet one', async () => {
    const busy = await fileWith('busy\n'.repeat(300_000));
    const quiet = await fileWith('quiet\n');
    const log = await follow([busy, quiet]);
    await log.until(300_001);
    await log.stop();
    expect(log.lines.indexOf('quiet')).toBeLessThan(250_000);
  });

  test('packed files do not grow; a missing one is named', async () => {
    await expect(takeAll('/var/log/x.gz')).rejects.toThrow(/compressed/);
    await expect(takeAll(join(folder, 'nowhere.log'))).rejects.toThrow(Refused);
  });

  test('standard input is followed to its end', async () => {
    const stdin = new PassThrough();
    const lines: string[] = [];
    const done = (async () => {
      for await (const block of followLogs(['-'], { signal: new AbortController().signal, stdin }))
        lines.push(...linesOf(block));
    })();
    stdin.write('a\nb');
    await expect.poll(() => lines).toEqual(['1:a']);
    stdin.end();
    await done;
    expect(lines).toEqual(['1:a', '2:b']);
  });
});

/** An id as it is kept, in hex. */
const hex = (id: Uint32Array) => [...id].map((word) => word.toString(16).padStart(8, '0')).join('');

function idOf(identity: LineIdentity, key: Buffer, buffer: Buffer, start = 0, end = buffer.length): string {
  identity.ofLine(key, buffer, start, end);
  return hex(identity.id);
}

function idOfRequest(identity: LineIdentity, key: Buffer, requestId: string): string {
  identity.ofRequest(key, requestId);
  return hex(identity.id);
}

const key = Buffer.alloc(32, 7);
const sha256 = (kind: number, count: number, bytes: Buffer) =>
  createHash('sha256')
    .update(Buffer.concat([key, Buffer.from([kind, 0, 0, 0, count]), bytes]))
    .digest('hex')
    .slice(0, 16);

const idsOf = (lines: string[], identity = new LineIdentity()) =>
  lines.map((line) => idOf(identity, key, Buffer.from(line)));

describe('the identity of a line', () => {
  test('is the same at each import, and equal lines in one log are distinguished', () => {
    const lines = ['a', 'b', 'a', 'a', 'c'];
    const first = idsOf(lines);
    expect(new Set(first).size).toBe(5);
    expect(idsOf(lines)).toEqual(first);
    expect(first.every((id) => /^[0-9a-f]{16}$/.test(id))).toBe(true);
  });

  test('counts a rotated log once, for any position of the cut', () => {
    const lines = Array.from({ length: 24 }, (_, n) => `line ${Math.floor(n / 3)}`);
    const whole = new Set(idsOf(lines));
    expect(whole.size).toBe(24);
    for (let cut = 0; cut <= 24; cut += 1) {
      for (const id of [...idsOf(lines.slice(0, cut)), ...idsOf(lines.slice(cut))]) expect(whole).toContain(id);
    }
  });

  test('equal lines are distinguished with thousands of others between, in bounded memory', () => {
    const identity = new LineIdentity();
    const ids = new Set<string>();
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 50_000; n += 1) {
        const line = Buffer.from(`line ${n}`);
        ids.add(idOf(identity, key, line));
      }
    }
    expect(ids.size).toBe(100_000);
  });

  test('depends on the key, and on nothing around the line', () => {
    const [plain] = idsOf(['a']);
    expect(idOf(new LineIdentity(), key, Buffer.from('xax'), 1, 2)).toBe(plain);
    expect(idOf(new LineIdentity(), Buffer.alloc(32, 8), Buffer.from('a'))).not.toBe(plain);
    expect(idOfRequest(new LineIdentity(), key, 'a')).not.toBe(plain);
    expect(idOfRequest(new LineIdentity(), key, 'a')).toBe(idOfRequest(new LineIdentity(), key, 'a'));
    expect(() => new LineIdentity().ofRequest(Buffer.alloc(3), 'a')).toThrow(RangeError);
  });

  // A log that was imported with an older version and is imported again would count twice.
  test('is that of all versions: SHA-256 of the key, the kind, the count and the line', () => {
    const identity = new LineIdentity();
    for (let length = 1; length < 3_000; length += 13) {
      const line = Buffer.alloc(length, 'x');
      expect(idOf(identity, key, line)).toBe(sha256(1, 1, line));
    }
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 9, maxLength: 5_000 }), (bytes) => {
        const line = Buffer.from(bytes);
        expect(idOf(identity, key, line)).toBe(sha256(1, 1, line));
        expect(idOf(identity, key, line)).toBe(sha256(1, 2, line));
        expect(idOfRequest(identity, key, line.toString('hex'))).toBe(sha256(2, 1, Buffer.from(line.toString('hex'))));
      }),
    );
  });
});
