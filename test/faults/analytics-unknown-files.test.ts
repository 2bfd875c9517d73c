import { copyFile, readdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Analytics } from '../../src/analytics/analytics.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { FolderGuard } from '../../src/analytics/storage/folder-guard.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { eraseVisitor } from '../../src/analytics/maintenance/erase.ts';
import { repairProject } from '../../src/analytics/maintenance/repair.ts';
import { rebuildProject } from '../../src/analytics/maintenance/rebuild.ts';
import { recoverProject } from '../../src/analytics/maintenance/recover.ts';
import { uncountedFiles } from '../../src/analytics/storage/set-aside.ts';
import { filesBelow } from '../../src/analytics/storage/files-below.ts';
import { GarbageCollector } from '../../src/analytics/maintenance/garbage-collector.ts';
import { ofFamily } from '../../src/analytics/storage/tables.ts';
import { damageOf } from '../../src/store/analytics/damage.ts';
import { recoveredEvents } from '../../src/store/analytics/recovered.ts';
import { readManifest } from '../../src/store/analytics/manifest.ts';
import { newId } from '../../src/store/ids.ts';
import { deleteProject } from '../../src/store/projects/projects.ts';
import { projects } from '../../src/store/schema.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { BATCH, eventsOf, fillProject, knownEventsOf } from '../support/analytics-load.ts';
import { runProcess, startProcess } from '../support/analytics-runs.ts';
import { bruteCount } from '../support/brute-count.ts';
import { expectSound } from '../support/counted-exactly.ts';

const BATCHES = 4;
const ALL = { from: null, to: null };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let bench: AnalyticsBench;
beforeAll(async () => {
  bench = await analyticsBench();
});
afterAll(() => bench.close());

const filled = () => fillProject(bench, { batches: BATCHES, unmerged: 2 });

/** A worker that collects garbage every hour for some time. */
async function collectGarbageFor(ms: number): Promise<void> {
  const clocks = { wall: Date.now(), monotonic: 0 };
  const collector = new GarbageCollector(bench, { wall: () => clocks.wall, monotonic: () => clocks.monotonic });
  await collector.collect();
  for (const passed of [HOUR, ms]) {
    clocks.monotonic += passed;
    clocks.wall += passed;
    await collector.collect();
  }
}

async function views(project: string): Promise<number> {
  await expectSound(bench, project);
  return countOf(project);
}

async function countOf(project: string): Promise<number> {
  return bench.versions.use(project, undefined, async (pinned) => {
    return (await bench.queries.byPath(pinned, 'views', ALL, { limit: 1, offset: 0 })).totals.total;
  });
}

/** Soon. */
async function expectViews(project: string, expected: number): Promise<void> {
  await expect.poll(() => countOf(project), { interval: 200 }).toBe(expected);
  await expectSound(bench, project);
}

const eventFilesOf = async (project: string) =>
  ofFamily((await readManifest(bench.database.db, project)).files, 'events');

/** As after a restore of the database to a time before a file. */
async function forgetFile(id: string): Promise<void> {
  await bench.database.pool.query('DELETE FROM analytics_files WHERE id = $1', [id]);
}

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

/**
 * A failover to a delayed replica: saves the database's current rows about page views, to restore them later.
 */
async function replica(): Promise<() => Promise<void>> {
  const tables = ['analytics_projects', 'analytics_files', 'analytics_writers'];
  const { pool } = bench.database;
  const kept = new Map<string, string>();
  for (const table of tables) {
    const { rows } = await pool.query(`SELECT coalesce(json_agg(t), '[]')::text AS rows FROM ${table} t`);
    kept.set(table, rows[0].rows);
  }
  return async () => {
    const back = tables.map((table) => {
      const rows = `json_populate_recordset(NULL::${table}, '${kept.get(table)?.replaceAll("'", "''")}')`;
      return `DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM ${rows};`;
    });
    await pool.query(`BEGIN; ${back.join('')} COMMIT;`);
  };
}

/** As an API process has it. */
const openAnalytics = () =>
  Analytics.open({
    database: bench.database,
    folder: new AnalyticsFolder(bench.folder.root),
    log: bench.log,
    memoryMb: 256,
    leaseSeconds: 8,
  });

async function take(analytics: Analytics, project: string, no: number): Promise<void> {
  await analytics.ingestor.ingest(project, eventsOf(no));
  await analytics.ingestor.flush();
}

test('page views that were acknowledged before a failover count again, once, automatically', async () => {
  const project = await bench.newProject();
  const analytics = await openAnalytics();
  try {
    await take(analytics, project, 0);
    // An API that takes nothing afterwards.
    let failOver = await replica();
    await take(analytics, project, 1);
    await failOver();
    await expectViews(project, 2 * BATCH);
    // One that does, and a worker that had merged.
    failOver = await replica();
    await take(analytics, project, 2);
    await mergeProject(bench, project);
    await failOver();
    await take(analytics, project, 3);
    await expectViews(project, 4 * BATCH);
    // One that had started since.
    await take(analytics, project, 4);
    await bench.database.pool.query('DELETE FROM analytics_writers');
    await bench.database.pool.query(`DELETE FROM analytics_files WHERE family = 'unmerged'`);
    await expectViews(project, 5 * BATCH);
    expect(await recoveredEvents(bench.database.db)).toBeGreaterThan(0);
    expect(await damageOf(bench.database.db, project)).toEqual([]);
  } finally {
    await analytics.close();
  }
});

test('page views of a process that was gone before the failover count again when the next one starts', async () => {
  const project = await bench.newProject();
  const failOver = await replica();
  const before = await openAnalytics();
  await take(before, project, 0);
  await before.close();
  await failOver();
  const after = await openAnalytics();
  try {
    await expectViews(project, BATCH);
  } finally {
    await after.close();
  }
});

test('recover reports the number of missing events, whatever waits to be merged', async () => {
  const project = await bench.newProject();
  const ingestor = await bench.ingestor({ rememberedIds: 0 });
  for (const no of [0, 1]) {
    await ingestor.ingest(project, eventsOf(no));
    await ingestor.flush();
  }
  const [file] = ofFamily((await readManifest(bench.database.db, project)).files, 'unmerged');
  await forgetFile(file!.id);
  expect(await recoverProject(bench, project)).toMatchObject({ files: 1, events: BATCH });
  expect(await views(project)).toBe(2 * BATCH);
});

test('an erased visitor does not return from a file that was in no manifest then', async () => {
  const project = await filled();
  const [file] = await eventFilesOf(project);
  const orphan = path.join(path.dirname(bench.folder.fileOf(file!.path)), `${newId()}.parquet`);
  await copyFile(bench.folder.fileOf(file!.path), orphan);
  await eraseVisitor(bench, project, { visitorId: 'v1' });
  const rest = await views(project);
  expect(rest).toBeLessThan(BATCHES * BATCH);
  await collectGarbageFor(60 * DAY);
  await recoverProject(bench, project);
  expect(await views(project)).toBe(rest);
});

test('events in a file that the database does not know are never deleted: they count again, once', async () => {
  const project = await filled();
  const [file] = await eventFilesOf(project);
  await forgetFile(file!.id);
  await rebuildProject(bench, project, {});
  expect(await views(project)).toBe(BATCHES * BATCH - file!.rows);
  await collectGarbageFor(60 * DAY);
  expect(await views(project)).toBe(BATCHES * BATCH);
  await rebuildProject(bench, project, {});
  expect(await recoverProject(bench, project)).toMatchObject({ files: 0, events: 0, unreadable: [] });
  expect(await uncountedFiles(bench)).toEqual([]);
  expect(await views(project)).toBe(BATCHES * BATCH);
});

test('an unnamed file of a dead process is deleted: its events count from elsewhere', async () => {
  const project = await filled();
  const [file] = await eventFilesOf(project);
  const twin = path.join(path.dirname(bench.folder.fileOf(file!.path)), `${newId()}.parquet`);
  await copyFile(bench.folder.fileOf(file!.path), twin);
  const unfinished = path.join(bench.folder.temporaryFolder, `${newId()}.parquet`);
  await copyFile(twin, unfinished);
  await collectGarbageFor(HOUR);
  expect([await isThere(twin), await isThere(unfinished)]).toEqual([false, false]);
  expect(await uncountedFiles(bench)).toEqual([]);
  expect(await views(project)).toBe(BATCHES * BATCH);
});

test('files of a running rebuild are left alone for hours', async () => {
  const project = await filled();
  const marker = path.join(bench.folder.temporaryFolder, '..', `written-${newId()}`);
  const { child, ended } = startProcess(bench, { do: 'rebuild', project, fault: `stop:rebuild-written@${marker}` });
  await expect.poll(() => isThere(marker)).toBe(true);
  try {
    await collectGarbageFor(3 * HOUR);
  } finally {
    child.kill('SIGCONT');
  }
  expect(await ended).toMatchObject({ signal: null, errors: '' });
  expect(await views(project)).toBe(BATCHES * BATCH);
  expect(await damageOf(bench.database.db, project)).toEqual([]);
});

test.each(['deletions-noted', 'files-deleted'] as const)(
  'what was erased stays erased where the process dies at %s: recover does not bring it back, and garbage collection deletes it',
  async (fault) => {
    const project = await filled();
    const before = await filesBelow(path.join(bench.folder.filesFolder, project));
    expect((await runProcess(bench, { do: 'erase', project, fault })).signal).toBe('SIGKILL');
    const rest = bruteCount(
      Array.from({ length: BATCHES }, (_, no) => knownEventsOf(no))
        .flat()
        .filter(({ visitor }) => visitor !== 'v1'),
      'views',
      ALL,
    ).find((row) => row.path === '')!.total;
    expect(await recoverProject(bench, project)).toMatchObject({ files: 0 });
    expect(await views(project)).toBe(rest);
    await collectGarbageFor(0);
    const named = new Set((await readManifest(bench.database.db, project)).files.map(({ path: name }) => name));
    const left = before.filter((name) => !named.has(path.relative(bench.folder.root, name)));
    for (const name of left) expect(await isThere(name)).toBe(false);
    expect(await uncountedFiles(bench)).toEqual([]);
    expect(await views(project)).toBe(rest);
  },
);

test("a deleted project's files are deleted; those of an unknown project stay", async () => {
  const [deleted, unknown] = [await filled(), await filled()];
  const folderOf = (project: string) => path.join(bench.folder.filesFolder, project);
  await bench.database.db.transaction((tx) => deleteProject(tx, deleted));
  await bench.database.pool.query('DELETE FROM projects WHERE id = $1', [unknown]);
  await collectGarbageFor(60 * DAY);
  expect(await filesBelow(folderOf(deleted))).toEqual([]);
  const kept = await uncountedFiles(bench);
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.every((file) => file.startsWith(path.join(bench.folder.unnamedFolder, unknown)))).toBe(true);

  await bench.database.db
    .insert(projects)
    .values({ id: unknown, repository: '/nowhere', ref: 'main', model: 'builtin' });
  await recoverProject(bench, unknown);
  expect(await views(unknown)).toBe(BATCHES * BATCH);
  expect(await uncountedFiles(bench)).toEqual([]);
});

test.each([
  ['deleted', 0],
  ['unknown', 1],
] as const)('events in a log, of a project that is %s by then', async (how, kept) => {
  const project = await bench.newProject();
  const ingestor = await bench.ingestor({ rememberedIds: 0 });
  await ingestor.ingest(project, eventsOf(0));
  if (how === 'deleted') await bench.database.db.transaction((tx) => deleteProject(tx, project));
  else await bench.database.pool.query('DELETE FROM projects WHERE id = $1', [project]);
  await ingestor.flush();
  expect(await uncountedFiles(bench)).toHaveLength(kept);
  await bench.database.db
    .insert(projects)
    .values({ id: project, repository: '/nowhere', ref: 'main', model: 'builtin' });
  expect(await recoverProject(bench, project)).toMatchObject({ files: kept, events: kept * BATCH });
  expect(await uncountedFiles(bench)).toEqual([]);
});

test('a log whose writer the database does not know is reported, kept, and counted once after recover', async () => {
  const project = await bench.newProject();
  const before = new Set(await readdir(bench.folder.walFolder));
  expect((await runProcess(bench, { do: 'ingest', project, batches: 1, fault: 'seal-written' })).signal).toBe(
    'SIGKILL',
  );
  const [writer] = (await readdir(bench.folder.walFolder)).filter((name) => !before.has(name));
  await bench.database.pool.query('DELETE FROM analytics_writers WHERE id = $1', [writer]);
  await collectGarbageFor(60 * DAY);
  expect(await uncountedFiles(bench)).toEqual([expect.stringContaining(writer!)]);
  expect(await recoverProject(bench, project)).toMatchObject({ logs: 1 });
  const successor = await bench.ingestor();
  await successor.takeOver(0);
  expect(await uncountedFiles(bench)).toEqual([]);
  expect(await views(project)).toBe(BATCH);
});

test('an invisible file only counts as lost at the second check, and counts again when it is back', async () => {
  // As in a bucket, where an object may show late.
  const { root } = bench.folder;
  const mounted = { root, file: root, look: async () => null, compare: async () => {}, close: async () => {} };
  const folder = new AnalyticsFolder(root, new FolderGuard({ ...mounted, patienceMs: 1_000 }, { log: bench.log }));
  const guarded = { ...bench, folder };
  try {
    const project = await filled();
    const [file] = await eventFilesOf(project);
    const [name, away] = [folder.fileOf(file!.path), path.join(folder.root, 'away.parquet')];
    await rename(name, away);
    await expect(repairProject(guarded, project, 0)).rejects.toMatchObject({ cause: { code: 'may_still_show' } });
    await rename(away, name);
    await sleep(1_100);
    // It existed in between, so this was not the first check.
    expect(await repairProject(guarded, project, 0)).toEqual([]);
    await rename(name, away);
    await expect(repairProject(guarded, project, 0)).rejects.toMatchObject({ cause: { code: 'may_still_show' } });
    expect(await damageOf(bench.database.db, project)).toEqual([]);
    await sleep(1_100);
    expect(await repairProject(guarded, project, 0)).toMatchObject([{ file: { id: file!.id } }]);
    expect(await views(project)).toBe(BATCHES * BATCH - file!.rows);

    // Some of its events were sent again before it came back.
    const ingestor = await bench.ingestor({ rememberedIds: 0 });
    await ingestor.ingest(project, eventsOf(0));
    await ingestor.flush();
    await rename(away, name);
    expect(await repairProject(guarded, project, 0)).toEqual([]);
    await mergeProject(guarded, project);
    expect(await views(project)).toBe(BATCHES * BATCH);
    expect(await damageOf(bench.database.db, project)).toEqual([]);
  } finally {
    await folder.close();
  }
});
