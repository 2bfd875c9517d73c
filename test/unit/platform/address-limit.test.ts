import { expect, test } from 'vitest';
import { AddressLimit } from '../../../src/platform/net/address-limit.ts';

const addressOf = (no: number) => `10.0.${no >> 8}.${no & 255}`;

test('an address may send so much a minute, and learns when to come back', () => {
  const limit = new AddressLimit({ perMinute: 60 });
  for (let n = 0; n < 60; n += 1) expect(limit.take('203.0.113.7', 1_000)).toBe(0);
  expect(limit.take('203.0.113.7', 1_000)).toBe(1);
  expect(limit.take('203.0.113.8', 1_000)).toBe(0);
  expect(limit.take('203.0.113.7', 1_500)).toBe(1);
  expect(limit.take('203.0.113.7', 2_000)).toBe(0);
  expect(limit.take('203.0.113.7', 2_000)).toBe(1);
});

test('a subscriber cannot go around it by using other addresses of its IPv6 network', () => {
  const limit = new AddressLimit({ perMinute: 1 });
  expect(limit.take('2001:db8:1:2::1', 0)).toBe(0);
  expect(limit.take('2001:db8:1:2:ffff::9', 0)).toBeGreaterThan(0);
  expect(limit.take('2001:db8:1:3::1', 0)).toBe(0);
  expect(limit.take('::ffff:203.0.113.7', 0)).toBe(0);
  expect(limit.take('203.0.113.7', 0)).toBeGreaterThan(0);
});

test('many made-up addresses make it forget those that came first, and hold no more', () => {
  const limit = new AddressLimit({ perMinute: 1, capacity: 100 });
  for (let no = 0; no < 10_000; no += 1) expect(limit.take(addressOf(no), 0)).toBe(0);
  expect(limit.take(addressOf(9_901), 0)).toBeGreaterThan(0);
  expect(limit.take(addressOf(0), 0)).toBe(0);
});
