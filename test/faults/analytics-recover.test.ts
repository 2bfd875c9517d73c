import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { compactProject } from '../../src/analytics/maintenance/compact.ts';
import { deleteRemoved, eraseVisitor } from '../../src/analytics/maintenance/erase.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { rebuildProject } from '../../src/analytics/maintenance/rebuild.ts';
import { recoverProject } from '../../src/analytics/maintenance/recover.ts';
import { GarbageCollector } from '../../src/analytics/maintenance/garbage-collector.ts';
import { isMissing } from '../../src/analytics/storage/durable-files.ts';
import { filesBelow } from '../../src/analytics/storage/files-below.ts';
import { ofFamily } from '../../src/analytics/storage/tables.ts';
import { damageOf } from '../../src/store/analytics/damage.ts';
import { readManifest } from '../../src/store/analytics/manifest.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { BATCH, eventsOf } from '../support/analytics-load.ts';
import { expectExactly, knownUpTo } from '../support/counted-exactly.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';

const ALL = { from: null, to: null };

let bench: AnalyticsBench;
beforeAll(async () => {
  bench = await analyticsBench();
});
afterAll(() => bench.close());

/** @param perMerge how many batches are merged together */
async function send(
  at: AnalyticsBench,
  project: string,
  { to, perMerge = 2 }: { to: number; perMerge?: number },
): Promise<void> {
  const ingestor = await at.ingestor({ rememberedIds: 0 });
  for (let no = 0; no < to; no += 1) {
    await ingestor.ingest(project, eventsOf(no));
    await ingestor.flush();
    if (no % perMerge === perMerge - 1) await mergeProject(at, project);
  }
}

const forgetManifest = async (project: string) => {
  for (const table of ['analytics_files', 'analytics_damage', 'analytics_projects']) {
    await bench.database.pool.query(`DELETE FROM ${table} WHERE project_id = $1`, [project]);
  }
};

test.each([
  ['recover', 9 * BATCH],
  ['maintenance', 0],
] as const)(
  'without the database’s rows, %s has the files alone give the same answers, and nothing counts twice',
  async (by, events) => {
    const project = await bench.newProject();
    await send(bench, project, { to: 9 });
    await compactProject(bench, project);
    // Files of every kind exist now: replaced, compacted, and unmerged ones.
    await expectExactly(bench, project, knownUpTo(9));
    await forgetManifest(project);
    // Hours may pass, and maintenance continue, before anyone notices.
    const clocks = { wall: Date.now(), monotonic: 0 };
    const collector = new GarbageCollector(bench, { wall: () => clocks.wall, monotonic: () => clocks.monotonic });
    await collector.collect();
    if (by === 'maintenance') {
      clocks.monotonic += 2 * 3_600_000;
      await collector.collect();
    }
    // The roles were stopped, so no process remembers earlier versions.
    const after = await analyticsBench({ root: bench.folder.root, database: bench.database });
    const recovered = await recoverProject(after, project);
    expect(recovered).toMatchObject({ events, gone: [], unreadable: [] });
    await expectExactly(after, project, knownUpTo(9));
    expect(await recoverProject(after, project)).toMatchObject({ files: 0, events: 0, gone: [], logs: 0 });
    await send(after, project, { to: 12, perMerge: 12 });
    await compactProject(after, project);
    await expectExactly(after, project, knownUpTo(12));
  },
);

test('erased data stays erased, and moved data stays moved', async () => {
  const project = await bench.newProject();
  const moved: Record<string, string> = { '/p1': '/p2', '/p3': '/p4' };
  await send(bench, project, { to: 4 });
  await rebuildProject(bench, project, { moves: (page) => moved[page] ?? page });
  await eraseVisitor(bench, project, { visitorId: 'v1' });
  await rebuildProject(bench, project, { moves: (page) => moved[page] ?? page });
  const expected = knownUpTo(4)
    .filter(({ visitor }) => visitor !== 'v1')
    .map((event) => ({ ...event, path: moved[event.path] ?? event.path }));
  await expectExactly(bench, project, expected);
  await forgetManifest(project);
  const after = await analyticsBench({ root: bench.folder.root, database: bench.database });
  await recoverProject(after, project);
  await expectExactly(after, project, expected);
});

/** As `pg_dump` reads: all tables at one moment. */
async function dump(from: TestDatabase): Promise<Map<string, unknown[]>> {
  const client = await from.pool.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const tables = new Map<string, unknown[]>();
    for (const table of ['projects', 'analytics_projects', 'analytics_files', 'analytics_writers', 'analytics_salts']) {
      const { rows } = await client.query(`SELECT coalesce(json_agg(t), '[]') AS rows FROM ${table} t`);
      tables.set(table, rows[0].rows);
    }
    await client.query('COMMIT');
    return tables;
  } finally {
    client.release();
  }
}

async function restore(tables: Map<string, unknown[]>): Promise<TestDatabase> {
  const database = await createTestDatabase();
  for (const [table, rows] of tables) {
    await database.pool.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
      JSON.stringify(rows),
    ]);
  }
  return database;
}

test('a backup made while events come in, in the documented order, holds all that was acknowledged before it', async () => {
  const project = await bench.newProject();
  const writers = [await bench.ingestor({ sealAfterMs: 60, rememberedIds: 0 })];
  const load = { isOn: true, acknowledged: 0, sent: 0 };
  onTestFinished(() => void (load.isOn = false));
  const sending = (async () => {
    for (let no = 0; load.isOn; no += 1) {
      load.sent += 1;
      await writers[no % writers.length]!.ingest(project, eventsOf(no));
      load.acknowledged += 1;
      await sleep(5);
      if (no % 12 === 11) await mergeProject(bench, project);
      if (no % 48 === 47) await compactProject(bench, project);
    }
  })();
  const wait = async (batches: number) => {
    await expect.poll(() => load.acknowledged).toBeGreaterThan(batches);
  };
  await wait(40);
  const unmerged = async () => ofFamily((await readManifest(bench.database.db, project)).files, 'unmerged').length;
  await expect.poll(unmerged, { interval: 5 }).toBeGreaterThan(0);
  const tables = await dump(bench.database);
  // A slow copy: files in the database are replaced and deleted in the meantime, and a new server starts.
  writers.push(await bench.ingestor({ sealAfterMs: 60, rememberedIds: 0 }));
  await wait(55);
  await mergeProject(bench, project);
  await compactProject(bench, project);
  await deleteRemoved(bench, project, null);
  const before = load.acknowledged;
  const copy = await mkdtemp(path.join(tmpdir(), 'docent-restored-'));
  for (const name of ['wal', 'files']) await copyGrowing(path.join(bench.folder.root, name), path.join(copy, name));
  await wait(before + 10);
  load.isOn = false;
  await sending;

  const database = await restore(tables);
  const restored = await analyticsBench({ root: copy, database });
  const recovered = await recoverProject(restored, project);
  expect(recovered!.gone.length).toBeGreaterThan(0);
  expect(recovered!.files).toBeGreaterThan(0);
  const successor = await restored.ingestor({ rememberedIds: 0 });
  await successor.takeOver(0);
  const views = await restored.versions.use(project, undefined, async (pinned) => {
    return (await restored.queries.byPath(pinned, 'views', ALL, { limit: 1, offset: 0 })).totals.total;
  });
  expect(views).toBeGreaterThanOrEqual(before * BATCH);
  expect(views).toBeLessThanOrEqual(load.sent * BATCH);
  // Later events count once when they are resent.
  for (let no = 0; no < load.sent; no += 1) await successor.ingest(project, eventsOf(no));
  await successor.flush();
  await mergeProject(restored, project);
  await expectExactly(restored, project, knownUpTo(load.sent));
  expect(await damageOf(restored.database.db, project)).toEqual([]);
  await restored.close();
  await database.drop();
  await rm(copy, { recursive: true, force: true });
});

/**
 * As `cp -a` does: files that go away between the listing and the copy are left out, and all others are
 * copied once.
 */
async function copyGrowing(from: string, to: string): Promise<void> {
  for (const file of await filesBelow(from)) {
    try {
      await cp(file, path.join(to, path.relative(from, file)), { preserveTimestamps: true });
    } catch (err) {
      if (!isMissing(err)) throw err;
    }
  }
}
