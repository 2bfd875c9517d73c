import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectId, type ObjectType } from '../../../src/git/object-id.ts';
import { applyDelta, BadDelta } from '../../../src/git/objects/delta.ts';
import {
  BadPack,
  DEFAULT_PACK_LIMITS,
  readPack,
  type PackedObject,
  type PackLimits,
} from '../../../src/git/objects/pack-reader.ts';
import { NewObjects } from '../../../src/git/commit/new-objects.ts';
import {
  commitFiles,
  git,
  gitBytes,
  gitWithInput,
  makeWorkTree,
  manyPages,
  noise,
  temporaryFolder,
} from '../../support/git-fixture.ts';

const folder = temporaryFolder();
const repo = path.join(folder.path, 'repo');

beforeAll(() => {
  makeWorkTree(repo, { ...manyPages(60), 'big.txt': 'line of text\n'.repeat(20_000), 'noise.bin': noise(300_000) });
  commitFiles(repo, { 'big.txt': `${'line of text\n'.repeat(20_000)}and one more\n` });
  commitFiles(repo, { ...manyPages(60, 41), 'empty.md': '' });
});
afterAll(() => folder.remove());

let packNo = 0;
async function read(
  pack: Buffer,
  options: Partial<PackLimits> & { findBase?: (id: string) => PackedObject | null } = {},
) {
  const { findBase, ...limits } = options;
  const file = path.join(folder.path, `${(packNo += 1)}.pack`);
  writeFileSync(file, pack);
  const fd = openSync(file, 'r');
  const objects = new Map<string, PackedObject>();
  try {
    const summary = await readPack(fd, pack.length, (object) => objects.set(object.id, object), {
      limits: { ...DEFAULT_PACK_LIMITS, ...limits },
      ...(findBase ? { findBase } : {}),
    });
    return { objects, summary };
  } finally {
    closeSync(fd);
  }
}

/** All objects of the repository as native git lists them. */
function listed(): Map<string, { type: string; size: number }> {
  const lines = git(repo, 'cat-file', '--batch-all-objects', '--batch-check').split('\n');
  return new Map(
    lines.map((line) => line.split(' ')).map(([id, type, size]) => [id!, { type: type!, size: Number(size) }]),
  );
}

function packAll(...args: string[]): Buffer {
  const name = path.join(folder.path, `p${(packNo += 1)}`);
  gitWithInput(repo, [...listed().keys()].join('\n'), 'pack-objects', '-q', '--window=20', ...args, name);
  const file = readdirSync(folder.path).find(
    (entry) => entry.startsWith(`${path.basename(name)}-`) && entry.endsWith('.pack'),
  );
  return readFileSync(path.join(folder.path, file!));
}

function sealed(parts: Buffer[], count: number): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  header.writeUInt32BE(count, 8);
  const body = Buffer.concat([header, ...parts]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

function entry(type: number, size: number, rest: Buffer): Buffer {
  const bytes = [(type << 4) | (size & 15)];
  for (let left = Math.floor(size / 16); left > 0; left = Math.floor(left / 128)) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(left & 0x7f);
  }
  return Buffer.concat([Buffer.from(bytes), rest]);
}

function varint(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128)) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(left & 0x7f);
  }
  return bytes;
}

describe('reading packs that native git made', () => {
  test.each([
    ['offset deltas', ['--delta-base-offset', '--depth=50']],
    ['reference deltas', ['--depth=50']],
    ['very long chains', ['--delta-base-offset', '--depth=4000', '--window=100']],
    ['no deltas', ['--depth=0']],
  ])('%s', async (_, args) => {
    const pack = packAll(...args);
    const expected = listed();
    for (const limits of [{}, { cacheBytes: 1 }]) {
      const { objects, summary } = await read(pack, limits);
      expect(summary).toMatchObject({ passedOver: 0, baseless: 0 });
      expect([...objects.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
      for (const [id, { type, content }] of objects) {
        expect({ type, size: content.length }).toEqual(expected.get(id));
        expect(objectId(type, content)).toBe(id);
      }
    }
  });

  test('thin packs, with bases from elsewhere', async () => {
    const revs = ['pack-objects', '--thin', '--stdout', '-q', '--revs', '--delta-base-offset'];
    const pack = gitBytes(repo, 'HEAD\n^HEAD~1\n', ...revs);
    const without = await read(pack);
    expect(without.summary.baseless).toBeGreaterThan(0);
    const withBases = await read(pack, {
      findBase: (id) => {
        const type = git(repo, 'cat-file', '-t', id) as ObjectType;
        return { type, id, content: gitBytes(repo, '', 'cat-file', type, id) };
      },
    });
    expect(withBases.summary.baseless).toBe(0);
    const expected = git(repo, 'rev-list', '--objects', 'HEAD', '^HEAD~1').split('\n').map((line) => line.slice(0, 40)); // prettier-ignore
    expect([...withBases.objects.keys()].toSorted()).toEqual(expected.toSorted());
  });

  test('passes over what is too large, and what rests on it', async () => {
    const pack = packAll('--delta-base-offset');
    const { objects, summary } = await read(pack, { objectBytes: 200_000 });
    const large = [...listed()].filter(([, { size }]) => size > 200_000).map(([id]) => id);
    expect(large).toHaveLength(3);
    for (const id of large) expect(objects.has(id)).toBe(false);
    expect(summary.passedOver).toBe(3);
    expect(objects.size).toBe(listed().size - 3);
  });
});

const blob = (text: string) => entry(3, Buffer.byteLength(text), deflateSync(text));

describe('packs that nobody honest made', () => {
  test('are refused in kind when they are cut short, at any byte', async () => {
    const bytes = noise(500);
    const pack = sealed([entry(3, bytes.length, deflateSync(bytes)), entry(2, 0, deflateSync(''))], 2);
    for (let length = 0; length < pack.length; length += 7) {
      await expect(read(pack.subarray(0, length)), `${length} bytes`).rejects.toBeInstanceOf(BadPack);
    }
  });

  test('never crash or hang the reader, whatever byte is changed', async () => {
    const pack = packAll('--delta-base-offset');
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: pack.length - 21 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, flip) => {
          const changed = Buffer.from(pack);
          changed[at]! ^= flip;
          try {
            await read(changed, { objectBytes: 1_000_000, totalBytes: 50_000_000 });
          } catch (err) {
            expect(err instanceof BadPack || err instanceof BadDelta).toBe(true);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('inflate to more than they say', async () => {
    const bomb = entry(3, 10, deflateSync(Buffer.alloc(50_000_000)));
    await expect(read(sealed([bomb], 1))).rejects.toBeInstanceOf(BadPack);
    const large = entry(3, 40_000_000, deflateSync(Buffer.alloc(60_000_000)));
    await expect(read(sealed([large], 1))).rejects.toThrow(/another size/);
  });

  test('unpack to more than all of it may be', async () => {
    const parts = Array.from({ length: 20 }, () => entry(3, 1_000_000, deflateSync(Buffer.alloc(1_000_000))));
    await expect(read(sealed(parts, 20), { totalBytes: 10_000_000 })).rejects.toThrow(/unpacks to more than/);
  });

  test('make much of little with deltas on deltas', async () => {
    // Each delta copies its base ten times over: 10 bytes, 100, 1,000 … within a few hundred bytes of pack.
    const parts = [blob('0123456789')];
    let size = 10;
    for (let i = 0; i < 12; i++) {
      const copies = Array.from({ length: 10 }, () => [
        0xff,
        0,
        0,
        0,
        0,
        size & 255,
        (size >> 8) & 255,
        (size >> 16) & 255,
      ]).flat();
      const delta = Buffer.from([...varint(size), ...varint(size * 10), ...copies]);
      const distance = parts.at(-1)!.length;
      parts.push(entry(6, delta.length, Buffer.concat([Buffer.from([distance]), deflateSync(delta)])));
      size *= 10;
      if (size > 16_000_000) break;
    }
    const { summary } = await read(sealed(parts, parts.length), { objectBytes: 1_000_000 });
    expect(summary.passedOver).toBe(2);
    await expect(
      read(sealed(parts, parts.length), { objectBytes: 100_000_000, totalBytes: 5_000_000 }),
    ).rejects.toThrow(/unpacks to more/);
  });

  test('name themselves, nothing or each other as base', async () => {
    const delta = deflateSync(Buffer.from([1, 1, 1, 65]));
    await expect(read(sealed([entry(6, 4, Buffer.concat([Buffer.from([0]), delta]))], 1))).rejects.toThrow(/no base/);
    await expect(read(sealed([entry(6, 4, Buffer.concat([Buffer.from([100]), delta]))], 1))).rejects.toBeInstanceOf(
      BadPack,
    );
    const missing = entry(7, 4, Buffer.concat([Buffer.alloc(20, 7), delta]));
    expect((await read(sealed([missing, missing], 2))).summary.baseless).toBe(2);
  });

  test('have more objects than they may, an unknown kind, or something behind the last one', async () => {
    await expect(read(sealed([blob('x'), blob('y')], 2), { objects: 1 })).rejects.toThrow(/of 2 objects/);
    await expect(read(sealed([entry(5, 1, deflateSync('x'))], 1))).rejects.toThrow(/unknown kind/);
    await expect(read(sealed([blob('x'), blob('y')], 1))).rejects.toThrow(/behind its last/);
    await expect(read(sealed([blob('x')], 2))).rejects.toBeInstanceOf(BadPack);
  });
});

describe('deltas', () => {
  test('copy and insert what they say, within both ends', () => {
    const base = Buffer.from('hello, world');
    expect(applyDelta(base, Buffer.from([12, 7, 0x90, 5, 2, 33, 33])).toString()).toBe('hello!!');
    for (const bad of [
      [11, 1, 1, 65],
      [12, 1],
      [12, 1, 0],
      [12, 1, 5, 65],
      [12, 1, 2, 65, 65],
      [12, 5, 0x91, 10, 5],
      [12, 5, 0x91],
      [0xff, 0xff],
      [255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1],
      [],
    ]) {
      expect(() => applyDelta(base, Buffer.from(bad)), bad.join()).toThrow(BadDelta);
    }
  });
});

async function packOf(contents: readonly Uint8Array[]): Promise<Buffer> {
  const objects = new NewObjects();
  for (const content of contents) await objects.addBlob(objectId('blob', content), content);
  return Buffer.from(await objects.pack());
}

describe('writing packs', () => {
  test('that our reader and native git take, of any objects', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.uint8Array({ maxLength: 300 }), { maxLength: 8, selector: String }),
        async (contents) => {
          const { objects } = await read(await packOf(contents));
          expect([...objects.keys()].toSorted()).toEqual(
            contents.map((content) => objectId('blob', content)).toSorted(),
          );
        },
      ),
      { numRuns: 30 },
    );
    const target = path.join(folder.path, 'target.git');
    git('/', 'init', '-q', '--bare', target);
    const contents = [Buffer.alloc(0), noise(100_000), Buffer.from('x'.repeat(20)), Buffer.from('twice'), Buffer.from('twice')]; // prettier-ignore
    gitWithInput(target, await packOf(contents), 'index-pack', '--stdin', '--strict');
    for (const content of contents) git(target, 'cat-file', '-e', objectId('blob', content));
  });

  test('never under an id that the content does not have', async () => {
    const objects = new NewObjects();
    await expect(objects.addBlob('a'.repeat(40), Buffer.from('x'))).rejects.toThrow(/was written as/);
    await expect(objects.addTree('a'.repeat(40), Buffer.alloc(0))).rejects.toThrow(/was written as/);
  });
});
