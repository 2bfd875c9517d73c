import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { SecretBox } from '../../../src/platform/secret-box.ts';
import { Secret } from '../../../src/platform/secret.ts';

const newKey = () => new Secret(randomBytes(32).toString('base64'));
const [one, two] = [newKey(), newKey()];

test('opens encrypted values with the same key, even after a new key was put first', () => {
  const encrypted = new SecretBox([one]).encrypt('a token', 'host a');
  expect(new SecretBox([one]).decrypt(encrypted, 'host a')).toBe('a token');
  expect(new SecretBox([two, one]).decrypt(encrypted, 'host a')).toBe('a token');
  expect(encrypted.box.toString('latin1')).not.toContain('a token');
  expect(new SecretBox([one]).encrypt('a token', 'host a').box).not.toEqual(encrypted.box);
});

test('another key, another row or a changed byte opens nothing, and the sentence says what to do', () => {
  const encrypted = new SecretBox([one]).encrypt('a token', 'host a');
  expect(() => new SecretBox([two]).decrypt(encrypted, 'host a')).toThrow(/another key.*DOCENT_SECRET_KEY/);
  expect(() => new SecretBox([]).decrypt(encrypted, 'host a')).toThrow(/Set DOCENT_SECRET_KEY/);
  expect(() => new SecretBox([one]).decrypt(encrypted, 'host b')).toThrow(
    expect.objectContaining({ code: 'secret_key' }),
  );
  for (let at = 0; at < encrypted.box.length; at += 1) {
    const box = Buffer.from(encrypted.box);
    box[at] = (box[at] ?? 0) ^ 1;
    expect(() => new SecretBox([one]).decrypt({ ...encrypted, box }, 'host a')).toThrow(
      expect.objectContaining({ code: 'secret_key' }),
    );
  }
  expect(() => new SecretBox([one]).decrypt({ ...encrypted, box: encrypted.box.subarray(0, 10) }, 'host a')).toThrow(
    expect.objectContaining({ code: 'secret_key' }),
  );
});

test('without a key nothing is kept', () => {
  expect(() => new SecretBox([]).encrypt('a token', 'host a')).toThrow(/openssl rand -hex 32/);
});
