import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { readModelKey } from '../../src/store/installation/model-keys.ts';
import { Secret } from '../../src/platform/secret.ts';
import { SecretBox } from '../../src/platform/secret-box.ts';
import { installationId } from '../../src/store/installation/installation.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';

const secrets = new SecretBox([new Secret(randomBytes(32).toString('base64'))]);
const CLAUDE = 'anthropic/claude-sonnet-5';
const GPT = 'openai/gpt-5.4';

let api: TestApi;
const started: TestApi[] = [];

async function startApi(model?: string): Promise<TestApi> {
  const made = await startTestApi({ config: { model }, deps: { secrets } });
  started.push(made);
  await installationId(made.database.db);
  made.workflows.modelAnswer = async () => ({ ok: true, isPriced: true });
  return made;
}

beforeEach(async () => {
  api = await startApi();
});
afterAll(() => Promise.all(started.map((each) => each.close())));

const create = (id: string, model?: string | null) =>
  api.call('/v1/projects', { body: { id, repository: `/srv/${id}`, ...(model === undefined ? {} : { model }) } });
const patch = (id: string, model: string | null) =>
  api.call(`/v1/projects/${id}`, { method: 'PATCH', body: { model } });
const setModel = (model: string | null) => api.call('/v1/model', { method: 'PATCH', body: { model } });
const modelOf = async (id: string) => {
  const { model, modelFrom } = (await api.call(`/v1/projects/${id}`)).json;
  return [model, modelFrom];
};
const modelOfNewJob = async (id: string) =>
  (await api.call(`/v2/agent/${id}/job`, { body: { prompt: 'Do it.' } })).json.model;

test('a project follows the installation’s model unless it names one, in its answers and in its jobs', async () => {
  const made = await create('follows');
  expect(made.json).toMatchObject({ model: 'builtin', modelFrom: 'installation' });
  await create('own', GPT);
  expect((await api.call('/v1/model')).json).toEqual({ model: 'builtin', from: 'default' });
  expect((await setModel(CLAUDE)).json).toEqual({ model: CLAUDE, from: 'setting' });
  expect(await modelOf('follows')).toEqual([CLAUDE, 'installation']);
  expect(await modelOfNewJob('follows')).toBe(CLAUDE);
  expect(await modelOf('own')).toEqual([GPT, 'project']);
  expect(await modelOfNewJob('own')).toBe(GPT);
  const listed = (await api.call('/v1/projects')).json.projects;
  expect(listed).toMatchObject([{ model: CLAUDE }, { model: GPT }]);
});

test('naming a model applies, unnaming follows the installation; an explicit one stays even if equal', async () => {
  await create('both', null);
  await patch('both', 'builtin');
  await setModel(CLAUDE);
  expect(await modelOf('both')).toEqual(['builtin', 'project']);
  expect((await patch('both', null)).json).toMatchObject({ model: CLAUDE, modelFrom: 'installation' });
  await setModel(null);
  expect(await modelOf('both')).toEqual(['builtin', 'installation']);
});

test('DOCENT_MODEL overrides the setting, applies to existing projects, and is reported', async () => {
  api = await startApi(GPT);
  await api.addProject('before');
  expect((await api.call('/v1/model')).json).toEqual({ model: GPT, from: 'environment' });
  expect(await modelOf('before')).toEqual([GPT, 'installation']);
  expect(await modelOfNewJob('before')).toBe(GPT);
  const refused = await setModel(CLAUDE);
  expect([refused.status, refused.json.code]).toEqual([409, 'model_in_environment']);
  expect(refused.json.error).toContain(`DOCENT_MODEL is set to ${GPT}`);
});

test('a model that no worker can use is not set', async () => {
  api.workflows.modelAnswer = async () => ({ ok: false, message: 'It needs a key: set OPENAI_API_KEY.' });
  const refused = await setModel(GPT);
  expect([refused.status, refused.json.error]).toEqual([400, '`model`: It needs a key: set OPENAI_API_KEY.']);
  expect((await setModel('no model')).status).toBe(400);
  expect((await api.call('/v1/model')).json.from).toBe('default');
});

test("a model test reports its result, by default for the installation's model", async () => {
  await setModel(CLAUDE);
  const asked: string[] = [];
  api.workflows.testAnswer = async ({ model }) => {
    asked.push(model);
    return model === GPT
      ? { ok: false, code: 'model_key', message: 'OpenAI does not accept the key.' }
      : { ok: true, ms: 812, inputTokens: 90, outputTokens: 9, costUsd: 0.0004 };
  };
  const ask = (body: object) => api.call('/v1/model/test', { body });
  const good = { model: CLAUDE, ok: true, code: null, message: null, ms: 812, inputTokens: 90, outputTokens: 9 };
  expect((await ask({})).json).toEqual({ ...good, costUsd: 0.0004 });
  expect((await ask({ model: GPT })).json).toMatchObject({ ok: false, code: 'model_key', ms: null });
  expect(asked).toEqual([CLAUDE, GPT]);
  const key = await api.addKey({ projectIds: null });
  expect((await api.call('/v1/model/test', { body: {}, token: key })).status).toBe(403);
});

test('a stored key is listed without its value, replaced, deleted, and only read by workers', async () => {
  const keyOf = (provider: string, body: object) => api.call(`/v1/model/keys/${provider}`, { method: 'PATCH', body });
  const read = (provider: 'anthropic' | 'openai-compatible') => readModelKey(api.database.db, secrets, provider);
  expect((await api.call('/v1/model/keys')).json).toEqual({ keys: [] });
  const stored = await keyOf('anthropic', { key: ' sk-ant-first\u200b\n' });
  expect(stored.json).toEqual({ provider: 'anthropic', baseUrl: null, updatedAt: expect.any(String) });
  expect((await read('anthropic'))?.apiKey.reveal()).toBe('sk-ant-first');
  await keyOf('anthropic', { key: 'sk-ant-second' });
  expect((await read('anthropic'))?.apiKey.reveal()).toBe('sk-ant-second');
  expect(
    (await keyOf('openai-compatible', { key: 'local', baseUrl: 'http://127.0.0.1:11434/v1/' })).json,
  ).toMatchObject({
    baseUrl: 'http://127.0.0.1:11434/v1',
  });
  const listed = await api.call('/v1/model/keys');
  expect(listed.json.keys.map(({ provider }: { provider: string }) => provider)).toEqual([
    'anthropic',
    'openai-compatible',
  ]);
  expect(JSON.stringify(listed.json)).not.toMatch(/sk-ant|local"/);
  // A row that was changed does not send its key elsewhere.
  await api.database.pool.query(`UPDATE model_keys SET base_url = 'http://evil.example' WHERE base_url IS NOT NULL`);
  await expect(read('openai-compatible')).rejects.toThrow(/damaged or modified/);
  expect((await keyOf('acme', { key: 'x' })).status).toBe(404);
  expect((await api.call('/v1/model/keys/anthropic', { method: 'DELETE' })).status).toBe(204);
  expect((await api.call('/v1/model/keys/anthropic', { method: 'DELETE' })).status).toBe(204);
  expect(await read('anthropic')).toBeNull();
});

test.each([
  ['openai-compatible', { key: 'x' }, 'baseUrl'],
  ['openai', { key: 'x', baseUrl: 'https://example.com' }, 'baseUrl'],
  ['openai', { key: '\u200b ' }, 'key'],
  ['openai', { key: 'sk-\u4e2d' }, 'key'],
])('a key of %s with %j is refused by the name of what is wrong', async (provider, body, param) => {
  const refused = await api.call(`/v1/model/keys/${provider}`, { method: 'PATCH', body });
  expect([refused.status, refused.json.code]).toEqual([400, 'bad_request']);
  expect(refused.json.error).toContain(`\`${param}\``);
  expect((await api.call('/v1/model/keys')).json.keys).toEqual([]);
});

test('a budget of a project in dollars is refused with a model whose price is not known', async () => {
  const QWEN = 'openai-compatible/qwen3';
  api.workflows.modelAnswer = async ({ model }) => ({ ok: true, isPriced: model !== QWEN });
  const change = (id: string, body: object) => api.call(`/v1/projects/${id}`, { method: 'PATCH', body });
  const dollars = { settings: { budgetDayUsd: 5 } };
  const refused = [
    await api.call('/v1/projects', { body: { id: 'new', repository: '/srv/new', model: QWEN, ...dollars } }),
    ...(await create('unpriced', QWEN).then(async () => [await change('unpriced', dollars)])),
    ...(await create('priced', CLAUDE).then(async () => {
      expect((await change('priced', dollars)).status).toBe(200);
      const job = { prompt: 'Do it.', model: QWEN };
      return [await change('priced', { model: QWEN }), await api.call('/v2/agent/priced/job', { body: job })];
    })),
  ];
  for (const { status, json } of refused) {
    expect([status, json.param]).toEqual([400, 'settings.budgetDayUsd']);
    expect(json.error).toContain(`the price of ${QWEN} is unknown`);
  }
  expect((await change('priced', { model: QWEN, settings: { budgetDayUsd: null } })).status).toBe(200);
});
