import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BUCKET } from '../../scripts/object-store.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { openFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { moveFolder, openBucketFolder } from '../../src/analytics/storage/open-bucket.ts';
import { recoverProject } from '../../src/analytics/maintenance/recover.ts';
import { createLogger } from '../../src/platform/log.ts';
import { findFolder } from '../../src/store/analytics/folder.ts';
import { readManifest } from '../../src/store/analytics/manifest.ts';
import { analyticsFiles } from '../../src/store/analytics/analytics-schema.ts';
import { newId } from '../../src/store/ids.ts';
import { projects } from '../../src/store/schema.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { eventsOf } from '../support/analytics-load.ts';
import { runProcess } from '../support/analytics-runs.ts';
import { bucketSettings } from '../support/bucket-settings.ts';
import { expectExactly, knownUpTo } from '../support/counted-exactly.ts';
import type { MoveOrders } from '../support/move-process.ts';
import { hasObjectStore, ObjectStore } from '../support/object-store.ts';
import { builtProcess } from '../support/processes.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';

const MOVE_PROCESS = builtProcess('move-process');
const quiet = createLogger({ level: process.env.DOCENT_TEST_LOG_LEVEL ?? 'fatal', name: 'test' });

let store: ObjectStore;
let database: TestDatabase;
/** The folder that is moved. */
let root: string;
let where: { url: string; endpoint: string };
const benches: AnalyticsBench[] = [];

async function bench(root: string, isMoved: boolean): Promise<AnalyticsBench> {
  const made = await analyticsBench({
    database,
    root,
    open: (db, folder) =>
      isMoved
        ? openBucketFolder(db, folder, bucketSettings(where), { log: quiet, patienceMs: 50 })
        : openFolder(db, folder, { log: quiet, name: 'a test', waitMs: 0 }),
  });
  benches.push(made);
  return made;
}

/** Releases a folder, and keeps its content. */
async function leave(made: AnalyticsBench): Promise<void> {
  const kept = await mkdtemp(path.join(tmpdir(), 'docent-kept-'));
  await made.folder.close();
  await cp(made.folder.root, kept, { recursive: true });
  benches.splice(benches.indexOf(made), 1);
  await made.close();
  await cp(kept, root, { recursive: true });
  await rm(kept, { recursive: true });
}

async function filled(made: AnalyticsBench): Promise<string> {
  const id = `site-${newId()}`;
  await database.db.insert(projects).values({ id, repository: '/nowhere', ref: 'main', model: 'builtin' });
  const ingestor = await made.ingestor({ rememberedIds: 0 });
  for (let no = 0; no < 4; no += 1) {
    await ingestor.ingest(id, eventsOf(no));
    await ingestor.flush();
    if (no === 1) await mergeProject(made, id);
  }
  return id;
}

async function newFolder(): Promise<AnalyticsBench> {
  root = await mkdtemp(path.join(tmpdir(), 'docent-moved-'));
  where = { url: `s3://${BUCKET}/${newId()}`, endpoint: store.url };
  return bench(root, false);
}

const move = () => moveFolder(database, root, bucketSettings(where), { waitMs: 0 });

describe.skipIf(!hasObjectStore)('page views move from a folder into a bucket', () => {
  beforeAll(async () => {
    store = await ObjectStore.start();
    database = await createTestDatabase();
  });
  afterEach(async () => {
    for (const made of benches.splice(0)) await made.close();
    await database.pool.query('TRUNCATE analytics_folder, analytics_writers, projects CASCADE');
    await rm(root, { recursive: true, force: true });
  });
  afterAll(async () => {
    await database.drop();
    await store.close();
  });

  test.each(['move-stored', 'move-identity-stored', 'move-folder-renamed', 'move-committed'])(
    'killed at %s and run again: each view counts once, also those that only a log has',
    async (fault) => {
      const before = await newFolder();
      const project = await filled(before);
      await leave(before);
      const log = { do: 'ingest', project, fault: 'wal-synced', first: 4, batches: 1 } as const;
      await runProcess({ ...before, database, folder: { root } } as AnalyticsBench, log);
      const orders: MoveOrders = { databaseUrl: database.url, root, bucket: where, fault };
      const child = spawn(process.execPath, [MOVE_PROCESS, JSON.stringify(orders)], { stdio: 'inherit' });
      expect((await once(child, 'exit'))[1]).toBe('SIGKILL');
      const again = await move();
      expect(again?.isMoved).toBe(fault === 'move-committed' ? undefined : true);
      expect(again?.stored ?? 0).toBe(0);
      const after = await bench(root, true);
      expect(await (await after.ingestor()).takeOver(0)).toBe(1);
      await expectExactly(after, project, knownUpTo(5));
      // Without a file of the folder.
      const anew = await bench(await mkdtemp(path.join(tmpdir(), 'docent-anew-')), true);
      await expectExactly(anew, project, knownUpTo(5));
      await expect(openFolder(database, root, { log: quiet, name: 'a test', waitMs: 0 })).rejects.toThrow(
        /DOCENT_ANALYTICS_STORAGE/,
      );
    },
  );

  test('while a process has the folder open, files are stored and everything stays where it is', async () => {
    const before = await newFolder();
    const project = await filled(before);
    const first = await move();
    expect(first).toMatchObject({ isMoved: false, open: [expect.stringContaining('a test, process ')] });
    expect(first?.stored).toBe((await database.db.select().from(analyticsFiles)).length);
    await expectExactly(before, project, knownUpTo(4));
    expect((await findFolder(database.db))?.path).toBe(root);
    await leave(before);
    expect(await move()).toMatchObject({ isMoved: true, stored: 0 });
    expect(await readdir(root)).not.toContain('identity.json');
    expect(await move()).toBeNull();
  });

  test('a damaged file is not moved, and nothing is changed', async () => {
    const before = await newFolder();
    const project = await filled(before);
    await leave(before);
    const [file] = (await readManifest(database.db, project)).files;
    await truncate(path.join(root, file!.path), 3);
    await expect(move()).rejects.toThrow(`${file!.path} in ${root} is damaged`);
    expect((await findFolder(database.db))?.path).toBe(root);
  });

  test('no other folder is moved, and nothing into a bucket with other page views', async () => {
    const before = await newFolder();
    await filled(before);
    await leave(before);
    const other = await mkdtemp(path.join(tmpdir(), 'docent-other-'));
    await expect(moveFolder(database, other, bucketSettings(where), { waitMs: 0 })).rejects.toThrow(
      /start a process with DOCENT_ANALYTICS_DIR set to that folder/,
    );
    await rm(other, { recursive: true });
    const foreign = await createTestDatabase();
    const others = await analyticsBench({
      database: foreign,
      open: (db, folder) => openBucketFolder(db, folder, bucketSettings(where), { log: quiet }),
    });
    await expect(move()).rejects.toThrow(/holds other page views/);
    await others.close();
    await foreign.drop();
  });

  test('events that the database does not know move as well, and are recovered', async () => {
    const before = await newFolder();
    const [known, unknown] = [await filled(before), await filled(before)];
    await leave(before);
    await database.db.delete(analyticsFiles).where(eq(analyticsFiles.projectId, unknown));
    expect(await move()).toMatchObject({ isMoved: true });
    const anew = await bench(await mkdtemp(path.join(tmpdir(), 'docent-anew-')), true);
    expect((await recoverProject(anew, unknown))?.events).toBe(knownUpTo(4).length);
    await expectExactly(anew, known, knownUpTo(4));
  });
});
