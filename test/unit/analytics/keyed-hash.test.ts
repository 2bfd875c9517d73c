import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyedHash } from '../../../src/analytics/events/visitor.ts';
import { anyCharacter } from '../../support/any-character.ts';

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest().readBigUInt64BE(0);

test('a keyed hash is HMAC-SHA256 for any key and text, so existing visitors stay the same', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 0, maxLength: 100 }),
      fc.array(fc.string({ unit: anyCharacter, maxLength: 300 }), { minLength: 1, maxLength: 5 }),
      (bytes, texts) => {
        const key = Buffer.from(bytes);
        const keyed = new KeyedHash(key);
        for (const text of texts) expect(keyed.first64(text)).toBe(hmac(key, text));
      },
    ),
  );
});

test('a text that is longer than the kept buffer is hashed in full', () => {
  const key = Buffer.alloc(32, 7);
  for (const length of [2_709, 2_710, 100_000]) {
    expect(new KeyedHash(key).first64('ü'.repeat(length))).toBe(hmac(key, 'ü'.repeat(length)));
  }
});
