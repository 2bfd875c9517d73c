import { access, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compactProject } from '../../src/analytics/counts/compact.ts';
import { mergeProject } from '../../src/analytics/counts/merge.ts';
import { rebuildProject } from '../../src/analytics/counts/rebuild.ts';
import { makeIndexes } from '../../src/analytics/counts/presence-index/make-indexes.ts';
import { makeImages } from '../../src/analytics/query/make-images.ts';
import { PinnedVersions } from '../../src/analytics/query/pinned-version.ts';
import { Queries } from '../../src/analytics/query/queries.ts';
import { filesBelow } from '../../src/analytics/storage/files-below.ts';
import { deleteRemoved, eraseVisitor } from '../../src/analytics/upkeep/erase.ts';
import { GarbageCollector } from '../../src/analytics/upkeep/garbage-collector.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { eventsOf } from '../support/analytics-load.ts';
import { expectExactly, knownUpTo } from '../support/counted-exactly.ts';

let bench: AnalyticsBench;
beforeAll(async () => {
  bench = await analyticsBench();
});
afterAll(() => bench.close());

const presenceFolder = (project: string) => path.join(bench.folder.filesFolder, project, 'presence');
const indexesOf = async (project: string) =>
  (await filesBelow(presenceFolder(project))).filter((file) => file.endsWith('.index'));

const imagesOf = async (project: string) =>
  (await filesBelow(path.join(bench.folder.filesFolder, project, 'cube'))).filter((file) => file.endsWith('.image'));
const EVERYTHING = { limit: 1_000, offset: 0 };

/** A project whose batches were merged one by one, with indexes made on the way. */
async function indexed(batches: number): Promise<string> {
  const project = await bench.newProject();
  const ingestor = await bench.ingestor({ rememberedIds: 0 });
  for (let no = 0; no < batches; no += 1) {
    await ingestor.ingest(project, eventsOf(no));
    await ingestor.flush();
    await mergeProject(bench, project);
    if (no % 2 === 0) await makeIndexes(bench, project, 1);
  }
  return project;
}

test('counts are exact where merges look into indexes, and no index stays behind the file that it is of', async () => {
  const project = await indexed(6);
  expect((await indexesOf(project)).length).toBeGreaterThan(2);
  await expectExactly(bench, project, knownUpTo(6));

  await compactProject(bench, project);
  await makeIndexes(bench, project, 1);
  await expectExactly(bench, project, knownUpTo(6));

  const [before] = await indexesOf(project);
  await eraseVisitor(bench, project, { visitorId: 'v1' });
  await expect(access(before!)).rejects.toThrow('ENOENT');
  expect(await indexesOf(project)).toEqual([]);
  await expectExactly(
    bench,
    project,
    knownUpTo(6).filter(({ visitor }) => visitor !== 'v1'),
  );
});

test('counts are exact from images of the cube, and none stays behind the file that it is of', async () => {
  const project = await indexed(3);
  expect(await makeImages(bench, project, 1)).toBeGreaterThan(0);
  // Another process: it has nothing in memory.
  const others = new PinnedVersions(bench.database, bench.folder, bench.duck);
  const asked = () =>
    others.use(project, undefined, (pinned) =>
      new Queries(bench.folder, bench.duck).byPath(pinned, 'visitors', { from: null, to: null }, EVERYTHING),
    );
  const imaged = await asked();
  for (const image of await imagesOf(project)) await rm(image);
  await others.close();
  await expectExactly(bench, project, knownUpTo(3));
  expect(await asked()).toEqual(imaged);

  await makeImages(bench, project, 1);
  const before = await imagesOf(project);
  await rebuildProject(bench, project, {});
  await deleteRemoved(bench, project, null);
  for (const image of before) await expect(access(image)).rejects.toThrow('ENOENT');
  expect(await makeImages(bench, project, 1)).toBeGreaterThan(0);
  await expectExactly(bench, project, knownUpTo(3));
});

test('garbage collection leaves indexes and images alone while their files count, and clears away those of no file', async () => {
  const project = await indexed(2);
  await makeImages(bench, project, 1);
  const kept = [...(await indexesOf(project)), ...(await imagesOf(project))];
  expect(kept.length).toBeGreaterThan(1);
  const orphans = ['presence/of-no-file.index', 'cube/of-no-file.image'].map((name) =>
    path.join(bench.folder.filesFolder, project, name),
  );
  for (const orphan of orphans) await writeFile(orphan, 'x');
  let elapsed = 0;
  const collector = new GarbageCollector(bench, { wall: () => Date.now(), monotonic: () => elapsed });
  await collector.collect();
  elapsed += 2 * 3_600_000;
  await collector.collect();
  expect([...(await indexesOf(project)), ...(await imagesOf(project))]).toEqual(kept);
  for (const orphan of orphans) await expect(access(orphan)).rejects.toThrow('ENOENT');
});
