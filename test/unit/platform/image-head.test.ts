import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readImageHead } from '../../../src/platform/image-head.ts';
import { gif, jpeg, png, webp } from '../../support/images.ts';
import { processorMs } from '../../support/processor-time.ts';

const size = fc.integer({ min: 1, max: 16_383 });

describe('the head of an image', () => {
  test.each([
    ['image/png', png],
    ['image/gif', gif],
    ['image/jpeg', jpeg],
    ['image/webp', (w: number, h: number) => webp('VP8 ', w, h)],
    ['image/webp', (w: number, h: number) => webp('VP8L', w, h)],
    ['image/webp', (w: number, h: number) => webp('VP8X', w, h)],
  ] as const)('tells %s and its size', (mediaType, make) => {
    fc.assert(
      fc.property(size, size, (width, height) => {
        expect(readImageHead(make(width, height))).toEqual({ mediaType, width, height });
      }),
    );
  });

  test('finds the frame of a JPEG behind many other segments, and gives up one that has none', () => {
    expect(readImageHead(jpeg(640, 480, 500))).toEqual({ mediaType: 'image/jpeg', width: 640, height: 480 });
    expect(readImageHead(jpeg(640, 480, 500).subarray(0, -13))).toBeNull();
    expect(readImageHead(Buffer.from('ffd8ffe00000ffd8ffe00000', 'hex'))).toBeNull();
  });

  test('never throws and never hangs on bytes that only begin like an image', () => {
    const beginnings = [png(), gif(), jpeg(), webp('VP8X')].map((file) => file.subarray(0, 16));
    fc.assert(
      fc.property(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 300 }), fc.nat(16), (head, rest, kept) => {
        readImageHead(Buffer.concat([head.subarray(0, kept), rest]));
      }),
      { numRuns: 2_000 },
    );
    const padding = Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(10_000_000, 0xff)]);
    expect(processorMs(() => expect(readImageHead(padding)).toBeNull())).toBeLessThan(5_000);
  });

  test('is null for a text, an SVG or another file', () => {
    for (const text of ['', 'PNG', '<svg/>', '%PDF-1.7', 'GIF88a....................', 'RIFF....WAVEfmt ']) {
      expect(readImageHead(Buffer.from(text.padEnd(40, ' ')))).toBeNull();
    }
  });
});
