import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compactProject } from '../../src/analytics/counts/compact.ts';
import { mergeProject } from '../../src/analytics/counts/merge.ts';
import { rebuildProject } from '../../src/analytics/counts/rebuild.ts';
import { mergeShard, planSharedMerge, publishSharedMerge } from '../../src/analytics/counts/shared-merge.ts';
import { filesBelow } from '../../src/analytics/storage/files-below.ts';
import { ofFamily } from '../../src/analytics/storage/tables.ts';
import { deleteRemoved, dropBefore, eraseVisitor } from '../../src/analytics/upkeep/erase.ts';
import { readManifest } from '../../src/store/analytics-manifest.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { eventsOf, fillProject } from '../support/analytics-load.ts';
import { runProcess } from '../support/analytics-runs.ts';
import { mergeAsWorkersDo } from '../support/analytics-shards.ts';
import { collectAnHourLater } from '../support/collect-garbage.ts';
import { expectExactly, knownUpTo } from '../support/counted-exactly.ts';

const SHARDS = 4;
let bench: AnalyticsBench;

beforeAll(async () => {
  bench = await analyticsBench();
});
afterAll(() => bench.close());

/** Six batches, of which four are merged in shards. */
async function filled(): Promise<string> {
  const project = await fillProject(bench, { batches: 6, unmerged: 2 });
  await rebuildProject(bench, project, {}, SHARDS);
  await take(project, 6, 8);
  return project;
}

async function take(project: string, from: number, to: number): Promise<void> {
  const ingestor = await bench.ingestor({ rememberedIds: 0 });
  for (let no = from; no < to; no += 1) await ingestor.ingest(project, eventsOf(no));
  await ingestor.flush();
}

const namedOf = async (project: string) =>
  (await readManifest(bench.database.db, project)).files.map(({ path }) => bench.folder.fileOf(path)).toSorted();

/** What no manifest names is gone an hour later. */
async function expectNothingLeft(project: string): Promise<void> {
  await collectAnHourLater(bench);
  await deleteRemoved(bench, project, null);
  const files = await filesBelow(`${bench.folder.filesFolder}/${project}`);
  expect(files.toSorted()).toEqual(await namedOf(project));
}

describe('a process that shares a merge dies', () => {
  test.each(['shared-merge-planned', 'shard-written', 'shared-merge-published'])(
    'at %s: each event counts once, and what was written in vain goes',
    async (fault) => {
      const project = await filled();
      const { signal, errors } = await runProcess(bench, { do: 'merge in shards', project, fault });
      expect(signal, errors).toBe('SIGKILL');
      await expectExactly(bench, project, knownUpTo(8));
      await mergeAsWorkersDo(bench, project);
      const { files } = await readManifest(bench.database.db, project);
      expect(ofFamily(files, 'unmerged')).toEqual([]);
      await expectExactly(bench, project, knownUpTo(8));
      await expectNothingLeft(project);
    },
  );

  test.each(['rebuild-written', 'rebuild-committed'])('or that changes their number, at %s', async (fault) => {
    const project = await fillProject(bench, { batches: 6, unmerged: 2 });
    const { signal, errors } = await runProcess(bench, { do: 'reshard', project, fault });
    expect(signal, errors).toBe('SIGKILL');
    const shards = fault === 'rebuild-written' ? 1 : SHARDS;
    expect((await readManifest(bench.database.db, project)).shards).toBe(shards);
    await expectExactly(bench, project, knownUpTo(6));
    await take(project, 6, 8);
    await mergeProject(bench, project);
    await expectExactly(bench, project, knownUpTo(8));
  });
});

describe('while a merge is shared', () => {
  const others: Record<string, (project: string) => Promise<unknown>> = {
    'another merge': (project) => mergeProject(bench, project),
    'a new number of shards': (project) => rebuildProject(bench, project, {}, 3),
  };
  test.each(Object.keys(others))('%s ends it: nothing counts twice', async (other) => {
    const project = await filled();
    const { id } = (await planSharedMerge(bench, project))!;
    await mergeShard(bench, project, id, 0);
    await others[other]!(project);
    await deleteRemoved(bench, project, null);
    for (let shard = 0; shard < SHARDS; shard += 1) expect(await mergeShard(bench, project, id, shard)).toBeNull();
    expect(await publishSharedMerge(bench, project, id)).toBeNull();
    await expectExactly(bench, project, knownUpTo(8));
    await mergeAsWorkersDo(bench, project);
    await expectExactly(bench, project, knownUpTo(8));
    await expectNothingLeft(project);
  });

  test('a visitor and days that are deleted stay away', async () => {
    const project = await filled();
    const { id } = (await planSharedMerge(bench, project))!;
    for (let shard = 0; shard < SHARDS; shard += 1) await mergeShard(bench, project, id, shard);
    await eraseVisitor(bench, project, { visitorId: 'v1' });
    const floor = Math.floor(Date.UTC(2026, 9, 5) / 86_400_000);
    await dropBefore(bench, project, floor);
    expect(await publishSharedMerge(bench, project, id)).toBeNull();
    await mergeAsWorkersDo(bench, project);
    const kept = knownUpTo(8).filter(({ visitor, time }) => visitor !== 'v1' && time >= floor * 86_400_000);
    await expectExactly(bench, project, kept);
  });

  test('events that come meanwhile count, and wait for the next one', async () => {
    const project = await filled();
    const { id } = (await planSharedMerge(bench, project))!;
    await take(project, 8, 10);
    await expectExactly(bench, project, knownUpTo(10));
    for (let shard = 0; shard < SHARDS; shard += 1) await mergeShard(bench, project, id, shard);
    expect(await publishSharedMerge(bench, project, id)).not.toBeNull();
    await expectExactly(bench, project, knownUpTo(10));
    await mergeAsWorkersDo(bench, project);
    await expectExactly(bench, project, knownUpTo(10));
  });

  test('it is published once, and not before each shard is written, once', async () => {
    const project = await filled();
    const { id } = (await planSharedMerge(bench, project))!;
    for (const forged of [-1, SHARDS, 0.5, 3.4]) expect(await mergeShard(bench, project, id, forged)).toBeNull();
    for (let shard = 0; shard < SHARDS - 1; shard += 1) await mergeShard(bench, project, id, shard);
    expect(await publishSharedMerge(bench, project, id)).toBeNull();
    await Promise.all([mergeShard(bench, project, id, SHARDS - 1), mergeShard(bench, project, id, SHARDS - 1)]);
    const published = await Promise.all([1, 2].map(() => publishSharedMerge(bench, project, id)));
    expect(published.filter((events) => events !== null)).toEqual([40]);
    await expectExactly(bench, project, knownUpTo(8));
    await expectNothingLeft(project);
  });

  test('garbage collection leaves alone what was written for it, however long it takes', async () => {
    const project = await filled();
    const { id } = (await planSharedMerge(bench, project))!;
    await mergeShard(bench, project, id, 0);
    await collectAnHourLater(bench);
    for (let shard = 1; shard < SHARDS; shard += 1) await mergeShard(bench, project, id, shard);
    expect(await publishSharedMerge(bench, project, id)).not.toBeNull();
    await expectExactly(bench, project, knownUpTo(8));
  });

  test('a damaged file of counts is repaired by whoever meets it, and the next merge goes through', async () => {
    const project = await filled();
    const { id } = (await planSharedMerge(bench, project))!;
    const { files } = await readManifest(bench.database.db, project);
    const presence = ofFamily(files, 'presence').find(({ shard }) => shard === 1);
    await rm(bench.folder.fileOf(presence!.path));
    expect(await mergeShard(bench, project, id, 1)).toBeNull();
    expect(await publishSharedMerge(bench, project, id)).toBeNull();
    await mergeAsWorkersDo(bench, project);
    await expectExactly(bench, project, knownUpTo(8));
  });
});

test('presence lies apart by shard, also after compaction, erasure and repair, and counts do not', async () => {
  const project = await filled();
  for (let no = 8; no < 18; no += 1) {
    await take(project, no, no + 1);
    await mergeAsWorkersDo(bench, project);
  }
  await eraseVisitor(bench, project, { visitorId: 'v1' });
  await compactProject(bench, project);
  const { files } = await readManifest(bench.database.db, project);
  const presence = ofFamily(files, 'presence');
  expect(new Set(presence.map(({ shard }) => shard))).toEqual(new Set([0, 1, 2, 3]));
  expect(presence.length).toBeLessThanOrEqual(3 * SHARDS);
  expect(ofFamily(files, 'cube').length).toBeLessThanOrEqual(3);
  for (const { path, shard } of presence) {
    const others = await bench.duck.use((session) =>
      session.all(`FROM read_parquet('${bench.folder.fileOf(path)}') WHERE visitor % ${SHARDS} <> ${shard}`),
    );
    expect(others).toEqual([]);
  }
  await expectExactly(
    bench,
    project,
    knownUpTo(18).filter(({ visitor }) => visitor !== 'v1'),
  );
});

test('files that an older build wrote beside shards, which it does not know, count all the same', async () => {
  const project = await filled();
  await mergeAsWorkersDo(bench, project);
  await bench.database.pool.query(
    `UPDATE analytics_files SET shard = NULL WHERE project_id = $1 AND shard IS DISTINCT FROM 0`,
    [project],
  );
  await take(project, 8, 12);
  await mergeAsWorkersDo(bench, project);
  await expectExactly(bench, project, knownUpTo(12));
  await compactProject(bench, project);
  await expectExactly(bench, project, knownUpTo(12));
});
