import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { AppError } from '../../src/platform/errors.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { BATCH, eventsOf } from '../support/analytics-load.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const disk = mountSmallDisk('12m');

let bench: AnalyticsBench;
beforeAll(async () => {
  if (disk) bench = await analyticsBench({ root: path.join(disk.folder, 'analytics') });
});
afterAll(async () => {
  await bench?.close();
  disk?.remove();
});

// A small disk needs the right to mount: run as root to test this.
test.skipIf(!disk)('a full disk refuses events, loses none, and takes them again once there is room', async () => {
  const project = await bench.newProject();
  const ingestor = await bench.ingestor({ rememberedIds: 0 });
  let accepted = 0;
  for (let no = 0; no < 5; no += 1) accepted += (await ingestor.ingest(project, eventsOf(no))).accepted;
  disk!.fillUp();
  const refused: unknown[] = [];
  for (let no = 5; no < 40; no += 1) {
    try {
      accepted += (await ingestor.ingest(project, eventsOf(no))).accepted;
    } catch (err) {
      refused.push(err);
    }
  }
  expect(refused.length).toBeGreaterThan(0);
  for (const err of refused) {
    expect(err).toBeInstanceOf(AppError);
    expect(err).toMatchObject({ code: 'storage_full', retryAfterSeconds: 30 });
  }
  // Sealing fails too, and loses nothing.
  await expect(ingestor.flush()).rejects.toThrow(/cannot be sealed/);

  disk!.makeRoom();
  for (let no = 40; no < 45; no += 1) accepted += (await ingestor.ingest(project, eventsOf(no))).accepted;
  await ingestor.flush();
  const views = () =>
    bench.versions.use(project, undefined, async (pinned) => {
      const all = { from: null, to: null };
      return (await bench.queries.byPath(pinned, 'views', all, { limit: 1, offset: 0 })).totals.total;
    });
  expect(accepted % BATCH).toBe(0);
  expect(await views()).toBe(accepted);

  disk!.fillUp();
  await expect(mergeProject(bench, project)).rejects.toThrow();
  disk!.makeRoom();
  expect(await views()).toBe(accepted);
  await mergeProject(bench, project);
  expect(await views()).toBe(accepted);
});
