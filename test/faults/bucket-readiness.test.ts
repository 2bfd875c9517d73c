import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BUCKET, OBJECT_STORE_KEYS } from '../../scripts/object-store.ts';
import { openFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { createLogger } from '../../src/platform/log.ts';
import { analyticsBench } from '../support/analytics.ts';
import { BATCH, eventsOf, fillProject } from '../support/analytics-load.ts';
import { freePort } from '../support/free-port.ts';
import { hasObjectStore, ObjectStore } from '../support/object-store.ts';
import { spawnRole, untilReady, type RoleProcess } from '../support/role-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';
import { services } from '../support/run-services.ts';

const TOKEN = 'a-token-of-an-operator-that-is-long-enough';
const BATCHES = 4;
const quiet = createLogger({ level: 'fatal', name: 'test' });

let store: ObjectStore;
let database: TestDatabase;
let root: string;
let role: RoleProcess | null = null;

async function start(ack: 'local' | 'stored') {
  const port = await freePort();
  role = spawnRole('api', {
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: services.temporalAddress,
    DOCENT_PORT: String(port),
    DOCENT_OPERATOR_TOKEN: TOKEN,
    DOCENT_ANALYTICS_DIR: path.join(root, 'kept'),
    DOCENT_ANALYTICS_STORAGE: `s3://${BUCKET}/readiness`,
    DOCENT_ANALYTICS_ACK: ack,
    DOCENT_CACHE_DIR: path.join(root, 'cache'),
    AWS_ENDPOINT_URL_S3: store.url,
    ...OBJECT_STORE_KEYS,
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(role, async () => (await fetch(`${url}/healthz`)).ok);
  const ready = async () => {
    const response = await fetch(`${url}/readyz`);
    const { bucket, error } = (await response.json()) as { bucket: boolean | null; error?: string };
    return { status: response.status, bucket, error };
  };
  const call = (route: string, body?: unknown) =>
    fetch(url + route, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const viewsOf = async (project: string) =>
    ((await (await call(`/v1/analytics/${project}/views`)).json()) as { totals?: { total: number } }).totals?.total;
  return { ready, call, viewsOf };
}

/** A project with page views in a folder that no one has open. */
async function filled(): Promise<string> {
  const bench = await analyticsBench({
    database,
    open: (db, folder) => openFolder(db, folder, { log: quiet, name: 'a test', waitMs: 0 }),
  });
  const project = await fillProject(bench, { batches: BATCHES, unmerged: 0 });
  await bench.folder.close();
  await cp(bench.folder.root, path.join(root, 'kept'), { recursive: true });
  await bench.close();
  return project;
}

describe.skipIf(!hasObjectStore)('an API with page views in a bucket', () => {
  beforeAll(async () => {
    store = await ObjectStore.start();
    database = await createTestDatabase();
    root = await mkdtemp(path.join(tmpdir(), 'docent-bucket-api-'));
  });
  afterEach(async () => {
    store.fault = () => null;
    await role?.kill();
  });
  afterAll(async () => {
    await database.drop();
    await store.close();
    await rm(root, { recursive: true, force: true });
  });

  test('moves the page views of its folder, and continues without the bucket', async () => {
    const project = await filled();
    const { ready, call, viewsOf } = await start('local');
    expect(await viewsOf(project)).toBe(BATCHES * BATCH);
    expect(await ready()).toMatchObject({ status: 200, bucket: true });
    store.fault = () => 500;
    expect((await call(`/v1/analytics/${project}/events`, { events: eventsOf(BATCHES) })).status).toBe(202);
    await expect.poll(ready).toMatchObject({ status: 200, bucket: false });
    const { analytics } = (await (await call('/v1/health')).json()) as {
      analytics: { status: string; message: string };
    };
    expect(analytics).toMatchObject({ status: 'degraded', message: expect.stringContaining('The bucket') as string });
    store.fault = () => null;
    await expect.poll(ready).toMatchObject({ status: 200, bucket: true });
    await expect.poll(() => viewsOf(project)).toBe((BATCHES + 1) * BATCH);
  });

  test('that acknowledges stored events is not ready without the bucket, and recovers with it', async () => {
    const { ready, call } = await start('stored');
    expect(await ready()).toMatchObject({ status: 200, bucket: true });
    store.fault = () => 500;
    expect((await call('/v1/analytics/site-1/events', { events: eventsOf(BATCHES + 1) })).status).toBe(503);
    await expect.poll(ready).toMatchObject({
      status: 503,
      bucket: false,
      error: expect.stringContaining('page views cannot be accepted') as string,
    });
    store.fault = () => null;
    await expect.poll(ready).toMatchObject({ status: 200, bucket: true });
    expect((await call('/v1/analytics/site-1/events', { events: eventsOf(BATCHES + 1) })).status).toBe(202);
  });

  test('starts without its earlier bucket, and accepts page views until it is back', async () => {
    store.fault = () => 503;
    const { ready, call, viewsOf } = await start('local');
    expect((await call('/v1/analytics/site-1/events', { events: eventsOf(BATCHES + 2) })).status).toBe(202);
    await expect.poll(ready).toMatchObject({ status: 200, bucket: false });
    store.fault = () => null;
    await expect.poll(() => viewsOf('site-1')).toBe((BATCHES + 3) * BATCH);
  });
});
