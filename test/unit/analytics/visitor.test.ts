import { expect, test } from 'vitest';
import { clientSource, visitorOf } from '../../../src/analytics/events/visitor.ts';

const SALT = Buffer.alloc(32, 7);

test('a visitor is the same under one salt and another under the next', () => {
  const ada = { ip: '198.51.100.7', userAgent: 'Firefox' };
  expect(visitorOf(SALT, ada)).toBe(visitorOf(SALT, { ...ada }));
  expect(visitorOf(SALT, ada)).not.toBe(visitorOf(Buffer.alloc(32, 8), ada));
});

test('parts never run into each other', () => {
  const ids = [
    { ip: '1.1.1.1', userAgent: '2x' },
    { ip: '1.1.1.12', userAgent: 'x' },
    { visitorId: '1.1.1.1\u00002x' },
    { visitorId: '1.1.1.12x' },
  ].map((source) => visitorOf(SALT, source));
  expect(new Set(ids).size).toBe(ids.length);
});

test('whom a person asks to delete is found however address and user agent are typed', () => {
  const stored = { ip: '203.0.113.7', userAgent: 'x'.repeat(1_024) };
  for (const ip of ['203.0.113.7', '203.0.113.7:4711', '[::ffff:203.0.113.7]', '203.0.113.7, 10.0.0.1']) {
    expect(clientSource(ip, `${'x'.repeat(1_024)} and more`)).toEqual(stored);
  }
  expect(clientSource('203.0.113.7', '-')).toEqual(clientSource('203.0.113.7', ''));
  expect(clientSource('docs.example.com', '')).toBeNull();
});
