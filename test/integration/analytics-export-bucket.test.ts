import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUCKET } from '../../scripts/object-store.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { Bucket } from '../../src/analytics/storage/bucket/bucket.ts';
import { BucketTarget } from '../../src/analytics/maintenance/export-target.ts';
import { exportTo } from '../../src/analytics/maintenance/export-to.ts';
import { readBucketUrl } from '../../src/platform/bucket-place.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { BATCH, eventsOf, fillProject } from '../support/analytics-load.ts';
import { hasObjectStore, ObjectStore } from '../support/object-store.ts';

let bench: AnalyticsBench;
let store: ObjectStore;
let bucket: Bucket;
let folder: string;

const exported = (project: string) =>
  bench.versions.use(project, undefined, (pinned) =>
    exportTo(bench.folder, bench.duck, pinned, new BucketTarget(bucket, bench.folder.temporaryFolder)),
  );

/**
 * Reads it through the manifest alone.
 * @returns names, rows, and how many events are in them by their ids
 */
async function readExport(): Promise<{ names: string[]; rows: number; ids: number }> {
  const manifest = JSON.parse((await bucket.readText('manifest.json'))!) as {
    files: { path: string; rows: number; sha256: string }[];
  };
  const files: string[] = [];
  for (const file of manifest.files) {
    const local = path.join(folder, path.basename(file.path));
    await bucket.get(file.path, local);
    expect(
      createHash('sha256')
        .update(await readFile(local))
        .digest('hex'),
    ).toBe(file.sha256);
    files.push(local);
  }
  const { ids } = await bench.duck.use((session) =>
    session.one<{ ids: bigint }>('SELECT count(DISTINCT id) AS ids FROM read_parquet($files)', { files }),
  );
  const names = manifest.files.map((file) => file.path).toSorted();
  expect((await bucket.list('events/')).map(({ name }) => name).toSorted()).toEqual(names);
  return { names, rows: manifest.files.reduce((sum, { rows }) => sum + rows, 0), ids: Number(ids) };
}

describe.skipIf(!hasObjectStore)('an export to a bucket', () => {
  beforeAll(async () => {
    [bench, store, folder] = await Promise.all([
      analyticsBench(),
      ObjectStore.start(),
      mkdtemp(path.join(tmpdir(), 'docent-export-bucket-')),
    ]);
    const place = readBucketUrl(`s3://${BUCKET}/warehouse/acme`)!;
    bucket = await Bucket.open(place, { endpoint: store.url, timeoutMs: 2_000, attempts: 2 });
  });
  afterAll(async () => {
    bucket?.close();
    await Promise.all([bench?.close(), store?.close(), rm(folder, { recursive: true, force: true })]);
  });

  test('holds every page view once, is updated, and is complete again after a crash and a loss', async () => {
    const project = await fillProject(bench, { batches: 4, unmerged: 2 });
    const all = 4 * BATCH;
    // The store fails in the middle: without a manifest, readers ignore a partial export.
    store.fault = ({ method, url }) => (method === 'PUT' && url.includes('manifest.json') ? 'cut' : null);
    await expect(exported(project)).rejects.toThrow(/manifest\.json/);
    store.fault = () => null;
    expect(await bucket.readText('manifest.json')).toBeNull();

    const first = await exported(project);
    expect(first).toMatchObject({ events: all, written: 0 });
    const { names, ...counted } = await readExport();
    expect(counted).toEqual({ rows: all, ids: all });

    await bucket.remove([names[0]!]);
    expect(await exported(project)).toEqual({ ...first, written: 1 });
    expect(await readExport()).toEqual({ names, rows: all, ids: all });

    const ingestor = await bench.ingestor({ rememberedIds: 0 });
    await ingestor.ingest(project, eventsOf(9));
    await ingestor.flush();
    await mergeProject(bench, project);
    expect(await exported(project)).toMatchObject({ events: all + BATCH });
    expect(await readExport()).toMatchObject({ rows: all + BATCH, ids: all + BATCH });

    const other = await fillProject(bench, { batches: 1, unmerged: 0 });
    await expect(exported(other)).rejects.toThrow(/is of an export of .*Nothing was changed/);
  });
});
