import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NewObjects } from '@docent/git/commit/publish';
import { objectId } from '@docent/base/files/object-id';
import { applyDelta } from '@docent/git/objects/delta';
import { noise } from '../../support/git-fixture.ts';
import { times } from '../../support/how-often.ts';
import { packOf, readPack as read } from '../../support/packs.ts';

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

const blob = (text: string) => entry(3, Buffer.byteLength(text), deflateSync(text));

describe('forged packs', () => {
  test('are refused in kind when they are cut short, at any byte', async () => {
    const bytes = noise(500);
    const pack = sealed([entry(3, bytes.length, deflateSync(bytes)), entry(2, 0, deflateSync(''))], 2);
    for (let length = 0; length < pack.length; length += 7) {
      await expect(read(pack.subarray(0, length)), `${length} bytes`).rejects.toMatchObject({ code: 'object_bad' });
    }
  });

  test('inflate to more than they say', async () => {
    const bomb = entry(3, 10, deflateSync(Buffer.alloc(50_000_000)));
    await expect(read(sealed([bomb], 1))).rejects.toMatchObject({ code: 'object_bad' });
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
    await expect(read(sealed([entry(6, 4, Buffer.concat([Buffer.from([100]), delta]))], 1))).rejects.toMatchObject({
      code: 'object_bad',
    });
    const missing = entry(7, 4, Buffer.concat([Buffer.alloc(20, 7), delta]));
    expect((await read(sealed([missing, missing], 2))).summary.baseless).toBe(2);
  });

  test('have more objects than they may, an unknown kind, or something behind the last one', async () => {
    await expect(read(sealed([blob('x'), blob('y')], 2), { objects: 1 })).rejects.toThrow(/of 2 objects/);
    await expect(read(sealed([entry(5, 1, deflateSync('x'))], 1))).rejects.toThrow(/unknown kind/);
    await expect(read(sealed([blob('x'), blob('y')], 1))).rejects.toThrow(/behind its last/);
    await expect(read(sealed([blob('x')], 2))).rejects.toMatchObject({ code: 'object_bad' });
  });
});

describe('deltas', () => {
  test('copy and insert the given bytes, within both ends', () => {
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
      expect(() => applyDelta(base, Buffer.from(bad)), bad.join()).toThrow(
        expect.objectContaining({ code: 'object_bad' }),
      );
    }
  });
});

describe('writing packs', () => {
  test('that our reader accepts, of any objects', async () => {
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
      { numRuns: times(30) },
    );
  });

  test('never under an id that the content does not have', async () => {
    const objects = new NewObjects();
    await expect(objects.addBlob('a'.repeat(40), Buffer.from('x'))).rejects.toThrow(/was written as/);
    await expect(objects.addTree('a'.repeat(40), Buffer.alloc(0))).rejects.toThrow(/was written as/);
  });
});
