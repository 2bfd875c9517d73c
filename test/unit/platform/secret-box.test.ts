import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { SealBroken, SecretBox } from '../../../src/platform/secret-box.ts';
import { Secret } from '../../../src/platform/secret.ts';

const newKey = () => new Secret(randomBytes(32).toString('base64'));
const [one, two] = [newKey(), newKey()];

test('what is sealed can be opened with the same key, also when a new one was put in front', () => {
  const sealed = new SecretBox([one]).seal('a token', 'host a');
  expect(new SecretBox([one]).open(sealed, 'host a')).toBe('a token');
  expect(new SecretBox([two, one]).open(sealed, 'host a')).toBe('a token');
  expect(sealed.box.toString('latin1')).not.toContain('a token');
  expect(new SecretBox([one]).seal('a token', 'host a').box).not.toEqual(sealed.box);
});

test('another key, another row or a changed byte opens nothing, and the sentence says what to do', () => {
  const sealed = new SecretBox([one]).seal('a token', 'host a');
  expect(() => new SecretBox([two]).open(sealed, 'host a')).toThrow(/another key.*DOCENT_SECRET_KEY/);
  expect(() => new SecretBox([]).open(sealed, 'host a')).toThrow(/Set DOCENT_SECRET_KEY/);
  expect(() => new SecretBox([one]).open(sealed, 'host b')).toThrow(SealBroken);
  for (let at = 0; at < sealed.box.length; at += 1) {
    const box = Buffer.from(sealed.box);
    box[at] = (box[at] ?? 0) ^ 1;
    expect(() => new SecretBox([one]).open({ ...sealed, box }, 'host a')).toThrow(SealBroken);
  }
  expect(() => new SecretBox([one]).open({ ...sealed, box: sealed.box.subarray(0, 10) }, 'host a')).toThrow(SealBroken);
});

test('without a key nothing is kept', () => {
  expect(() => new SecretBox([]).seal('a token', 'host a')).toThrow(/openssl rand -base64 32/);
});
