import { Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { addControlRequest, recordControlResult } from '../../src/store/installation/control-requests.ts';
import { VERSION } from '../../src/platform/version.ts';
import { signOfLife } from '../../src/store/installation/processes.ts';
import { startAnalyticsApi, type AnalyticsApi } from '../support/analytics-api.ts';
import { askTemporal } from '../../src/temporal/temporal-health.ts';
import { startTestApi } from '../support/api-server.ts';
import { services } from '../support/run-services.ts';

let world: AnalyticsApi;

beforeAll(async () => {
  world = await startAnalyticsApi();
});
afterAll(() => world.close());

const WORKER = { id: 'w1', name: 'docent worker', version: VERSION, level: 1, host: 'machine', pid: 7 };

test('each part reports its status, and problems name the affected objects', async () => {
  const { api } = world;
  const { db, pool } = api.database;
  await signOfLife(db, WORKER);
  const project = await api.addProject();
  await api.call(`/v2/agent/${project}/job`, { body: { prompt: 'Wait' } });
  await pool.query(`UPDATE jobs SET queue_no = 1`);
  await pool.query(`UPDATE messages SET created_at = now() - interval '10 minutes'`);
  await pool.query(
    `INSERT INTO webhooks (id, project_id, url, events, failing_since) VALUES ('w', $1, 'https://u:p@hooks.example/secret?t=1', '{job.failed}', now())`,
    [project],
  );
  await pool.query(
    `INSERT INTO code_hosts (id, kind, web_url, api_url, credential, key_id) VALUES ('gh', 'github', 'https://g', 'https://g', 'x', 'k')`,
  );
  const ask = async (kind: 'testModel' | 'checkHost', input: object, result: object) =>
    recordControlResult(
      db,
      await addControlRequest(db, { kind, input, requestedBy: 'operator', lifeMs: 1_000 }),
      result,
    );
  await ask('testModel', { model: 'builtin' }, { ok: false, code: 'model_key', message: 'The key is not good.' });
  await ask('checkHost', { host: 'gh', candidate: null }, { ok: false, account: null, problems: ['It may not push.'] });

  const { status, json, headers, text } = await api.call('/v1/health');
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  // This server asks no Temporal.
  expect(json).toMatchObject({
    status: 'down',
    temporal: { status: 'down', workers: [] },
    database: { status: 'ok', pendingMigrations: 0, sizeBytes: expect.any(Number) },
    disk: { freeBytes: expect.any(Number), totalBytes: expect.any(Number) },
    model: { status: 'degraded', model: 'builtin', lastTest: { ok: false, message: 'The key is not good.' } },
    hosts: { status: 'degraded', hosts: [{ id: 'gh', ok: false, problems: ['It may not push.'] }] },
    processes: { status: 'ok', processes: [{ name: 'docent worker', alive: true, host: 'machine' }] },
    queue: { status: 'degraded', active: 1, waiting: 1, working: 0, oldestWaitingSince: expect.any(String) },
    analytics: {
      status: 'ok',
      unmergedEvents: 0,
      damagedFiles: 0,
    },
    webhooks: { status: 'degraded', failing: 1, webhooks: [{ id: 'w', projectId: project, host: 'hooks.example' }] },
  });
  expect(text).not.toContain('secret');
  // Concurrent requests share one answer.
  expect((await api.call('/v1/health')).json.asOf).toBe(json.asOf);
  expect((await api.call('/v1/health', { token: await api.addKey() })).json.code).toBe('forbidden_scope');
});

const stand = (lastAccessAt: Date) => async () => ({
  namespace: 'default',
  serverVersion: '1.29.0',
  workers: [{ identity: '7@machine', lastAccessAt }],
});

test('workers known to Temporal are shown, and quiet ones are marked', async () => {
  for (const [at, status] of [
    [new Date(), 'ok'],
    [new Date(Date.now() - 300_000), 'degraded'],
  ] as const) {
    const api = await startTestApi({ deps: { database: world.api.database, askTemporal: stand(at) } });
    const { json } = await api.call('/v1/health');
    expect(json.temporal).toMatchObject({ status, namespace: 'default', serverVersion: '1.29.0' });
    // This server has no analytics, but still answers.
    expect(json).toMatchObject({ status: 'degraded', disk: { status: 'unknown', freeBytes: null } });
    await api.close();
  }
});

test("a Temporal without this installation's workers is reachable and reports its version", async () => {
  const connection = await Connection.connect({ address: services.temporalAddress });
  const at = { namespace: 'default', taskQueue: 'docent-of-nobody' };
  expect(await askTemporal(connection, at, 5_000)).toEqual({
    namespace: 'default',
    serverVersion: expect.stringMatching(/^\d/),
    workers: [],
  });
  await connection.close();
});

test('without a database, and with a Temporal that does not answer, it answers anyway, within seconds', async () => {
  const away = openDatabase('postgres://nobody@127.0.0.1:9/nothing');
  const api = await startTestApi({ deps: { database: away, askTemporal: () => new Promise(() => {}) } });
  const begun = performance.now();
  const { status, json } = await api.call('/v1/health');
  expect(status).toBe(200);
  expect(performance.now() - begun).toBeLessThan(8_000);
  expect(json).toMatchObject({
    status: 'down',
    temporal: { status: 'down' },
    database: { status: 'down', version: null },
    queue: { status: 'unknown', waiting: null },
    webhooks: { status: 'unknown' },
  });
  await api.close();
});
