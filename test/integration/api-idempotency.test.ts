import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '../../src/platform/errors.ts';
import { once, deleteOldIdempotencyKeys } from '../../src/jobs/idempotency.ts';
import { apiKeys, idempotencyKeys, jobs, messages } from '../../src/store/schema.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';

let api: TestApi;
let project: string;

beforeAll(async () => {
  api = await startTestApi({ config: { jobsPerHour: 20 } });
});
afterAll(() => api.close());

const post = (path: string, body: unknown, key: string) =>
  api.call(`/v2/agent/${project}${path}`, { body, headers: { 'idempotency-key': key } });
const countJobs = () => api.database.db.$count(jobs, eq(jobs.projectId, project));

test('a repeated request gets the first answer again and makes no second job', async () => {
  project = await api.addProject();
  const first = await post('/job', { prompt: 'x' }, 'same key');
  expect(first.status).toBe(201);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  await api.call(`/v2/agent/${project}/job/${first.json.id}/cancel`, { method: 'POST' });
  const told = () => api.jobWorkflows.calls.filter(({ job }) => job.id === first.json.id).map(({ call }) => call);
  await expect.poll(told).toEqual(['start', 'signalOpen']);
  const again = await post('/job', { prompt: 'x' }, 'same key');
  expect(again.status).toBe(201);
  expect(again.text).toBe(first.text);
  expect(again.headers.get('location')).toBe(first.headers.get('location'));
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await countJobs()).toBe(1);
  await sleep(50);
  expect(told()).toHaveLength(2);
});

test('another body under the same key is refused', async () => {
  project = await api.addProject();
  await post('/job', { prompt: 'x' }, 'k');
  const answer = await post('/job', { prompt: 'y' }, 'k');
  expect([answer.status, answer.json.code]).toEqual([422, 'idempotency_key_reused']);
  expect(await countJobs()).toBe(1);
});

test('a key belongs to its project, route and job', async () => {
  project = await api.addProject();
  const one = await post('/job', { prompt: 'x' }, 'k');
  const two = await post('/job', { prompt: 'x' }, 'k2');
  await post(`/job/${one.json.id}/message`, { prompt: 'm' }, 'k');
  await post(`/job/${one.json.id}/message`, { prompt: 'm' }, 'k');
  await post(`/job/${two.json.id}/message`, { prompt: 'm' }, 'k');
  expect(await api.database.db.$count(messages, eq(messages.jobId, one.json.id))).toBe(2);
  expect(await api.database.db.$count(messages, eq(messages.jobId, two.json.id))).toBe(2);
  project = await api.addProject();
  expect((await post('/job', { prompt: 'x' }, 'k')).json.id).not.toBe(one.json.id);
});

test('twenty parallel requests create one job, and all get its answer', async () => {
  project = await api.addProject();
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('/job', { prompt: 'x' }, 'race')));
  expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(201));
  expect(new Set(answers.map((answer) => answer.json.id)).size).toBe(1);
  expect(await countJobs()).toBe(1);
});

test('errors are not kept: the same key works once the cause is gone', async () => {
  project = await api.addProject();
  expect((await post('/job', { prompt: '' }, 'k')).status).toBe(400);
  const created = await post('/job', { prompt: 'x' }, 'k');
  expect(created.status).toBe(201);
  const path = `/job/${created.json.id}`;
  await api.call(`/v2/agent/${project}${path}/archive`, { method: 'POST' });
  expect((await post(`${path}/message`, { prompt: 'm' }, 'k')).status).toBe(409);
  await api.call(`/v2/agent/${project}${path}/unarchive`, { method: 'POST' });
  expect((await post(`${path}/message`, { prompt: 'm' }, 'k')).status).toBe(200);
});

test('a repeat spends no rate limit, and is answered above it', async () => {
  project = await api.addProject();
  const first = await post('/job', { prompt: 'x' }, 'k');
  for (let i = 0; i < 30; i++) expect((await post('/job', { prompt: 'x' }, 'k')).json.id).toBe(first.json.id);
  for (let i = 1; i < 20; i++) expect((await post('/job', { prompt: 'x' }, `k${i}`)).status).toBe(201);
  expect((await post('/job', { prompt: 'x' }, 'one more')).status).toBe(429);
  expect((await post('/job', { prompt: 'x' }, 'k')).json.id).toBe(first.json.id);
  // A refused request stores no key.
  expect(await api.database.db.$count(idempotencyKeys, eq(idempotencyKeys.key, 'one more'))).toBe(0);
});

test('a key that is a day old is new again, and old ones are swept', async () => {
  project = await api.addProject();
  const first = await post('/job', { prompt: 'x' }, 'old');
  await post('/job', { prompt: 'x' }, 'older');
  const age = (key: string) =>
    api.database.db
      .update(idempotencyKeys)
      .set({ createdAt: sql`now() - interval '24 hours 1 second'` })
      .where(and(eq(idempotencyKeys.owner, project), eq(idempotencyKeys.key, key)));
  await age('old');
  await age('older');
  const second = await post('/job', { prompt: 'another' }, 'old');
  expect(second.status).toBe(201);
  expect(second.json.id).not.toBe(first.json.id);
  expect((await post('/job', { prompt: 'another' }, 'old')).json.id).toBe(second.json.id);
  expect(await deleteOldIdempotencyKeys(api.database.db)).toBe(1);
});

test('a repeated key creation comes without the secret', async () => {
  const body = { name: 'once', projectIds: null };
  const call = () => api.call('/v1/keys', { body, headers: { 'idempotency-key': 'new key' } });
  const first = await call();
  expect(first.json.key).toMatch(/^docent_/);
  const again = await call();
  expect(again.json).toEqual({ ...first.json, key: null });
  expect(await api.database.db.$count(apiKeys, eq(apiKeys.name, 'once'))).toBe(1);
  const [stored] = await api.database.db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, 'new key'));
  expect(JSON.stringify(stored)).not.toContain(first.json.key);
});

test('a repeated project creation does not check the repository again', async () => {
  const body = { id: 'once-only', repository: '/srv/git/docs' };
  const call = () => api.call('/v1/projects', { body, headers: { 'idempotency-key': 'p' } });
  const first = await call();
  expect(first.status).toBe(201);
  const looked = api.workflows.checked.length;
  const again = await call();
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect(again.headers.get('location')).toBe('/v1/projects/once-only');
  expect(api.workflows.checked).toHaveLength(looked);
});

test.each([
  ['', 400],
  ['x'.repeat(255), 201],
  ['x'.repeat(256), 400],
  ['caf\u00e9', 400],
  ['tab\there', 400],
])('the key %j is answered %i', async (key, status) => {
  project = await api.addProject();
  const answer = await post('/job', { prompt: 'x' }, key);
  expect(answer.status).toBe(status);
  if (status === 400) expect(answer.json.error).toContain('`Idempotency-Key`');
});

test('work that fails halfway leaves nothing behind', async () => {
  const request = { owner: '*', route: 'test', key: 'k', bodyHash: Buffer.from('x') };
  const { db } = api.database;
  const failing = once(db, request, async (tx) => {
    await tx.insert(apiKeys).values({ id: 'half', name: 'half', hash: Buffer.from('h'), hint: '', scopes: [] });
    throw new AppError('internal', 'Halfway.');
  });
  await expect(failing).rejects.toThrow('Halfway.');
  expect(await db.$count(apiKeys, eq(apiKeys.id, 'half'))).toBe(0);
  const answer = await once(db, request, async () => ({ status: 200, body: { ok: true } }));
  expect(answer).toEqual({ status: 200, body: { ok: true }, replayed: false });
});

test('a repeat of a request that takes too long gets 409, and no second run', async () => {
  const request = { owner: '*', route: 'slow', key: 'k', bodyHash: Buffer.from('x') };
  const { db } = api.database;
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const first = once(db, request, async () => {
    begun.resolve();
    await held.promise;
    return { status: 200, body: 1 };
  });
  await begun.promise;
  const second = once(db, request, async () => ({ status: 200, body: 2 }));
  await expect(second).rejects.toMatchObject({ code: 'idempotency_in_progress' });
  held.resolve();
  expect((await first).body).toBe(1);
  expect((await once(db, request, async () => ({ status: 200, body: 3 }))).body).toBe(1);
}, 300_000);
