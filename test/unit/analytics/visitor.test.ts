import { expect, test } from 'vitest';
import { visitorOf } from '../../../src/analytics/events/visitor.ts';

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
