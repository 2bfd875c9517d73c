import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '@docent/base/time';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import type { Range } from '../../src/analytics/events/days.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { createLogger } from '../../src/platform/log.ts';
import { startAnalyticsApi, type AnalyticsApi } from '../support/analytics-api.ts';
import { BATCH, eventsOf, knownEventsOf } from '../support/analytics-load.ts';
import { bruteCount, type Row } from '../support/brute-count.ts';
import { times } from '../support/how-often.ts';

const BATCHES = 30;
/** The days on which the events happen, and one before and after. */
const FROM_DAY = Date.UTC(2026, 8, 30) / DAY_MS;
const TO_DAY = Date.UTC(2026, 9, 22) / DAY_MS;
const EVENTS = Array.from({ length: BATCHES }, (_, no) => knownEventsOf(no)).flat();

let bench: AnalyticsApi;
let duck: Duck;
let project: string;

/** Some events are merged into the cube, some wait, and one batch is sent twice. */
beforeAll(async () => {
  bench = await startAnalyticsApi();
  const folder = new AnalyticsFolder(bench.folder);
  duck = await Duck.open({ memoryMb: 256, threads: 1, connections: 2, temporaryFolder: folder.temporaryFolder });
  const log = createLogger({ level: 'fatal', name: 'test' });
  project = await bench.api.addProject();
  for (let no = 0; no < BATCHES; no += 1) {
    const { status, json } = await bench.api.call(`/v1/analytics/${project}/events`, {
      body: { events: eventsOf(no) },
    });
    expect([status, json.accepted]).toEqual([202, BATCH]);
    if (no % 8 !== 7) continue;
    await bench.analytics.ingestor.flush();
    await mergeProject({ database: bench.api.database, folder, duck, log }, project);
  }
  await bench.api.call(`/v1/analytics/${project}/events`, { body: { events: eventsOf(3) } });
  await bench.analytics.ingestor.flush();
});
afterAll(async () => {
  duck?.close();
  await bench?.close();
});

async function counted(measure: 'visitors' | 'views', { from, to }: Range): Promise<Row[]> {
  const query = new URLSearchParams({ limit: '250' });
  if (from !== null) query.set('dateFrom', new Date(from).toISOString());
  if (to !== null) query.set('dateTo', new Date(to).toISOString());
  const { status, json } = await bench.api.call(`/v1/analytics/${project}/${measure}?${query}`);
  expect(status).toBe(200);
  const rows = json[measure] as Row[];
  // A site without readers in the range has no row in the brute-force count.
  return json.totals.total === 0 ? rows : [{ path: '', ...json.totals }, ...rows];
}

/** Whole days, and instants within a day. */
const instant = fc
  .tuple(fc.integer({ min: FROM_DAY, max: TO_DAY }), fc.constantFrom(0, 0, 1, 41_234_567, DAY_MS - 1))
  .map(([day, ms]) => day * DAY_MS + ms);
const range = fc
  .tuple(fc.option(instant), fc.option(instant))
  .map(([a, b]): Range => (a !== null && b !== null && a > b ? { from: b, to: a } : { from: a, to: b }));

test('visitors and views of any range are the ones that a brute-force count finds', async () => {
  await fc.assert(
    fc.asyncProperty(range, async (asked) => {
      for (const measure of ['visitors', 'views'] as const)
        expect(await counted(measure, asked)).toEqual(bruteCount(EVENTS, measure, asked));
    }),
    { numRuns: times(30) },
  );
});
