import { dataOf } from '../../../packages/dashboard/src/pages/analytics/lines.ts';
import { assert, constantFrom, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  daysBetween,
  daysOf,
  rangeNamed,
  rangeQuery,
  spanBefore,
  spanOf,
} from '../../../packages/dashboard/src/pages/analytics/range.ts';

const TODAY = '2026-11-23';
const NOW = new Date('2026-11-23T10:45:00Z');
const before = (query: Record<string, string>, comparison: 'period' | 'year' = 'period', now = NOW) =>
  spanBefore(spanOf(query, now.toISOString().slice(0, 10)), rangeNamed(query), comparison, now);

describe('the days that an address names', () => {
  test.each([
    [{ range: 'today' }, '2026-11-23', '2026-11-24'],
    [{ range: '7d' }, '2026-11-17', '2026-11-24'],
    [{}, '2026-10-25', '2026-11-24'],
    [{ range: '12m' }, '2025-11-24', '2026-11-24'],
    [{ range: 'month' }, '2026-11-01', '2026-11-24'],
    [{ range: 'last-month' }, '2026-10-01', '2026-11-01'],
    [{ range: 'all' }, null, '2026-11-24'],
    [{ range: 'custom', from: '2026-02-27', to: '2026-03-01' }, '2026-02-27', '2026-03-02'],
  ])('%o', (query, from, to) => {
    expect(spanOf(query as Record<string, string>, TODAY)).toEqual({ from, to });
  });

  test.each([
    { range: 'custom', from: '2026-02-30', to: '2026-03-01' },
    { range: 'custom', from: '2026-03-02', to: '2026-03-01' },
    { range: 'custom', from: "2026-03-02'", to: '' },
    { range: '__proto__' },
  ])('what cannot be understood is the last 30 days: %o', (query) => {
    expect(spanOf(query as Record<string, string>, TODAY)).toEqual(spanOf({}, TODAY));
    expect(rangeNamed(query as Record<string, string>)).toBe('30d');
  });
});

describe('the base of their comparison', () => {
  test('as many days before, the same days of the month before, or the year before', () => {
    expect(before({ range: '7d' })).toEqual({ from: '2026-11-10', to: '2026-11-17' });
    expect(before({ range: 'month' })).toEqual({ from: '2026-10-01', to: '2026-10-24' });
    expect(before({ range: 'last-month' })).toEqual({ from: '2026-09-01', to: '2026-10-01' });
    expect(before({ range: 'last-month' }, 'year')).toEqual({ from: '2025-10-01', to: '2025-11-01' });
    expect(before({ range: '30d' }, 'year')).toEqual({ from: '2025-10-25', to: '2025-11-24' });
    expect(before({ range: 'all' })).toBeNull();
  });

  test('a month that is longer than the previous one ends where it begins', () => {
    expect(before({ range: 'month' }, 'period', new Date('2026-03-31T12:00:00Z'))).toEqual({
      from: '2026-02-01',
      to: '2026-03-01',
    });
  });

  test('a leap day is compared with the last of February', () => {
    expect(before({ range: 'today' }, 'year', new Date('2028-02-29T08:20:00Z'))?.from).toBe('2027-02-28');
  });

  test('a day that is not over is compared with as many hours', () => {
    expect(rangeQuery(before({ range: 'today' }) ?? { from: null, to: '' })).toEqual({
      dateFrom: '2026-11-22',
      dateTo: '2026-11-22T10:00Z',
    });
  });

  test('it never overlaps with the days themselves, and is never longer', () => {
    const ago = integer({ min: 0, max: 800 });
    assert(
      property(ago, ago, constantFrom('period' as const, 'year' as const), (a, b, comparison) => {
        const [from, to] = [addDays(TODAY, -Math.max(a, b)), addDays(TODAY, -Math.min(a, b))];
        const found = before({ range: 'custom', from, to }, comparison);
        expect(found).not.toBeNull();
        expect(found!.to <= from).toBe(true);
        expect(daysBetween(found!.from ?? '', found!.to)).toBeLessThanOrEqual(daysBetween(from, to) + 1);
      }),
    );
  });
});

test('every day of a range has its position, except future days', () => {
  expect(daysOf({ from: '2026-11-21', to: '2026-12-01' }, '', TODAY)).toEqual([
    '2026-11-21',
    '2026-11-22',
    '2026-11-23',
  ]);
});

describe('the lines of the chart', () => {
  const points = [1, 2, 3].map((n) => ({ at: n * 86_400, now: { human: n, ai: 0, total: n }, before: null }));

  test('lead in dashes to a day that is not over, and nowhere else', () => {
    const [, human, , , , humanSoFar] = dataOf({ unit: 'day', points, isOpen: true });
    expect([human, humanSoFar]).toEqual([
      [1, 2, null],
      [null, 2, 3],
    ]);
  });

  test('are whole if all days are over', () => {
    const [, human, , , , humanSoFar] = dataOf({ unit: 'day', points, isOpen: false });
    expect(human).toEqual([1, 2, 3]);
    expect(humanSoFar).toEqual([null, null, null]);
  });
});
