import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  generateKey,
  hashKey,
  hintOf,
  isWellFormedKey,
  KEY_PREFIX_PATTERN,
} from '../../../src/store/access/key-format.ts';
import { anyCharacter } from '../../support/any-character.ts';

const prefixes = fc.stringMatching(/^[a-z][a-z0-9]{1,31}$/);

test('every generated key is well-formed, and no two are equal', () => {
  fc.assert(
    fc.property(prefixes, (prefix) => {
      const [one, two] = [generateKey(prefix), generateKey(prefix)];
      expect(one).toMatch(/^[a-z][a-z0-9]+_[0-9A-Za-z]{38}$/);
      expect(isWellFormedKey(one)).toBe(true);
      expect(one).not.toBe(two);
      expect(hintOf(one)).toBe(one.slice(0, prefix.length + 5));
    }),
  );
});

test('a key with one character changed is refused without a question to the database', () => {
  const characters = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
  fc.assert(
    fc.property(fc.nat(37), fc.constantFrom(...characters), (at, character) => {
      const key = generateKey('docent');
      const index = 'docent_'.length + at;
      fc.pre(key[index] !== character);
      expect(isWellFormedKey(key.slice(0, index) + character + key.slice(index + 1))).toBe(false);
    }),
  );
});

test('the prefix is part of the checksum', () => {
  const key = generateKey('docent');
  expect(isWellFormedKey(`other${key.slice('docent'.length)}`)).toBe(false);
});

test.each([
  '',
  'docent',
  'docent_',
  'docent_short',
  `Docent_${'a'.repeat(38)}`,
  `d_${'a'.repeat(38)}`,
  'x'.repeat(10_000),
])('%j is no key', (text) => {
  expect(isWellFormedKey(text)).toBe(false);
});

test('nothing that is not a key makes the check throw', () => {
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => !isWellFormedKey(text)));
});

test.each(['', 'a', 'A1', '1a', 'a_b', 'a-b', 'a'.repeat(33)])('%j cannot be a prefix', (prefix) => {
  expect(KEY_PREFIX_PATTERN.test(prefix)).toBe(false);
  expect(() => generateKey(prefix)).toThrow(RangeError);
});

test('the secret uses all characters about equally', () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 2_000; i++) {
    for (const character of generateKey('docent').slice(7, 39)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  const mean = 64_000 / 62;
  for (const count of counts.values()) expect(Math.abs(count - mean)).toBeLessThan(mean * 0.25);
});

test('the hash is SHA-256 of the whole key', () => {
  expect(hashKey('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
