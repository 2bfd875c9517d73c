import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { findAnalytics } from '../../src/store/analytics/manifest.ts';
import { analyticsProjects, LAYOUT } from '../../src/store/analytics/analytics-schema.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { BATCH, fillProject } from '../support/analytics-load.ts';

let bench: AnalyticsBench;
beforeAll(async () => {
  bench = await analyticsBench();
});
afterAll(async () => {
  await bench.close();
});

const ALL = { from: null, to: null };

test("counts in another version's layout are neither returned nor changed", async () => {
  const project = await fillProject(bench, { batches: 2, unmerged: 1 });
  const setLayout = (layout: number) =>
    bench.database.db.update(analyticsProjects).set({ layout }).where(eq(analyticsProjects.projectId, project));
  const views = () =>
    bench.versions.use(project, undefined, async (pinned) => {
      const { totals } = await bench.queries.byPath(pinned, 'views', ALL, { limit: 1, offset: 0 });
      return totals.total;
    });
  await setLayout(LAYOUT + 1);
  const before = await findAnalytics(bench.database.db, project);
  const refusal = { code: 'unavailable', message: expect.stringContaining('another version of Docent') };
  await expect(views()).rejects.toMatchObject(refusal);
  await expect(mergeProject(bench, project)).rejects.toMatchObject(refusal);
  expect(await findAnalytics(bench.database.db, project)).toEqual(before);

  await setLayout(LAYOUT);
  expect(await views()).toBe(2 * BATCH);
});
