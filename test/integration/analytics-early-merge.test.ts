import { afterAll, beforeAll, expect, test } from 'vitest';
import { EarlyMerge } from '../../src/analytics/counts/early-merge.ts';
import { rebuildProject } from '../../src/analytics/counts/rebuild.ts';
import { planSharedMerge } from '../../src/analytics/counts/shared-merge.ts';
import { ofFamily } from '../../src/analytics/storage/tables.ts';
import { readManifest } from '../../src/store/analytics-manifest.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { eventsOf, fillProject } from '../support/analytics-load.ts';
import { expectExactly, knownUpTo } from '../support/counted-exactly.ts';

let bench: AnalyticsBench;
beforeAll(async () => {
  bench = await analyticsBench();
});
afterAll(() => bench.close());

/** A project with unmerged events. */
async function projectIn(shards: number): Promise<string> {
  const project = await fillProject(bench, { batches: 2, unmerged: 0 });
  await rebuildProject(bench, project, {}, shards);
  const ingestor = await bench.ingestor({ rememberedIds: 0 });
  await ingestor.ingest(project, eventsOf(2));
  await ingestor.flush();
  return project;
}

const unmerged = async (project: string) =>
  ofFamily((await readManifest(bench.database.db, project)).files, 'unmerged').length;

/** Unmerged files once these events were told of, and what came of it is done. */
async function leftAfter(project: string, events: number): Promise<number> {
  const early = new EarlyMerge(bench);
  early.add(project, events);
  await early.close();
  await expectExactly(bench, project, knownUpTo(3));
  return unmerged(project);
}

test('many events are merged before the schedule comes; in shards, once there are as many times so many', async () => {
  expect(await leftAfter(await projectIn(1), 199_999)).toBe(1);
  expect(await leftAfter(await projectIn(1), 200_000)).toBe(0);
  expect(await leftAfter(await projectIn(4), 799_999)).toBe(1);
  expect(await leftAfter(await projectIn(4), 800_000)).toBe(0);
});

test('what comes while others are merged, or are too few, is added up', async () => {
  const project = await projectIn(4);
  const early = new EarlyMerge(bench);
  for (const events of [200_000, 300_000, 300_000]) early.add(project, events);
  await expect.poll(() => unmerged(project)).toBe(0);
  await early.close();
});

test('what workers are merging is left to them', async () => {
  const project = await projectIn(4);
  await planSharedMerge(bench, project);
  expect(await leftAfter(project, 800_000)).toBe(1);
});
