import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseInstant } from '@docent/base/instant';
import { dateText, dayOf } from '../../../src/analytics/events/days.ts';

describe('parseInstant', () => {
  test.each([
    ['2026-11-21', Date.UTC(2026, 10, 21)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['0001-01-01', Date.parse('0001-01-01T00:00:00Z')],
    ['9999-12-31', Date.UTC(9999, 11, 31)],
    ['2026-11-21T08:30:00Z', Date.UTC(2026, 10, 21, 8, 30)],
    ['2026-11-21T08:30', Date.UTC(2026, 10, 21, 8, 30)],
    ['2026-11-21T08:30:00+02:00', Date.UTC(2026, 10, 21, 6, 30)],
    ['2026-11-21T08:30:00 02:00', Date.UTC(2026, 10, 21, 6, 30)],
    ['2026-11-21T08:30:00.0001Z', Date.UTC(2026, 10, 21, 8, 30, 0, 1)],
    ['2026-11-21T23:59:60Z', Date.UTC(2026, 10, 22)],
    ['2026-11-21t08:30:00.250z', Date.UTC(2026, 10, 21, 8, 30, 0, 250)],
    ['20261121', Date.UTC(2026, 10, 21)],
    ['20261121T083015Z', Date.UTC(2026, 10, 21, 8, 30, 15)],
    ['20261121T0830+0200', Date.UTC(2026, 10, 21, 6, 30)],
    ['20261121T083015,5Z', Date.UTC(2026, 10, 21, 8, 30, 15, 500)],
    ['2026-11-21T08Z', Date.UTC(2026, 10, 21, 8)],
    ['20261121T08+02', Date.UTC(2026, 10, 21, 6)],
    ['2026-11-21T24:00:00Z', Date.UTC(2026, 10, 22)],
    ['2026-12-31T24:00', Date.UTC(2027, 0, 1)],
    ['2026-11-21T08:30:00+02', Date.UTC(2026, 10, 21, 6, 30)],
    ['2026-11-21T08:30:00-0330', Date.UTC(2026, 10, 21, 12)],
  ])('%s', (text, instant) => expect(parseInstant(text, Math.ceil)).toBe(instant));

  test.each([
    '2024-02-30',
    '2023-02-29',
    '2026-13-01',
    '2026-00-10',
    '0000-01-01',
    '2026-11-21T24:00:01Z',
    '2026-11-21T24:00:00.001Z',
    '2026-11-21T25:00Z',
    '20261321',
    '2026-1121',
    '20261121T08:30Z',
    '2026-W45',
    '2026-11-21T',
    '2026-11-21T8Z',
    '2026-305',
    '2026-11',
    '2026-11-21T23:59:61Z',
    '2026-11-21T08:30:00+25:00',
    '2026-1-1',
    '',
    'today',
    '١٢٣٤-٠١-٠١',
    '-2026-11-21',
  ])('refuses %s', (text) => expect(parseInstant(text, Math.ceil)).toBeNull());

  test('reads the output of Date', () => {
    const some = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(some, (date) => {
        expect(parseInstant(date.toISOString(), Math.ceil)).toBe(date.getTime());
        expect(parseInstant(dateText(dayOf(date.getTime())), Math.ceil)).toBe(dayOf(date.getTime()) * 86_400_000);
      }),
    );
  });
});
