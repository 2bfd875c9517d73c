import { describe, expect, test } from 'vitest';
import { DAY_MS } from '@docent/base/time';
import { isClosed, LATE_DAYS, SaltCalendar } from '../../../src/analytics/events/salt-calendar.ts';
import { withSaltPolicy, type SaltSchedule } from '../../../src/store/analytics-settings.ts';

const day = (date: string) => Date.parse(date) / DAY_MS;
const SCHEDULE: SaltSchedule = [
  { policy: 'fixed', fromDay: null },
  { policy: 'monthly', fromDay: day('2026-11-10') },
  { policy: 'daily', fromDay: day('2026-12-05') },
  { policy: 'fixed', fromDay: day('2027-01-01') },
];

describe('the salt of a day', () => {
  test.each([
    ['1999-01-01', '', '2026-11-10'],
    ['2026-11-09', '', '2026-11-10'],
    ['2026-11-10', '2026-11', '2026-12-01'],
    ['2026-12-04', '2026-12', '2027-01-01'],
    ['2026-12-05', '2026-12-05', '2026-12-06'],
    ['2026-12-31', '2026-12-31', '2027-01-01'],
    ['2027-01-01', 'from 2027-01-01', null],
  ])('%s takes the one of "%s"', (date, key, end) => {
    const calendar = new SaltCalendar(SCHEDULE);
    const period = calendar.periodOf(day(date));
    expect(period).toEqual({ key, endDay: end && day(end) });
    expect(calendar.endOf(key)).toBe(period.endDay);
  });

  test('without a schedule there is one, forever', () => {
    const calendar = new SaltCalendar();
    expect(calendar.periodOf(day('2026-11-21'))).toEqual({ key: '', endDay: null });
    expect(calendar.endOf('')).toBeNull();
  });

  test('leap days and ends of years', () => {
    const monthly = new SaltCalendar([{ policy: 'monthly', fromDay: null }]);
    expect(monthly.periodOf(day('2024-02-29'))).toEqual({ key: '2024-02', endDay: day('2024-03-01') });
    expect(monthly.periodOf(day('2023-12-31'))).toEqual({ key: '2023-12', endDay: day('2024-01-01') });
    expect(monthly.endOf('2024-02')).toBe(day('2024-03-01'));
    expect(monthly.endOf('2024-02-29')).toBe(day('2024-03-01'));
  });
});

test('late events are taken for seven days after the period, and not on the eighth', () => {
  const endDay = day('2026-12-01');
  expect(isClosed({ endDay }, endDay + LATE_DAYS - 1)).toBe(false);
  expect(isClosed({ endDay }, endDay + LATE_DAYS)).toBe(true);
  expect(isClosed({ endDay: null }, endDay + 10_000)).toBe(false);
});

describe('a new policy', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const past = [{ policy: 'fixed', fromDay: null }] as const;

  test('is for days on which no event can lie yet: they may come up to a day early', () => {
    expect(withSaltPolicy(past, 'daily', { now, begun: true })).toEqual([
      ...past,
      { policy: 'daily', fromDay: day('2026-11-23') },
    ]);
    const midnight = Date.parse('2026-11-21T23:59:59Z');
    expect(withSaltPolicy(past, 'daily', { now: midnight, begun: true }).at(-1)?.fromDay).toBe(day('2026-11-24'));
  });

  test('replaces what was planned and has not begun, and leaves what has', () => {
    const planned = withSaltPolicy(past, 'daily', { now, begun: true });
    expect(withSaltPolicy(planned, 'monthly', { now, begun: true })).toEqual([
      ...past,
      { policy: 'monthly', fromDay: day('2026-11-23') },
    ]);
    expect(withSaltPolicy(planned, 'fixed', { now, begun: true })).toEqual(past);
    const later = now + DAY_MS;
    expect(withSaltPolicy(planned, 'fixed', { now: later, begun: true })).toEqual([
      ...planned,
      { policy: 'fixed', fromDay: day('2026-11-24') },
    ]);
  });

  test('holds from the beginning if no one has an id yet', () => {
    expect(withSaltPolicy(past, 'monthly', { now, begun: false })).toEqual([{ policy: 'monthly', fromDay: null }]);
  });
});
