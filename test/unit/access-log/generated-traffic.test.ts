import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { accessLog } from '../../../scripts/bench/access-log.ts';
import { generateEvents, toAccessLogLine, toEventInput } from '../../../scripts/generate-events.ts';
import { readEvent } from '../../../src/analytics/events/read-event.ts';
import { readLogLine } from '@docent/access-log/lines/line-reader';
import { seenIn } from '@docent/access-log/lines/page-view';
import { times } from '../../support/how-often.ts';

const START = Date.UTC(2026, 9, 1);

function read(line: string) {
  const record = readLogLine(Buffer.from(line), 0, Buffer.byteLength(line));
  if (typeof record === 'string') throw new Error(`${record}: ${line}`);
  return { ...record, seen: seenIn(record) };
}

test('generated events are page views in order of time, and say the same as lines of a log', () => {
  const options = fc.record({
    seed: fc.nat(),
    model: fc.constantFrom('returning', 'rare'),
    events: fc.integer({ min: 1, max: 300 }),
  });
  fc.assert(
    fc.property(options, (some) => {
      let before = START;
      for (const event of generateEvents({ ...some, days: 3, paths: 50, start: START })) {
        expect(event.timestamp).toBeGreaterThanOrEqual(before);
        before = event.timestamp;
        const sent = readEvent(toEventInput(event), { now: before, floorDay: null });
        const { seen, ip, userAgent } = read(toAccessLogLine(event));
        expect(sent.source).toEqual({ ip, userAgent: userAgent?.text });
        expect(seen).toMatchObject({ path: { value: sent.event.path }, format: sent.event.format });
      }
    }),
    { numRuns: times(20) },
  );
});

// A log whose lines are too much alike would make an import look faster than it is for anyone.
test('the log that imports are measured with has as many clients, pages and kinds of requests as a real one', () => {
  const lines = [...accessLog(8_000)].map((line) => read(line.trimEnd()));
  const different = (of: (line: (typeof lines)[number]) => unknown) => new Set(lines.map(of)).size;
  expect(different(({ ip }) => ip)).toBeGreaterThan(lines.length / 3);
  expect(different(({ userAgent }) => userAgent?.text)).toBeGreaterThan(200);
  expect(different(({ pathOrUrl }) => pathOrUrl.text)).toBeGreaterThan(2_000);
  expect(different(({ seen }) => (typeof seen === 'string' ? seen : seen.kind))).toBeGreaterThan(4);
});
