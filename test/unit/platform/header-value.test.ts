import { describe, expect, test } from 'vitest';
import { fitsHeader, withoutMargins } from '@docent/base/net/header-value';

const KEY = 'ghp_a1B2c3D4';

describe('a secret that was copied from a page', () => {
  test.each(['\u200b', '\u200d', '\ufeff', '\u2060', '\u00a0', '\u00ad', '\u202a', ' \r\n\t', '\u200b \ufeff'])(
    'loses %j at its ends and nowhere else',
    (margin) => {
      expect(withoutMargins(margin + KEY + margin)).toBe(KEY);
      expect(withoutMargins(margin.repeat(3))).toBe('');
      expect(withoutMargins(`${KEY}${margin}${KEY}`)).toBe(`${KEY}${margin}${KEY}`);
    },
  );

  test('of any length takes linear time', () => {
    const spaces = ' '.repeat(200_000);
    const start = performance.now();
    expect(withoutMargins(`a${spaces}b`)).toHaveLength(200_002);
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  test.each([
    [KEY, true],
    ['token with spaces', true],
    ['ключ', false],
    ['k\u00e9y', false],
    ['one\ntwo', false],
    ['a\u200bb', false],
    ['', false],
  ])('%j fits into a header: %s', (secret, fits) => {
    expect(fitsHeader(secret)).toBe(fits);
  });
});
