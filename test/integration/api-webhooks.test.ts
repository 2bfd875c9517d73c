import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SecretBox } from '../../src/platform/secret-box.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';

let api: TestApi;
let project: string;

beforeAll(async () => {
  api = await startTestApi();
  project = await api.addProject();
});
afterAll(() => api.close());

const hooks = (id = project) => `/v1/projects/${id}/webhooks`;
const add = (body: object, headers: Record<string, string> = {}) => api.call(hooks(), { body, headers });

describe('an address', () => {
  test.each([
    ['http://user:password@example.com/', 'credentials'],
    ['http://127.0.0.1/', 'DOCENT_PRIVATE_HOSTS'],
    ['http://0x7f.1/', 'DOCENT_PRIVATE_HOSTS'],
    ['http://2130706433/', 'DOCENT_PRIVATE_HOSTS'],
    ['http://[::ffff:127.0.0.1]/', 'DOCENT_PRIVATE_HOSTS'],
    ['http://[::1]:4000/', 'DOCENT_PRIVATE_HOSTS'],
    ['http://169.254.169.254/latest/meta-data', 'metadata'],
    ['https://10.0.0.1/', 'DOCENT_PRIVATE_HOSTS'],
    ['ftp://example.com/', '`url`'],
    ['https://', '`url`'],
    ['javascript:alert(1)', '`url`'],
  ])('%s is refused with a sentence', async (url, words) => {
    const answer = await add({ url });
    expect([answer.status, answer.json.code]).toEqual([400, 'bad_request']);
    expect(answer.json.error).toContain(words);
    const ofJob = await api.call(`/v2/agent/${project}/job`, { body: { prompt: 'Fix it', webhook: { url } } });
    expect([ofJob.status, ofJob.json.code]).toEqual([400, 'bad_request']);
  });

  test('is shown in full to people who manage webhooks, and without its query in a job', async () => {
    const url = 'https://example.com/hook?token=abc';
    const { json } = await add({ url });
    expect(json).toMatchObject({ url, signed: true, enabled: true, secret: expect.stringMatching(/^whsec_/) });
    const { json: job } = await api.call(`/v2/agent/${project}/job`, { body: { prompt: 'Fix it', webhook: { url } } });
    expect(job.webhook).toMatchObject({ url: 'https://example.com/hook' });
    const { json: own } = await api.call(`${hooks()}?jobId=${job.id}`);
    expect(own.webhooks).toMatchObject([{ jobId: job.id, url: 'https://example.com/hook', signed: false }]);
    const { json: all } = await api.call(hooks());
    expect(all.webhooks.map((one: { id: string }) => one.id)).toEqual([json.id]);
    await api.call(`${hooks()}/${json.id}`, { method: 'DELETE' });
  });
});

test.each([
  [{ events: [] }, '`events`'],
  [{ events: ['job.exploded'] }, '`events[0]`'],
  [{ events: ['job.failed', 'job.failed'] }, '`events`'],
  [{ secret: 'whsec_short' }, '`secret`'],
  [{ secret: `whsec_${randomBytes(65).toString('base64')}` }, '`secret`'],
  [{ description: 'x'.repeat(201) }, '`description`'],
])('%j is refused, naming the field', async (more, field) => {
  const answer = await add({ url: 'https://example.com/', ...more });
  expect([answer.status, answer.json.code]).toEqual([400, 'bad_request']);
  expect(answer.json.error).toContain(field);
});

test('a secret is shown once: no replay, list, log or database row has it', async () => {
  const headers = { 'idempotency-key': 'one-webhook' };
  const first = await add({ url: 'https://example.com/a' }, headers);
  const again = await add({ url: 'https://example.com/a' }, headers);
  expect([first.status, again.status, again.json.id]).toEqual([201, 201, first.json.id]);
  expect(again.json.secret).toBe(null);
  const rotated = await api.call(`${hooks()}/${first.json.id}/rotate`, { method: 'POST' });
  expect(rotated.json).toMatchObject({ id: first.json.id, previousSecretUntil: expect.any(String) });
  const { rows } = await api.database.pool.query(
    `SELECT w::text || i::text AS text FROM webhooks w, idempotency_keys i`,
  );
  const { text } = await api.call(hooks());
  for (const secret of [first.json.secret, rotated.json.secret]) {
    expect(secret).toMatch(/^whsec_/);
    for (const place of [text, api.logged(), ...rows.map((row) => row.text)]) {
      expect(place).not.toContain(secret.replace('whsec_', ''));
    }
  }
  await api.call(`${hooks()}/${first.json.id}`, { method: 'DELETE' });
});

test('a project has at most 20 webhooks, even if they are added at the same time', async () => {
  const other = await api.addProject();
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, no) => api.call(hooks(other), { body: { url: `https://example.com/${no}` } })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
  expect(answers.filter(({ json }) => json.code === 'too_many_webhooks')).toHaveLength(4);
});

test('tests and repeats are bounded by the minute, for each project', async () => {
  const own = await api.addProject();
  const { json } = await api.call(hooks(own), { body: { url: 'https://example.com/a' } });
  const ping = () => api.call(`${hooks(own)}/${json.id}/test`, { method: 'POST' });
  const answers = await Promise.all(Array.from({ length: 45 }, ping));
  const taken = answers.filter(({ status }) => status === 200).length;
  expect(taken).toBeGreaterThanOrEqual(30);
  // The limit fills up again, by one every two seconds.
  expect(taken).toBeLessThan(45);
  const refused = answers.find(({ status }) => status !== 200)!;
  expect([refused.status, refused.json.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  const path = `${hooks(own)}/${json.id}/deliveries`;
  const sent = answers.find(({ status }) => status === 200)!;
  const again = await Promise.all(
    Array.from({ length: 15 }, () => api.call(`${path}/${sent.json.id}/redeliver`, { method: 'POST' })),
  );
  expect(again.map(({ status }) => status)).toContain(429);
});

test('names what is missing: the project, the webhook, or the delivery', async () => {
  const { json: webhook } = await add({ url: 'https://example.com/' });
  const other = await api.addProject();
  const codes = async (path: string, method = 'GET') => {
    const { status, json } = await api.call(path, { method });
    return [status, json.code];
  };
  expect(await codes(hooks('nowhere'))).toEqual([404, 'project_not_found']);
  expect(await codes(`${hooks('nowhere')}/abc`)).toEqual([404, 'project_not_found']);
  expect(await codes(`${hooks(other)}/${webhook.id}`)).toEqual([404, 'webhook_not_found']);
  expect(await codes(`${hooks(other)}/${webhook.id}`, 'DELETE')).toEqual([404, 'webhook_not_found']);
  expect(await codes(`${hooks(other)}/${webhook.id}/rotate`, 'POST')).toEqual([404, 'webhook_not_found']);
  expect(await codes(`${hooks()}/${webhook.id}/deliveries/msg_none`)).toEqual([404, 'delivery_not_found']);
  expect(await codes(`${hooks()}/${webhook.id}/deliveries/msg_none/redeliver`, 'POST')).toEqual([
    404,
    'delivery_not_found',
  ]);
  const token = await api.addKey({ scopes: ['read'] });
  const read = await api.call(hooks(), { token });
  expect([read.status, read.json.code]).toEqual([403, 'forbidden_scope']);
});

test('without an encryption key, refuses secrets, and a job without secrets continues', async () => {
  const bare = await startTestApi({ deps: { secrets: new SecretBox([]) } });
  try {
    const id = await bare.addProject();
    const refused = await bare.call(hooks(id), { body: { url: 'https://example.com/' } });
    expect([refused.status, refused.json.code]).toEqual([503, 'unavailable']);
    expect(refused.json.error).toContain('DOCENT_SECRET_KEY');
    const body = { prompt: 'Fix it', webhook: { url: 'https://example.com/' } };
    expect((await bare.call(`/v2/agent/${id}/job`, { body })).status).toBe(201);
  } finally {
    await bare.close();
  }
});
