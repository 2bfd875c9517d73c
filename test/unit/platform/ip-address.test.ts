import { isIP } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canonicalAddress,
  hostInUrl,
  isInRange,
  isIpAddress,
  rangeText,
  readIpAddress,
  readIpRange,
  subscriberOf,
} from '@docent/base/net/ip-address';
import { anyCharacter } from '../../support/any-character.ts';

function inside(address: string, range: string): boolean {
  const [parsedAddress, parsedRange] = [readIpAddress(address), readIpRange(range)];
  return parsedAddress !== null && parsedRange !== null && isInRange(parsedAddress, parsedRange);
}

describe('an address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::1', '::1'],
    ['2001:DB8::7', '2001:db8::7'],
    ['2001:0db8:0:0:0:0:0:0007', '2001:db8::7'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    // IPv4 inside IPv6.
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::FFFF:a00:1', '10.0.0.1'],
    ['0:0:0:0:0:ffff:102:304', '1.2.3.4'],
    // A zone is not a part of it.
    ['fe80::1%eth0', 'fe80::1'],
    ['fe80::1%eth0.100', 'fe80::1'],
  ])('%s is %s', (text, canonical) => {
    expect(isIpAddress(text)).toBe(true);
    expect(readIpAddress(text)?.toString()).toBe(canonical);
    expect(canonicalAddress(text)).toBe(canonical);
  });

  // Programs differ in what they read the first ones as.
  test.each(
    (
      '010.0.0.1 0x7f.0.0.1 0x7f.1 127.1 10.0 10 2130706433 ::ffff:010.0.0.1 ' +
      '1.2.3.4.5 256.0.0.1 1.2.3.4%eth0 1.2.3.4:80 10.0.0.0/8 [::1] [::1]:80 fe80::1% ::: 1::2::3 ::12345 g::1 localhost'
    )
      .split(' ')
      .concat(['', ' ', ' 10.0.0.1', '::1 ', '::1%eth0\n', '10.0.0.1\n']),
  )('%j is none', (text) => {
    expect(isIpAddress(text)).toBe(false);
    expect(readIpAddress(text)).toBeNull();
    expect(canonicalAddress(text)).toBeNull();
    expect(readIpRange(text.includes('/') ? `${text}/8` : text)).toBeNull();
  });

  test('is what Node connects to without a lookup: none gets past the guard of requests as a name', () => {
    const texts = fc.oneof(fc.ipV4(), fc.ipV4Extended(), fc.ipV6(), fc.string({ unit: anyCharacter }));
    fc.assert(
      fc.property(texts, (text) => {
        expect(readIpAddress(text) !== null).toBe(isIP(text) !== 0);
        expect(canonicalAddress(text)).toBe(readIpAddress(text)?.toString() ?? null);
      }),
      { numRuns: 500 },
    );
  });

  test('has one spelling, however its groups are written', () => {
    const group = fc.oneof(fc.constant(0), fc.nat(0xffff));
    const spelled = fc
      .tuple(fc.array(group, { minLength: 8, maxLength: 8 }), fc.nat(3), fc.boolean())
      .map(([groups, zeros, capitals]) => {
        const text = groups.map((value) => value.toString(16).padStart(zeros, '0')).join(':');
        return capitals ? text.toUpperCase() : text;
      });
    fc.assert(
      fc.property(spelled, (text) => {
        const canonical = canonicalAddress(text);
        expect(canonical).toBe(readIpAddress(text)?.toString());
        expect(canonicalAddress(canonical ?? '')).toBe(canonical);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a range', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['10.0.0.1/32', '10.0.0.1'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::1/128', '::1'],
    ['::/0', '::/0'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1/128', '10.0.0.1'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
  ])('%s is %s', (text, canonical) => {
    const range = readIpRange(text);
    expect(range && rangeText(range)).toBe(canonical);
  });

  test.each(
    (
      '/ / /8 10.0.0.0/ 10.0.0.0/33 10.0.0.0/-1 10.0.0.0/08 10.0.0.0/8/8 10.0.0.0/255.0.0.0 010.0.0.0/8 10.0/8 ::/129 ::/1000 ' +
      '::ffff:10.0.0.1/32 ::ffff:10.0.0.1/129 [::1]/64 localhost/8'
    )
      .split(' ')
      .concat([' 10.0.0.0/8', '10.0.0.0/8 ', '10.0.0.0/8\n']),
  )('%j is none', (text) => {
    expect(readIpRange(text)).toBeNull();
  });

  test('holds what is inside and nothing else, in one family', () => {
    expect(inside('10.255.0.1', '10.0.0.0/8')).toBe(true);
    expect(inside('11.0.0.0', '10.0.0.0/8')).toBe(false);
    expect(inside('::ffff:10.1.2.3', '10.0.0.0/8')).toBe(true);
    expect(inside('10.1.2.3', '::ffff:10.0.0.0/104')).toBe(true);
    expect(inside('::1', '0.0.0.0/0')).toBe(false);
    expect(inside('1.2.3.4', '::/0')).toBe(false);
    expect(inside('fe80::1%eth0', 'fe80::/10')).toBe(true);
  });

  test('no text makes the parser throw', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => void readIpRange(text)));
  });
});

test.each([
  ['203.0.113.7', '203.0.113.7', true],
  ['203.0.113.7', '203.0.113.8', false],
  ['203.0.113.7', '::ffff:203.0.113.7', true],
  ['2001:db8::1', '2001:db8:0:0:ffff::1', true],
  ['2001:db8::1', '2001:db8:0:1::1', false],
  ['', '::', false],
])('%j and %j are one subscriber: %j', (one, other, same) => {
  expect(subscriberOf(one) === subscriberOf(other)).toBe(same);
});

test.each([
  ['::1', '[::1]'],
  ['[::1]', '[::1]'],
  ['127.0.0.1', '127.0.0.1'],
  ['docs.example.com', 'docs.example.com'],
])('%s is %s in a URL', (host, shown) => {
  expect(hostInUrl(host)).toBe(shown);
});
