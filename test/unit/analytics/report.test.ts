import { expect, test } from 'vitest';
import { alertsOf } from '../../../src/analytics/report/alert.ts';
import { lastPeriod } from '../../../src/analytics/report/period.ts';
import { alertText, reportText } from '../../../src/analytics/report/text.ts';

const iso = (instant: number) => new Date(instant).toISOString();
const periodAt = (every: 'week' | 'month', zone: string, now: string) => {
  const { key, from, to, before } = lastPeriod(every, zone, Date.parse(now));
  return [key, iso(before), iso(from), iso(to)];
};

test('a week is from Monday to Sunday in the zone, even when clocks change, and is due eight hours later', () => {
  const week = ['2026-10-19', '2026-10-11T22:00:00.000Z', '2026-10-18T22:00:00.000Z', '2026-10-25T23:00:00.000Z'];
  expect(periodAt('week', 'Europe/Berlin', '2026-10-26T07:00:00Z')).toEqual(week);
  expect(periodAt('week', 'Europe/Berlin', '2026-11-02T06:59:59Z')).toEqual(week);
  expect(periodAt('week', 'Europe/Berlin', '2026-10-26T06:59:59Z')[0]).toBe('2026-10-12');
});

test('a month is a calendar month in the zone', () => {
  const december = ['2025-12-01', '2025-11-01T04:00:00.000Z', '2025-12-01T05:00:00.000Z', '2026-01-01T05:00:00.000Z'];
  expect(periodAt('month', 'America/New_York', '2026-01-15T00:00:00Z')).toEqual(december);
  // Clocks skip midnight there: the day begins at one.
  expect(periodAt('month', 'Africa/Cairo', '2026-05-02T00:00:00Z')[0]).toBe('2026-04-01');
});

const DAY = 20_000;
const dateOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
const daysWith = (counts: Record<number, { human: number; ai: number }>) =>
  Object.entries(counts).map(([day, { human, ai }]) => ({
    date: dateOf(Number(day)),
    visitors: { human, ai, total: human + ai },
  }));
const weeks = (human: readonly number[]) =>
  Object.fromEntries(human.map((count, week) => [DAY - 7 * (week + 1), { human: count, ai: 0 }]));
const kindsOf = (human: number, before: readonly number[], firstDay = 0) =>
  alertsOf({ day: DAY, firstDay }, daysWith({ ...weeks(before), [DAY]: { human, ai: 0 } })).map(({ kind }) => kind);

test('a day is unusual if it has twice or half the median of its weekday, and at least 50 visitors of difference', () => {
  const usual = [100, 100, 100, 1_000, 100, 0, 100, 100];
  expect(kindsOf(200, usual)).toEqual(['spike']);
  expect(kindsOf(199, usual)).toEqual([]);
  expect(kindsOf(50, usual)).toEqual(['drop']);
  expect(kindsOf(51, usual)).toEqual([]);
  expect(kindsOf(49, [0, 0, 0, 0, 0, 0, 0, 0])).toEqual([]);
  expect(kindsOf(50, [0, 0, 0, 0, 0, 0, 0, 0])).toEqual(['spike']);
});

test('weeks before the first page view are not weeks without readers', () => {
  const before = [100, 100, 100, 100];
  expect(kindsOf(10, before, DAY - 28)).toEqual(['drop']);
  expect(kindsOf(10, before, DAY - 27)).toEqual([]);
});

test('humans and AI are compared separately: at most two alerts a day', () => {
  const usual = Object.fromEntries([1, 2, 3, 4].map((week) => [DAY - 7 * week, { human: 500, ai: 10 }]));
  const found = alertsOf({ day: DAY, firstDay: DAY - 28 }, daysWith({ ...usual, [DAY]: { human: 100, ai: 90 } }));
  const day = dateOf(DAY);
  expect(found).toEqual([
    { kind: 'drop', readers: 'human', day, visitors: 100, usual: 500, weeks: 4 },
    { kind: 'spike', readers: 'ai', day, visitors: 90, usual: 10, weeks: 4 },
  ]);
  expect(alertText('acme', found[0]!, 'https://d.example/a').text).toContain('weeks was 500');
});

test('a report shows exact numbers, and strangers can neither add lines nor turn its text around', () => {
  const none = { human: 0, ai: 0, total: 0 };
  const { subject, text } = reportText(
    'acme',
    {
      every: 'week',
      from: '2026-10-18T22:00:00.000Z',
      to: '2026-10-25T23:00:00.000Z',
      timeZone: 'Europe/Berlin',
      visitors: { now: { human: 1_200, ai: 34, total: 1_230 }, before: { human: 600, ai: 0, total: 600 } },
      views: { now: { human: 9, ai: 0, total: 9 }, before: none },
      pages: [{ path: '/a\n- forged\u202e', human: 5, ai: 1, total: 6 }],
      brokenLinks: [],
      agents: [],
      pullRequests: [{ title: 'Fix links', mergedAt: '2026-10-20T10:00:00.000Z', jobId: 'j' }],
    },
    'https://d.example/a',
  );
  expect(subject).toBe('acme: reader report, Oct 19, 2026 to Oct 25, 2026');
  expect(text).toContain('- 1,230 in total (+105% compared with the previous week: 600)\n');
  expect(text).toContain('- 34 AI assistants\n');
  expect(text).toContain('- Fix links (Oct 20, 2026)');
  expect(text).not.toMatch(/\n- forged|\u202e|Broken links/);
});
