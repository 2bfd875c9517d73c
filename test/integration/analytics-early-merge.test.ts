import { afterAll, beforeAll, expect, test } from 'vitest';
import { EarlyMerge } from '../../src/analytics/maintenance/early-merge.ts';
import { ofFamily } from '../../src/analytics/storage/tables.ts';
import { readManifest } from '../../src/store/analytics/manifest.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { eventsOf, fillProject } from '../support/analytics-load.ts';
import { expectExactly, knownUpTo } from '../support/counted-exactly.ts';

let bench: AnalyticsBench;
beforeAll(async () => {
  bench = await analyticsBench();
});
afterAll(() => bench.close());

/** A project with unmerged events. */
async function newProject(): Promise<string> {
  const project = await fillProject(bench, { batches: 2, unmerged: 0 });
  const ingestor = await bench.ingestor({ rememberedIds: 0 });
  await ingestor.ingest(project, eventsOf(2));
  await ingestor.flush();
  return project;
}

const unmerged = async (project: string) =>
  ofFamily((await readManifest(bench.database.db, project)).files, 'unmerged').length;

/** Unmerged files once these events were announced and processed. */
async function leftAfter(project: string, events: number): Promise<number> {
  const early = new EarlyMerge(bench);
  early.add(project, events);
  await early.close();
  await expectExactly(bench, project, knownUpTo(3));
  return unmerged(project);
}

test('many events are merged before the schedule comes', async () => {
  expect(await leftAfter(await newProject(), 199_999)).toBe(1);
  expect(await leftAfter(await newProject(), 200_000)).toBe(0);
});

test('events that arrive during a merge, or are too few, are added up', async () => {
  const project = await newProject();
  const early = new EarlyMerge(bench);
  for (const events of [50_000, 75_000, 75_000]) early.add(project, events);
  await expect.poll(() => unmerged(project)).toBe(0);
  await early.close();
});
