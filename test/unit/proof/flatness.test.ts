import { expect, test } from 'vitest';
import { trends } from '../../faults/proof/flatness.ts';

/** WatchedJobRow at 100 times in 8 hours. */
function seriesOf(valueAt: (look: number) => number) {
  const looks = Array.from({ length: 100 }, (_, look) => look);
  return { at: looks.map((look) => (look * 8) / 100), values: looks.map(valueAt) };
}

test.each<[string, string, (look: number) => number, boolean]>([
  ['memory that fills up at first', 'memory of api-1, MB', (look) => (look < 20 ? 100 + look * 10 : 300), true],
  ['memory that leaks', 'memory of api-1, MB', (look) => 300 + look, false],
  ['memory that goes up and down', 'memory of api-1, MB', (look) => 300 + (look % 7) * 20, true],
  ['files that stay open', 'open files of worker-1', (look) => 40 + look / 2, false],
  ['connections that stay open', 'connections to the database', (look) => 10 + look / 3, false],
  ['a table of what is kept', 'table jobs, MB', (look) => 1 + look * 0.5, true],
  ['a table in which a job costs more and more', 'table jobs, MB', (look) => 1 + look ** 2 / 50, false],
])('%s', (_, name, valueAt, isFlat) => {
  const all = new Map([
    [name, seriesOf(valueAt)],
    ['jobs', seriesOf((look) => look * 10)],
  ]);
  expect(trends(all)).toMatchObject([{ name, isFlat }]);
});
