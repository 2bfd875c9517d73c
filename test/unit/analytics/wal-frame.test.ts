import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeFrame, scanFrames } from '../../../src/analytics/ingest/wal/frame.ts';
import { anyCharacter } from '../../support/any-character.ts';

const payload = fc.string({ unit: anyCharacter, maxLength: 200 }).map((text) => Buffer.from(text.toWellFormed()));
const segmentOf = (payloads: readonly Buffer[]) => Buffer.concat(payloads.map((each, no) => encodeFrame(no, each)));

test('reads appended frames back', () => {
  fc.assert(
    fc.property(fc.array(payload), (payloads) => {
      expect(scanFrames(segmentOf(payloads))).toEqual({ payloads, damage: [] });
    }),
  );
});

test('a crash in the middle of a write costs that write alone', () => {
  fc.assert(
    fc.property(fc.array(payload, { minLength: 1 }), fc.nat(), (payloads, at) => {
      const whole = segmentOf(payloads);
      const cut = whole.subarray(0, at % whole.length);
      const found = scanFrames(cut).payloads;
      expect(found).toEqual(payloads.slice(0, found.length));
      expect(segmentOf(payloads.slice(0, found.length + 1)).length).toBeGreaterThan(cut.length);
    }),
  );
});

test('a flipped bit costs the frame that it is in, and is named', () => {
  fc.assert(
    fc.property(fc.array(payload, { minLength: 1 }), fc.nat(), fc.nat(7), (payloads, at, bit) => {
      const segment = segmentOf(payloads);
      const place = at % segment.length;
      segment[place] = (segment[place] ?? 0) ^ (1 << bit);
      const { payloads: found, damage } = scanFrames(segment);
      expect(found.length).toBe(payloads.length - 1);
      expect(damage).toHaveLength(1);
      expect(damage[0]!.offset).toBeLessThanOrEqual(place);
      expect(damage[0]!.offset + damage[0]!.bytes).toBeGreaterThan(place);
    }),
  );
});
