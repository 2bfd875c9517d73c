import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '@docent/base/time';
import { compactProject } from '../../src/analytics/maintenance/compact.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { maintain } from '../../src/analytics/maintenance/maintain.ts';
import { SteadyClock } from '../../src/analytics/maintenance/steady-clock.ts';
import { GarbageCollector } from '../../src/analytics/maintenance/garbage-collector.ts';
import { databaseNow, openDatabase } from '../../src/store/database.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { BATCH, eventsOf, knownEventsOf } from '../support/analytics-load.ts';
import { runProcess } from '../support/analytics-runs.ts';
import { bruteCount } from '../support/brute-count.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';

const ALL = { from: null, to: null };
/**
 * Renewed each 1.2 s. Under load a process may wait for a second, and its lease would rightly end.
 */
const LEASE = { leaseSeconds: 6, sealAfterMs: 50, rememberedIds: 0 };

let made: TestDatabase;
let bench: AnalyticsBench;

/** A database whose clock can be set: `now()` is found in a schema of ours before PostgreSQL's own. */
beforeAll(async () => {
  made = await createTestDatabase();
  await made.pool.query(`
    CREATE SCHEMA clock;
    CREATE TABLE clock.step (step interval NOT NULL);
    INSERT INTO clock.step VALUES ('0');
    CREATE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE
      AS 'SELECT pg_catalog.now() + (SELECT step FROM clock.step)';`);
  const name = new URL(made.url).pathname.slice(1);
  await made.pool.query(`ALTER DATABASE ${name} SET search_path = clock, public, pg_catalog`);
  const database = { ...openDatabase(made.url), url: made.url };
  bench = await analyticsBench({ database: { ...database, drop: database.close } });
});
afterAll(async () => {
  await bench.close();
  await bench.database.drop();
  await made.drop();
});

const setDatabaseClock = (step: string) => made.pool.query(`UPDATE clock.step SET step = $1`, [step]);

async function expectCounts(project: string, batches: number): Promise<void> {
  const known = Array.from({ length: batches }, (_, no) => knownEventsOf(no)).flat();
  await bench.versions.use(project, undefined, async (pinned) => {
    for (const measure of ['views', 'visitors'] as const) {
      const { rows } = await bench.queries.byPath(pinned, measure, ALL, { limit: 250, offset: 0 });
      expect(rows).toEqual(bruteCount(known, measure, ALL).filter((row) => row.path !== ''));
    }
  });
}

const STEPS = ['3 hours', '-2 days', '40 days', '-1 hour', '0'];

test("changes of the database's clock end no lease of a living process, and lose nothing", async () => {
  await setDatabaseClock('3 hours');
  expect((await databaseNow(bench.database.db)) - Date.now()).toBeGreaterThan(2 * HOUR_MS);
  const project = await bench.newProject();
  const writers = [await bench.ingestor(LEASE), await bench.ingestor(LEASE)];
  let no = 0;
  for (const step of STEPS) {
    await setDatabaseClock(step);
    const until = performance.now() + 1_500;
    while (performance.now() < until) {
      expect((await writers[no % 2]!.ingest(project, eventsOf(no))).accepted).toBe(BATCH);
      expect(await writers[(no + 1) % 2]!.takeOver()).toBe(0);
      no += 1;
      if (no % 40 === 0) await mergeProject(bench, project);
      await sleep(20);
    }
  }
  for (const writer of writers) await writer.flush();
  await mergeProject(bench, project);
  await compactProject(bench, project);
  await expectCounts(project, no);
});

test("a dead process's log is taken over, although the database's clock was set back by days", async () => {
  await setDatabaseClock('2 days');
  const project = await bench.newProject();
  const { acknowledged, signal } = await runProcess(bench, {
    do: 'ingest',
    project,
    fault: 'seal-written',
    batches: 1e6,
  });
  expect([signal, acknowledged.length > 0]).toEqual(['SIGKILL', true]);
  await setDatabaseClock('0');
  // As from another machine: its death is not visible, so its lease must end.
  await forgetLocks();
  const successor = await bench.ingestor({ ...LEASE, leaseSeconds: 1, takeoverMs: 200 });
  await expect.poll(() => viewsOf(project)).toBeGreaterThanOrEqual(acknowledged.length * BATCH);
  await successor.close();
});

test("changes of the server's own clock lose nothing, and end no lease", async () => {
  await setDatabaseClock('0');
  const project = await bench.newProject();
  let step = 0;
  const ingestor = await bench.ingestor({ ...LEASE, now: () => Date.now() + step });
  let no = 0;
  for (const hours of [5, -7, 24 * 400, -1, 0]) {
    step = hours * HOUR_MS;
    for (let i = 0; i < 5; i += 1, no += 1) {
      expect((await ingestor.ingest(project, eventsOf(no))).accepted).toBe(BATCH);
      await sleep(50);
    }
  }
  // For a slow clock, today's events are in the future, which is reported for each.
  step = -400 * DAY_MS;
  const { accepted, rejected } = await ingestor.ingest(project, eventsOf(no));
  expect([accepted, rejected.length]).toEqual([0, BATCH]);
  await ingestor.flush();
  await expectCounts(project, no);
});

test('a machine that slept while its log was taken over acknowledges nothing more into it', async () => {
  await setDatabaseClock('0');
  const project = await bench.newProject();
  let asleep = 0;
  const sleeper = await bench.ingestor({ ...LEASE, leaseSeconds: 3_600, now: () => Date.now() + asleep });
  await sleeper.ingest(project, eventsOf(0));
  const other = await bench.ingestor(LEASE);
  expect(await other.takeOver(0)).toBeGreaterThan(0);
  // Its monotonic clock stood still: by that clock, the lease would last almost an hour.
  asleep = 2 * HOUR_MS;
  await expect(sleeper.ingest(project, eventsOf(1))).rejects.toMatchObject({ code: 'unavailable' });
  // The client repeats it, and from then on there is a new log.
  await expect.poll(() => sleeper.ingest(project, eventsOf(1)).then(({ accepted }) => accepted)).toBe(BATCH);
  await sleeper.flush();
  await other.flush();
  await expectCounts(project, 2);
});

describe('deletion by age', () => {
  test('is not deleted while a clock is wrong, here or at the database', async () => {
    const project = await bench.newProject();
    const ingestor = await bench.ingestor(LEASE);
    await ingestor.ingest(project, eventsOf(0));
    await ingestor.flush();
    let step = 0;
    const clock = new SteadyClock(() => Date.now() + step);
    await setDatabaseClock('0');
    expect((await maintain(bench, project, { retentionDays: 400, clock })).words).toContain('20 events merged');
    // This machine's clock alone, in either order; then the database's alone.
    for (const hours of [24 * 1_000, 0]) {
      step = hours * HOUR_MS;
      await maintain(bench, project, { retentionDays: 400, clock });
    }
    await setDatabaseClock('1000 days');
    await maintain(bench, project, { retentionDays: 400, clock: new SteadyClock() });
    await expectCounts(project, 1);
    await setDatabaseClock('0');
    // With clocks that agree it goes.
    await maintain(bench, project, { retentionDays: 1, clock: new SteadyClock() });
    expect(await viewsOf(project)).toBe(0);
  });

  test('keeps a file about to be named, whatever the clocks show, and deletes orphans after an hour', async () => {
    const project = await bench.newProject();
    const ingestor = await bench.ingestor(LEASE);
    await ingestor.ingest(project, eventsOf(0));
    await ingestor.flush();
    const stray = (family: string) => bench.folder.fileOf(bench.folder.nameOf(project, family, 'stray'));
    await mergeProject(bench, project);
    for (const family of ['cube', 'events']) await writeFile(stray(family), 'x');
    const clocks = { wall: Date.now(), monotonic: 0 };
    const collector = new GarbageCollector(bench, { wall: () => clocks.wall, monotonic: () => clocks.monotonic });
    expect(await collector.collect()).toBe(0);
    clocks.wall += 5 * DAY_MS;
    clocks.monotonic += HOUR_MS / 4;
    expect(await collector.collect()).toBe(0);
    clocks.monotonic += HOUR_MS;
    expect(await collector.collect()).toBeGreaterThanOrEqual(2);
    await expect(stat(stray('cube'))).rejects.toThrow('ENOENT');
    // Events are kept until an operator handles them: a restored database may not know them.
    expect(await readdir(path.join(bench.folder.unnamedFolder, project, 'events'))).toEqual(['stray.parquet']);
    clocks.wall += 80 * DAY_MS;
    await collector.collect();
    expect(await readdir(path.join(bench.folder.unnamedFolder, project, 'events'))).toEqual(['stray.parquet']);
    await expectCounts(project, 1);
  });
});

async function forgetLocks(): Promise<void> {
  for (const name of await readdir(bench.folder.walFolder)) {
    if (name.endsWith('.lock')) await rm(path.join(bench.folder.walFolder, name));
  }
}

async function viewsOf(project: string): Promise<number> {
  return bench.versions.use(project, undefined, async (pinned) => {
    return (await bench.queries.byPath(pinned, 'views', ALL, { limit: 1, offset: 0 })).totals.total;
  });
}
