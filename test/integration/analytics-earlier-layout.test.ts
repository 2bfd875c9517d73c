import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compactProject } from '../../src/analytics/counts/compact.ts';
import { foldProject } from '../../src/analytics/counts/fold.ts';
import { maintain } from '../../src/analytics/upkeep/maintain.ts';
import { commit } from '../../src/analytics/storage/storage.ts';
import { ofFamily } from '../../src/analytics/storage/tables.ts';
import { findAnalytics, readManifest } from '../../src/store/analytics-manifest.ts';
import { analyticsProjects } from '../../src/store/analytics-schema.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { eventsOf, knownEventsOf } from '../support/analytics-load.ts';
import { bruteCount } from '../support/brute-count.ts';

let bench: AnalyticsBench;
beforeAll(async () => {
  bench = await analyticsBench();
});
afterAll(async () => {
  await bench.close();
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FIRST = Date.UTC(2026, 9, 1);
const WHOLE = { from: FIRST + 3 * DAY, to: FIRST + 15 * DAY };
const UNEVEN = { from: FIRST + 3 * DAY + 7 * HOUR, to: FIRST + 15 * DAY + 11 * HOUR };

test('counts of a version that kept no returns answer whole days, are made anew by the upkeep, and then answer all', async () => {
  const project = await bench.newProject();
  const ingestor = await bench.ingestor();
  for (let no = 0; no < 8; no += 1) {
    await ingestor.ingest(project, eventsOf(no));
    await ingestor.flush();
    await foldProject(bench, project);
  }
  const events = Array.from({ length: 8 }, (_, no) => knownEventsOf(no)).flat();
  await forgetReturns(project);
  const ask = (range: typeof WHOLE) =>
    bench.snapshots.use(project, undefined, (snapshot) =>
      bench.queries.byPath(snapshot, 'visitors', range, { limit: 250, offset: 0 }),
    );
  const counted = (range: typeof WHOLE) => bruteCount(events, 'visitors', range).filter((row) => row.path !== '');
  expect((await ask(WHOLE)).rows).toEqual(counted(WHOLE));
  await expect(ask(UNEVEN)).rejects.toMatchObject({ code: 'unavailable' });

  const { version: earlier } = await readManifest(bench.database.db, project);
  await maintain(bench, project, { retentionDays: null, clock: { now: () => FIRST + 30 * DAY } });
  expect((await ask(UNEVEN)).rows).toEqual(counted(UNEVEN));
  await expect(readManifest(bench.database.db, project, earlier)).rejects.toThrow();
  const { version } = await readManifest(bench.database.db, project);
  await maintain(bench, project, { retentionDays: null, clock: { now: () => FIRST + 30 * DAY } });
  expect((await readManifest(bench.database.db, project)).version).toBe(version);
});

/** As an earlier version left it: counts without returns. */
async function forgetReturns(project: string): Promise<void> {
  await compactProject(bench, project);
  const { files } = await readManifest(bench.database.db, project);
  const returns = ofFamily(files, 'returns').map(({ id }) => id);
  expect(returns.length).toBeGreaterThan(0);
  const head = await findAnalytics(bench.database.db, project);
  await commit(bench.database, bench.folder, { projectId: project, fence: head!.fence, remove: returns, add: [] });
  await bench.database.db.update(analyticsProjects).set({ layout: 1 }).where(eq(analyticsProjects.projectId, project));
}
