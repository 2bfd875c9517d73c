import { expect, test } from 'vitest';
import { accessLog } from '../../../scripts/bench/access-log.ts';
import { readLogLine } from '../../../src/analytics/ingest/logs/formats/log-line.ts';
import { seenIn } from '../../../src/analytics/ingest/logs/formats/page-view.ts';

const LINES = 100_000;
const lines = [...accessLog(LINES)];
const records = lines.map((line) => {
  const record = readLogLine(Buffer.from(line), 0, line.length - 1);
  if (typeof record === 'string') throw new Error(`${record}: ${line}`);
  const { pathOrUrl, userAgent, referrer, ...rest } = record;
  const seen = seenIn(record);
  return { ...rest, seen, pathOrUrl: pathOrUrl.text, userAgent: userAgent?.text, referrer: referrer?.text };
});
type Line = (typeof records)[number];
const share = (of: (line: Line) => boolean) => records.filter(of).length / LINES;
/** The share of one section's pages. */
const guides = (of: Line[]) => of.filter(({ pathOrUrl }) => pathOrUrl.startsWith('/guides/')).length / of.length;
const different = (of: (line: Line) => unknown) => new Set(records.map(of)).size;

// A log whose lines are too much alike would make an import look faster than it is for anybody.
test('the log that imports are measured with has as many clients, pages and kinds of requests as a real one', () => {
  expect(different(({ ip }) => ip)).toBeGreaterThan(LINES / 3);
  expect(different(({ userAgent }) => userAgent)).toBeGreaterThan(300);
  expect(different(({ pathOrUrl }) => pathOrUrl)).toBeGreaterThan(5_000);
  expect(different(({ referrer }) => referrer)).toBeGreaterThan(3_000);
  expect(share(({ ip }) => ip.includes(':'))).toBeCloseTo(0.33, 1);
  expect(share(({ seen }) => seen === 'asset')).toBeCloseTo(0.25, 1);
  expect(share(({ seen }) => typeof seen === 'object')).toBeCloseTo(0.7, 1);
  for (const reason of ['method', 'redirect', 'error'])
    expect(share(({ seen }) => seen === reason)).toBeGreaterThan(0.005);
  expect(share(({ status }) => status === 404)).toBeGreaterThan(0.02);
});

test('who comes does not decide what is read, with what, or from where', () => {
  const [first] = records;
  const busiest = [...Map.groupBy(records, ({ ip }) => ip).values()].toSorted((a, b) => b.length - a.length)[0]!;
  expect(busiest.length).toBeGreaterThan(LINES / 1_000);
  expect(new Set(busiest.map(({ pathOrUrl }) => pathOrUrl)).size).toBeGreaterThan(busiest.length / 3);
  expect(new Set(busiest.map(({ referrer }) => referrer)).size).toBeGreaterThan(20);
  const alike = records.filter(({ userAgent }) => userAgent === first!.userAgent);
  expect(guides(alike)).toBeCloseTo(guides(records), 1);
});

test('it is the same each time, in the order of time', () => {
  expect([...accessLog(2_000)]).toEqual(lines.slice(0, 2_000));
  let before = 0;
  for (const { timestampMs } of records) {
    expect(timestampMs).toBeGreaterThanOrEqual(before);
    before = timestampMs;
  }
});
