import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BUCKET } from '../../scripts/object-store.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { openFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { openBucketFolder, type BucketSettings } from '../../src/analytics/storage/open-bucket.ts';
import { repairProject } from '../../src/analytics/maintenance/repair.ts';
import { verifyBackup } from '../../src/operations/backup/verify-backup.ts';
import { createLogger } from '../../src/platform/log.ts';
import { readManifest } from '../../src/store/analytics/manifest.ts';
import { newId } from '../../src/store/ids.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { eventsOf } from '../support/analytics-load.ts';
import { backUp, restoreAnew, type RestoredPlace } from '../support/backups.ts';
import { bucketSettings } from '../support/bucket-settings.ts';
import { expectExactly, knownUpTo } from '../support/counted-exactly.ts';
import { hasObjectStore, ObjectStore } from '../support/object-store.ts';

const quiet = createLogger({ level: process.env.DOCENT_TEST_LOG_LEVEL ?? 'fatal', name: 'test' });

let store: ObjectStore;
let backups: string;
let bucket: BucketSettings;
let bench: AnalyticsBench;
let project: string;
const open: { close(): Promise<void> }[] = [];

const newBucket = (): BucketSettings => bucketSettings({ url: `s3://${BUCKET}/${newId()}`, endpoint: store.url });
const newFile = () => path.join(backups, `${newId()}.docent-backup`);
const openIn = (settings: BucketSettings) => (db: AnalyticsBench['database'], root: string) =>
  openBucketFolder(db, root, settings, { log: quiet, patienceMs: 50 });

async function take(from: number, to: number): Promise<void> {
  const ingestor = await bench.ingestor({ rememberedIds: 0 });
  for (let no = from; no < to; no += 1) {
    await ingestor.ingest(project, eventsOf(no));
    await ingestor.flush();
  }
}

async function restored(file: string, settings: BucketSettings | null): Promise<RestoredPlace> {
  const place = await restoreAnew(file, { bucket: settings });
  open.push(place);
  return place;
}

/** The counts of a restored installation: in its folder, or in a bucket. */
async function expectRestored(place: RestoredPlace, settings: BucketSettings | null, batches: number): Promise<void> {
  const { database } = place;
  const restored = await analyticsBench({
    database,
    root: place.root,
    open: settings ? openIn(settings) : (db, root) => openFolder(db, root, { log: quiet, name: 'a test', waitMs: 0 }),
  });
  open.push(restored);
  await (await restored.ingestor()).takeOver(0);
  await expectExactly(restored, project, knownUpTo(batches));
  await mergeProject(restored, project);
  await expectExactly(restored, project, knownUpTo(batches));
  if (!settings) return;
  const anew = await analyticsBench({ database, open: openIn(settings) });
  open.push(anew);
  await expectExactly(anew, project, knownUpTo(batches));
}

describe.skipIf(!hasObjectStore)('a backup of page views in a bucket', () => {
  beforeAll(async () => {
    store = await ObjectStore.start();
    backups = await mkdtemp(path.join(tmpdir(), 'docent-backups-'));
  });
  beforeEach(async () => {
    bucket = newBucket();
    bench = await analyticsBench({ open: openIn(bucket) });
    project = await bench.newProject();
    await take(0, 3);
    await mergeProject(bench, project);
    await take(3, 5);
  });
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
    await bench.close();
  });
  afterAll(async () => {
    await rm(backups, { recursive: true });
    await store.close();
  });

  test('is complete on its own, with logs: it restores into a folder and into another bucket', async () => {
    // Acknowledged, but in no file yet.
    await (await bench.ingestor()).ingest(project, eventsOf(5));
    const file = newFile();
    const made = await backUp(bench, file, { bucket });
    expect(made.eventFiles).toMatchObject({ missing: [], damaged: [], elsewhere: 0 });
    expect((await verifyBackup(file)).eventFiles.included).toBe(made.eventFiles.included);
    await expectRestored(await restored(file, null), null, 6);
    const other = newBucket();
    await expectRestored(await restored(file, other), other, 6);
    expect((await readdir(bench.folder.temporaryFolder)).filter((name) => name.startsWith('backup-'))).toEqual([]);
  });

  test('on top of an earlier one it contains only new files, and both restore', async () => {
    const [first, second] = [newFile(), newFile()];
    const { eventFiles } = await backUp(bench, first, { bucket });
    await take(5, 6);
    const made = await backUp(bench, second, { bucket, base: first });
    expect(made.eventFiles).toMatchObject({ included: 1, elsewhere: eventFiles.included });
    const other = newBucket();
    await expectRestored(await restored(second, other), other, 6);
  });

  test('can be made on an empty machine; a machine that does not know the bucket is refused', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'docent-bare-'));
    open.push({ close: () => rm(root, { recursive: true }) });
    const bare = { database: bench.database, folder: { root } };
    await expect(backUp(bare, newFile())).rejects.toThrow(/Set DOCENT_ANALYTICS_STORAGE/);
    const file = newFile();
    await backUp(bare, file, { bucket });
    await expectRestored(await restored(file, null), null, 5);
  });

  test('names a missing object, whose events are reported as lost after a restore', async () => {
    const events = (await readManifest(bench.database.db, project)).files.filter(({ family }) => family === 'events');
    await bench.folder.bucketFiles!.remove(events.map((file) => file.path));
    const file = newFile();
    const made = await backUp(bench, file, { bucket });
    expect(made.eventFiles.missing).toEqual(events.map((one) => one.path));
    const other = newBucket();
    const place = await restored(file, other);
    const after = await analyticsBench({ database: place.database, root: place.root, open: openIn(other) });
    open.push(after);
    await repairProject(after, project, 0).catch(() => {});
    await expect
      .poll(async () => (await repairProject(after, project, 0))?.map(({ file: one }) => one.path))
      .toEqual(made.eventFiles.missing);
  });

  test('it is never restored into a bucket that holds anything', async () => {
    const file = newFile();
    await backUp(bench, file, { bucket });
    await expect(restoreAnew(file, { bucket })).rejects.toThrow(/is not empty/);
    await expectExactly(bench, project, knownUpTo(5));
  });
});
