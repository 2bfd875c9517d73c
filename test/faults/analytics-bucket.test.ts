import { cp, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BUCKET } from '../../scripts/object-store.ts';
import { Analytics } from '../../src/analytics/analytics.ts';
import { compactProject } from '../../src/analytics/maintenance/compact.ts';
import { makeIndexes } from '../../src/analytics/counts/make-indexes.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { openFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { dropStaleCopies } from '../../src/analytics/storage/bucket/bucket-guard.ts';
import { filesBelow } from '../../src/analytics/storage/files-below.ts';
import { openBucketFolder, type BucketSettings } from '../../src/analytics/storage/open-bucket.ts';
import { uncountedFiles } from '../../src/analytics/storage/set-aside.ts';
import { deleteRemoved, eraseVisitor } from '../../src/analytics/maintenance/erase.ts';
import { GarbageCollector } from '../../src/analytics/maintenance/garbage-collector.ts';
import { recoverProject } from '../../src/analytics/maintenance/recover.ts';
import { repairProject } from '../../src/analytics/maintenance/repair.ts';
import { makeBackup } from '../../src/operations/backup/make-backup.ts';
import { createLogger } from '../../src/platform/log.ts';
import { projects } from '../../src/store/schema.ts';
import { analyticsFiles } from '../../src/store/analytics/analytics-schema.ts';
import { readManifest } from '../../src/store/analytics/manifest.ts';
import { listWriters } from '../../src/store/analytics/writers.ts';
import { newId } from '../../src/store/ids.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { eventsOf, knownEventsOf } from '../support/analytics-load.ts';
import { runProcess, startProcess } from '../support/analytics-runs.ts';
import { bucketSettings } from '../support/bucket-settings.ts';
import { collectAnHourLater } from '../support/collect-garbage.ts';
import { expectExactly, knownUpTo } from '../support/counted-exactly.ts';
import { hasObjectStore, ObjectStore } from '../support/object-store.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';

let store: ObjectStore;
let database: TestDatabase;
const benches: AnalyticsBench[] = [];
let where: { url: string; endpoint: string };

const quiet = createLogger({ level: process.env.DOCENT_TEST_LOG_LEVEL ?? 'fatal', name: 'test' });
const ALL = { from: null, to: null };
const PAGE = { limit: 250, offset: 0 };

const counted = (bench: AnalyticsBench, project: string): Promise<number> =>
  bench.versions
    .use(project, undefined, async (pinned) => (await bench.queries.byPath(pinned, 'views', ALL, PAGE)).totals.total)
    .catch(() => -1);

/** A machine: its own folder, and the shared bucket and database. */
async function machine(more: Partial<BucketSettings> = {}, patienceMs = 50): Promise<AnalyticsBench> {
  const bench = await analyticsBench({
    database,
    open: (db, root) => openBucketFolder(db, root, bucketSettings(where, more), { log: quiet, patienceMs }),
  });
  benches.push(bench);
  return bench;
}

async function newProject(bench: AnalyticsBench): Promise<string> {
  const id = `site-${newId()}`;
  await bench.database.db.insert(projects).values({ id, repository: '/nowhere', ref: 'main', model: 'builtin' });
  return id;
}

async function take(bench: AnalyticsBench, project: string, from: number, to: number): Promise<void> {
  const ingestor = await bench.ingestor({ rememberedIds: 0 });
  for (let no = from; no < to; no += 1) {
    await ingestor.ingest(project, eventsOf(no));
    await ingestor.flush();
  }
}

const objectsOf = async (bench: AnalyticsBench, project: string) =>
  (await bench.folder.bucketFiles!.list(`files/${project}/`)).map(({ name }) => name).toSorted();
const namedOf = async (project: string) =>
  (await readManifest(database.db, project)).files.map((file) => file.path).toSorted();

async function analyticsOf(patienceMs = 50): Promise<Analytics> {
  const root = await mkdtemp(path.join(tmpdir(), 'docent-bare-'));
  const settings = bucketSettings(where, { timeoutMs: 500 });
  const folder = await openBucketFolder(database, root, settings, { log: quiet, patienceMs });
  return Analytics.open({ database, folder, log: quiet, memoryMb: 256 });
}

describe.skipIf(!hasObjectStore)('event files in a bucket', () => {
  beforeAll(async () => {
    store = await ObjectStore.start();
    database = await createTestDatabase();
    where = { url: `s3://${BUCKET}/views`, endpoint: store.url };
  });
  afterEach(async () => {
    store.fault = () => null;
    for (const bench of benches.splice(0)) await bench.close();
  });
  afterAll(async () => {
    await database.drop();
    await store.close();
  });

  test('two machines without a common folder accept, merge and answer as one', async () => {
    const [one, other] = [await machine(), await machine()];
    const project = await newProject(one);
    await take(one, project, 0, 3);
    await take(other, project, 3, 6);
    await expectExactly(one, project, knownUpTo(6));
    await mergeProject(other, project);
    await take(one, project, 6, 9);
    await mergeProject(one, project);
    await expectExactly(other, project, knownUpTo(9));
    await compactProject(other, project);
    await expectExactly(one, project, knownUpTo(9));
    // Only the bucket has them all.
    const third = await machine();
    expect(await filesBelow(third.folder.filesFolder)).toEqual([]);
    await expectExactly(third, project, knownUpTo(9));
  });

  test.each(['wal-synced', 'seal-written', 'seal-renamed', 'seal-committed'])(
    'a process that takes events dies at %s: what was acknowledged counts, once',
    async (fault) => {
      const bench = await machine();
      const project = await newProject(bench);
      const orders = { do: 'ingest', project, fault, batches: 100_000, bucket: where } as const;
      const { acknowledged, signal, errors } = await runProcess(bench, orders, 20_000);
      expect(signal, errors).toBe('SIGKILL');
      const successor = await bench.ingestor();
      await successor.takeOver(0);
      // The client repeats requests without an answer.
      await take(bench, project, acknowledged.length, acknowledged.length + 2);
      await expectExactly(bench, project, knownUpTo(acknowledged.length + 2));
    },
  );

  // Compactions store files as merges do.
  test.each([
    ['merge', 'merge-written'],
    ['merge', 'merge-committed'],
    ['rebuild', 'rebuild-written'],
  ] as const)('a process that does %s dies at %s: counts stay, and what it stored goes again', async (what, fault) => {
    const bench = await machine();
    const project = await newProject(bench);
    await take(bench, project, 0, 4);
    if (what !== 'merge') await mergeProject(bench, project);
    const { signal, errors } = await runProcess(bench, { do: what, project, fault, bucket: where }, 120_000);
    expect(signal, errors).toBe('SIGKILL');
    if (what === 'merge') await expectExactly(bench, project, knownUpTo(4));
    await collectAnHourLater(bench);
    await deleteRemoved(bench, project, null);
    expect(await objectsOf(bench, project)).toEqual(await namedOf(project));
    await mergeProject(bench, project);
    if (what === 'merge') await expectExactly(bench, project, knownUpTo(4));
  });

  test('a lost disk loses no events acknowledged as stored, and otherwise only unsealed ones', async () => {
    const lost = await machine();
    const project = await newProject(lost);
    const stored = await lost.ingestor({ ack: 'stored', rememberedIds: 0, sealAfterMs: 3_600_000 });
    await Promise.all(Array.from({ length: 12 }, (_, no) => stored.ingest(project, eventsOf(no))));
    const local = await lost.ingestor({ rememberedIds: 0, sealAfterMs: 3_600_000 });
    await local.ingest(project, eventsOf(12));
    await rm(path.join(lost.folder.root), { recursive: true, force: true });
    const anew = await machine();
    await expectExactly(anew, project, knownUpTo(12));
    expect((await repairProject(anew, project, 0))?.length).toBe(0);
  });

  test('acknowledged as stored: many requests share one object, and each counts', async () => {
    const bench = await machine();
    const project = await newProject(bench);
    const ingestor = await bench.ingestor({ ack: 'stored', rememberedIds: 0, sealAfterMs: 3_600_000 });
    await Promise.all(Array.from({ length: 40 }, (_, no) => ingestor.ingest(project, eventsOf(no))));
    expect((await namedOf(project)).length).toBeLessThan(10);
    await expectExactly(bench, project, knownUpTo(40));
  });

  test.each([
    ['answers with 500', 500],
    ['refuses the keys', 403],
    ['never answers', 'hang'],
    ['breaks off', 'cut'],
  ] as const)('while the store %s, events are taken, and count once it is back', async (_, fault) => {
    const bench = await machine({ timeoutMs: 500 });
    const project = await newProject(bench);
    await take(bench, project, 0, 1);
    const ingestor = await bench.ingestor({ rememberedIds: 0, sealAfterMs: 50 });
    store.fault = () => fault;
    for (let no = 1; no < 5; no += 1) await ingestor.ingest(project, eventsOf(no));
    await expect.poll(() => bench.folder.bucketFiles!.problem).not.toBeNull();
    // Another machine has no copies: it reports that instead of wrong numbers.
    store.fault = () => null;
    const bare = await analyticsOf();
    store.fault = () => fault;
    await expect(
      bare.ask(project, {}, (pinned) => bare.queries.byPath(pinned, 'views', ALL, PAGE)),
    ).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 15 });
    store.fault = () => null;
    await expect.poll(() => counted(bench, project), { interval: 300 }).toBe(knownUpTo(5).length);
    await expectExactly(bench, project, knownUpTo(5));
    await bare.close();
  });

  test('a store that only allows reads is reported as failing until a write succeeds', async () => {
    const bench = await machine({ timeoutMs: 500 });
    const project = await newProject(bench);
    await take(bench, project, 0, 1);
    const ingestor = await bench.ingestor({ rememberedIds: 0, sealAfterMs: 50 });
    store.fault = ({ method }) => (method === 'PUT' ? 403 : null);
    await ingestor.ingest(project, eventsOf(1));
    const { bucketFiles } = bench.folder;
    await expect.poll(() => bucketFiles!.problem).toMatch(/put/);
    await bucketFiles!.list(`files/${project}/`);
    expect(bucketFiles!.problem).toMatch(/put/);
    store.fault = () => null;
    await expect.poll(() => counted(bench, project), { interval: 300 }).toBe(knownUpTo(2).length);
    expect(bucketFiles!.problem).toBeNull();
  });

  test('acknowledged as stored: while the store is down, nothing is acknowledged, and the disk does not fill', async () => {
    const bench = await machine({ timeoutMs: 300 });
    const project = await newProject(bench);
    const ingestor = await bench.ingestor({ ack: 'stored', rememberedIds: 0, storedWithinMs: 1_500 });
    store.fault = () => 500;
    for (let no = 0; no < 6; no += 1) {
      await expect(ingestor.ingest(project, eventsOf(no))).rejects.toMatchObject({ code: 'unavailable' });
    }
    store.fault = () => null;
    // Each comes again with its ids, and counts once.
    await expect
      .poll(() =>
        ingestor.ingest(project, eventsOf(0)).then(
          ({ accepted }) => accepted,
          () => 0,
        ),
      )
      .toBe(knownEventsOf(0).length);
    for (let no = 1; no < 6; no += 1) await ingestor.ingest(project, eventsOf(no));
    await expectExactly(bench, project, knownUpTo(6));
  });

  test('corrupted objects are never counted: the answer waits, and nothing is considered lost immediately', async () => {
    const bench = await machine();
    const project = await newProject(bench);
    await take(bench, project, 0, 4);
    await mergeProject(bench, project);
    store.fault = ({ method, url }) => (method === 'GET' && url.includes('.parquet') ? 'spoil' : null);
    const bare = await analyticsOf(90_000);
    await expect(
      bare.ask(project, {}, (pinned) => bare.queries.byPath(pinned, 'views', ALL, PAGE)),
    ).rejects.toMatchObject({ code: 'unavailable' });
    store.fault = () => null;
    await expect
      .poll(() =>
        bare
          .ask(project, {}, (pinned) => bare.queries.byPath(pinned, 'views', ALL, PAGE))
          .then(
            ({ rows }) => rows.length,
            () => 0,
          ),
      )
      .toBe(7);
    await expectExactly(bench, project, knownUpTo(4));
    await bare.close();
  });

  test('a missing object is stored again from a copy; without one, its events are reported as lost', async () => {
    const bench = await machine();
    const project = await newProject(bench);
    await take(bench, project, 0, 4);
    await mergeProject(bench, project);
    const events = (await readManifest(database.db, project)).files.filter(({ family }) => family === 'events');
    const { bucket } = bench.folder.bucketFiles!;
    await bucket.remove(events.map((file) => file.path));
    expect(await repairProject(bench, project, 0)).toEqual([]);
    await expectExactly(await machine(), project, knownUpTo(4));
    await bucket.remove(events.map((file) => file.path));
    for (const file of events) await bench.folder.bucketFiles!.dropCopy(file.path);
    await expect(repairProject(bench, project, 0)).rejects.toMatchObject({ code: 'unavailable' });
    await sleep(100);
    expect((await repairProject(bench, project, 0))?.map(({ file }) => file.id)).toEqual(events.map(({ id }) => id));
    expect(await counted(bench, project)).toBe(0);
  });

  test('objects of a running rebuild are left alone for more than an hour', async () => {
    const [one, other] = [await machine(), await machine()];
    const project = await newProject(one);
    await take(one, project, 0, 4);
    const marker = path.join(one.folder.root, 'written');
    const { child, ended } = startProcess(one, {
      do: 'rebuild',
      project,
      fault: `stop:rebuild-written@${marker}`,
      bucket: where,
    });
    await expect.poll(() => stat(marker).catch(() => null)).not.toBeNull();
    try {
      await collectAnHourLater(other);
    } finally {
      child.kill('SIGCONT');
    }
    expect(await ended).toMatchObject({ signal: null, errors: '' });
    expect(await objectsOf(one, project)).toEqual(expect.arrayContaining(await namedOf(project)));
    expect(await counted(other, project)).toBe(knownUpTo(4).length);
  });

  test('takes in objects that the database does not know automatically, each event once', async () => {
    const bench = await machine();
    const project = await newProject(bench);
    await take(bench, project, 0, 2);
    await mergeProject(bench, project);
    await take(bench, project, 2, 3);
    // As after a restore of an older database.
    await database.db.delete(analyticsFiles).where(eq(analyticsFiles.projectId, project));
    await collectAnHourLater(bench);
    expect(await uncountedFiles(bench)).toEqual([]);
    await expectExactly(await machine(), project, knownUpTo(3));
    expect(await recoverProject(bench, project)).toMatchObject({ files: 0, events: 0 });
  });

  test('erased data leaves the bucket immediately, and the copies of other machines', async () => {
    const [one, other] = [await machine(), await machine()];
    const project = await newProject(one);
    await take(one, project, 0, 4);
    await mergeProject(one, project);
    await expectExactly(other, project, knownUpTo(4));
    const before = await filesBelow(path.join(other.folder.filesFolder, project));
    expect(before.length).toBeGreaterThan(0);
    await eraseVisitor(one, project, { visitorId: 'v1' });
    expect(await objectsOf(one, project)).toEqual(await namedOf(project));
    for (const file of before) await utimes(file, 1, 1);
    await dropStaleCopies(database.db, other.folder.root, other.folder.bucketFiles!);
    const named = new Set((await namedOf(project)).map((name) => other.folder.fileOf(name)));
    for (const file of await filesBelow(path.join(other.folder.filesFolder, project))) expect(named).toContain(file);
    await expectExactly(
      other,
      project,
      knownUpTo(4).filter(({ visitor }) => visitor !== 'v1'),
    );
  });

  test('the copies of one folder stay within their bound, and answers do not suffer', async () => {
    const maxBytes = 15_000;
    const bench = await machine({ maxBytes, freshMs: 0, touchMs: 1 });
    const all = [];
    for (let n = 0; n < 2; n += 1) {
      const project = await newProject(bench);
      await take(bench, project, 0, 4);
      await mergeProject(bench, project);
      all.push(project);
    }
    const stored = (await Promise.all(all.map((project) => readManifest(database.db, project)))).flatMap(
      ({ files }) => files,
    );
    expect(stored.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThan(maxBytes);
    for (const project of all) await expectExactly(bench, project, knownUpTo(4));
    await bench.folder.bucketFiles!.cache.evict();
    const files = await filesBelow(bench.folder.filesFolder);
    const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(maxBytes);
    await Promise.all(all.map((project) => expectExactly(bench, project, knownUpTo(4))));
  });

  test('a used index stays in a full cache longer than unused files', async () => {
    const bench = await machine();
    const project = await newProject(bench);
    await take(bench, project, 0, 4);
    await mergeProject(bench, project);
    // As of a file that is large.
    await makeIndexes(bench, project, 0, 1);
    const files = await filesBelow(path.join(bench.folder.filesFolder, project));
    const [index] = files.filter((file) => file.endsWith('.index'));
    const old = new Date(Date.now() - 3_600_000);
    for (const file of files) await utimes(file, old, old);
    await take(bench, project, 4, 6);
    await mergeProject(bench, project);
    expect((await stat(index!)).mtimeMs).toBeGreaterThan(old.getTime() + 3_000_000);
    await expectExactly(bench, project, knownUpTo(6));
  });

  test('a log on a lost disk is forgotten after a month, and imported if it comes back', async () => {
    const [lost, other] = [await machine(), await machine()];
    const project = await newProject(lost);
    await take(other, project, 0, 1);
    const dies = { do: 'ingest', project, fault: 'wal-synced', first: 1, batches: 1, bucket: where } as const;
    await runProcess(lost, dies, 20_000);
    const collector = new GarbageCollector(other);
    const writers = async () => (await listWriters(database.db)).map(({ id }) => id);
    const [id] = await lost.folder.writerIds();
    await collector.collect();
    expect(await writers()).toContain(id);
    await database.pool.query(`UPDATE analytics_writers SET lease_until = now() - interval '31 days' WHERE id = $1`, [
      id,
    ]);
    await collector.collect();
    expect(await writers()).not.toContain(id);
    expect((await uncountedFiles(lost)).filter((file) => file.includes(id!))).toHaveLength(1);
    await recoverProject(lost, project);
    await (await lost.ingestor()).takeOver(0);
    await expectExactly(other, project, knownUpTo(2));
  });

  test('a wrong folder or bucket is never used', async () => {
    const bench = await machine();
    const project = await newProject(bench);
    await take(bench, project, 0, 1);
    const copy = await mkdtemp(path.join(tmpdir(), 'docent-copy-'));
    const elsewhere = bucketSettings({ ...where, url: `s3://${BUCKET}/elsewhere` });
    try {
      await expect(openBucketFolder(database, copy, elsewhere, { log: quiet })).rejects.toThrow(
        /is not the bucket of this database/,
      );
      await cp(bench.folder.root, copy, { recursive: true });
      // A process that does not know the bucket.
      await expect(openFolder(database, copy, { log: quiet, name: 'a test', waitMs: 0 })).rejects.toThrow(
        /DOCENT_ANALYTICS_STORAGE/,
      );
      const backup = { file: path.join(copy, 'backup'), databaseUrl: database.url, analyticsRoot: copy, home: null };
      await expect(makeBackup(backup)).rejects.toThrow(/Set DOCENT_ANALYTICS_STORAGE/);
      const foreign = await createTestDatabase();
      await expect(openBucketFolder(foreign, copy, bucketSettings(where), { log: quiet })).rejects.toThrow(
        /another installation/,
      );
      await foreign.drop();
      expect(await readdir(copy)).toContain('bucket.json');
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  });
});
