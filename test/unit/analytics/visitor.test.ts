import { expect, test } from 'vitest';
import { oldestPeriod, periodOf, visitorOf } from '../../../src/analytics/visitor.ts';

const SALT = Buffer.alloc(32, 7);
const AT = Date.UTC(2026, 10, 21, 23, 59);

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

test('the period is that of the event, in UTC', () => {
  expect(periodOf('fixed', AT)).toBe('');
  expect(periodOf('monthly', AT)).toBe('2026-11');
  expect(periodOf('daily', AT)).toBe('2026-11-21');
  expect(oldestPeriod('daily', AT, 7)).toBe('2026-11-14');
  expect(oldestPeriod('fixed', AT, 7)).toBe('');
});
