import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jobs, projects, pullRequests } from '../../src/store/schema.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';

let api: TestApi;
let other: TestApi;
let project: string;
let key: string;

beforeAll(async () => {
  api = await startTestApi({ config: { jobsPerHour: 10_000, messagesPerHour: 1_000 } });
  project = await api.addProject();
  key = await api.addKey({ projectIds: [project] });
  other = await startTestApi({ config: { jobsPerHour: 10_000 }, deps: { database: api.database } });
});
afterAll(async () => {
  await other.close();
  await api.close();
});

const create = (body: object, more: object = {}, on = api) =>
  on.call(`/v2/agent/${project}/job`, { token: key, body: { prompt: 'Fix broken links', ...body }, ...more });
const patch = (id: string, body: unknown) =>
  api.call(`/v2/agent/${project}/job/${id}`, { token: key, method: 'PATCH', body });

const ALL = {
  ref: 'release-2.4',
  branch: 'docs/fix-links',
  effort: 'high',
  draft: true,
  title: 'Links of 2.4',
  budget: { tokens: 5_000, usd: 1.5 },
  metadata: { ticket: 'DOC-17', 'team:a.b_c-d': '' },
};

describe('the options of a new job', () => {
  test('are returned in every answer, with null for unset ones', async () => {
    const full = await create(ALL);
    expect(full.status).toBe(201);
    expect(full.json).toMatchObject({ ...ALL, model: 'builtin', source: { ref: 'release-2.4' } });
    expect((await api.call(`/v2/agent/${project}/job/${full.json.id}`, { token: key })).json).toMatchObject(ALL);
    const bare = await create({});
    expect(bare.json).toMatchObject({
      ref: null,
      branch: null,
      effort: null,
      draft: null,
      budget: null,
      metadata: {},
      title: 'Fix broken links',
      source: { ref: 'main' },
    });
    expect((await create({ budget: { usd: 0.5 } })).json.budget).toEqual({ tokens: null, usd: 0.5 });
    expect((await create({ budget: {} })).json.budget).toBeNull();
    expect(api.jobWorkflows.calls.findLast(({ job }) => job.id === full.json.id)?.job.title).toBe('Links of 2.4');
  });

  test('keeps metadata of any text, and of names that mean something to JavaScript', async () => {
    const { json } = await api.call(`/v2/agent/${project}/job`, {
      token: key,
      body: '{"prompt":"x","metadata":{"__proto__":"a","constructor":"“b”\\n\\u0001"}}',
    });
    const told = (await api.call(`/v2/agent/${project}/job/${json.id}`, { token: key })).text;
    expect(JSON.parse(told).metadata.constructor).toBe('“b”\n\u0001');
    expect(told).toContain('"__proto__":"a"');
  });

  test.each([
    [{ ref: '' }, '`ref`'],
    [{ ref: 'a..b' }, '`ref`'],
    [{ ref: 'refs/heads/main' }, '`ref`'],
    [{ branch: 'has space' }, '`branch`'],
    [{ branch: '@' }, '`branch`'],
    [{ branch: 'x'.repeat(201) }, '`branch`'],
    [{ branch: 'main' }, 'base branch'],
    [{ branch: 'next', ref: 'next' }, 'base branch'],
    [{ branch: 'docent/0123456789abcdefghij-2' }, 'a job ID'],
    [{ branch: 5 }, '`branch` must be a string'],
    [{ model: '' }, '`model`'],
    [{ model: 'a b' }, '`model`'],
    [{ model: 'nobody/has-this' }, 'no known provider'],
    [{ effort: 'maximal' }, 'low, medium, high'],
    [{ draft: 'yes' }, '`draft` must be true or false'],
    [{ title: '' }, '`title`'],
    [{ title: ' ' }, '`title`'],
    [{ title: 'two\nlines' }, '`title`'],
    [{ title: 'x'.repeat(101) }, '100'],
    [{ budget: { tokens: 0 } }, '`budget.tokens`'],
    [{ budget: { tokens: 1.5 } }, 'whole number'],
    [{ budget: { usd: 0 } }, '`budget.usd` must be more than 0'],
    [{ budget: 5 }, '`budget`'],
    [{ metadata: { 'no spaces': 'x' } }, 'A name in `metadata`'],
    [{ metadata: { ['x'.repeat(65)]: 'x' } }, 'A name in `metadata`'],
    [{ metadata: { '': 'x' } }, 'A name in `metadata`'],
    [{ metadata: { a: 5 } }, '`metadata.a` must be a string'],
    [{ metadata: { a: 'x'.repeat(513) } }, '`metadata.a` must have at most 512'],
    [{ metadata: { a: 'x\0' } }, 'U+0000'],
    [{ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v'])) }, 'at most 50 entries'],
    [{ metadata: ['a'] }, '`metadata`'],
  ])('%j is refused with the name of its field, and makes no job', async (body, words) => {
    const before = await api.database.db.$count(jobs);
    const answer = await create(body);
    expect([answer.status, answer.json.code]).toEqual([400, 'bad_request']);
    expect(answer.json.error).toContain(words);
    expect(answer.json.param.split('.')[0]).toBe(Object.keys(body)[0]);
    expect(await api.database.db.$count(jobs)).toBe(before);
  });

  test("a usable model overrides the project's; a repeated request is not checked again", async () => {
    let asked = 0;
    api.workflows.modelAnswer = async () => {
      asked += 1;
      return { ok: true, isPriced: true };
    };
    const again = { headers: { 'Idempotency-Key': 'with-model' } };
    const first = await create({ model: 'anthropic/claude-sonnet-5' }, again);
    expect(first.json.model).toBe('anthropic/claude-sonnet-5');
    api.workflows.modelAnswer = async () => {
      asked += 1;
      return { ok: false, message: 'The key is gone.' };
    };
    expect((await create({ model: 'anthropic/claude-sonnet-5' }, again)).json).toEqual(first.json);
    expect((await create({ model: 'anthropic/claude-haiku-4-5' }, again)).status).toBe(422);
    expect(asked).toBe(1);
    expect((await create({ model: 'builtin' })).json.model).toBe('builtin');
    expect((await api.call('/v2/agent/nobody/job', { body: { prompt: 'x', model: 'openai/x' } })).status).toBe(404);
  });
});

test('a budget in dollars is refused for a model whose price a worker does not know', async () => {
  api.workflows.modelAnswer = async ({ model }) => ({ ok: true, isPriced: model !== 'openai-compatible/qwen3' });
  const dollars = { budget: { usd: 1 } };
  const refused = await create({ model: 'openai-compatible/qwen3', ...dollars });
  expect([refused.status, refused.json.code, refused.json.param]).toEqual([400, 'bad_request', 'budget.usd']);
  expect(refused.json.error).toContain('DOCENT_MODELS_FILE');
  expect((await create({ model: 'openai-compatible/qwen3', budget: { tokens: 1_000 } })).status).toBe(201);
  expect((await create({ model: 'openai/gpt-5.4', ...dollars })).status).toBe(201);
  expect((await create(dollars)).status).toBe(201);
});

describe('a branch', () => {
  test('belongs to one job only, with simultaneous requests at two servers', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => create({ branch: 'docs/one' }, {}, i % 2 ? api : other)),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    const refused = answers.find(({ status }) => status === 409)!;
    const made = answers.find(({ status }) => status === 201)!;
    expect(refused.json).toMatchObject({ code: 'branch_taken', error: expect.stringContaining(made.json.id) });
    await api.call(`/v2/agent/${project}/job/${made.json.id}/archive`, { method: 'POST', token: key });
    expect((await create({ branch: 'docs/one' })).status).toBe(409);
  });

  test('of an earlier job’s pull request is taken, and the same name in another project is free', async () => {
    const { json } = await create({});
    await api.database.db.insert(pullRequests).values({
      id: 'pr-1',
      projectId: project,
      jobId: json.id,
      chainNo: 2,
      repository: '/srv/x',
      headBranch: 'docs/chain-2',
      baseBranch: 'main',
      title: 't',
      body: 'b',
      headCommit: 'a'.repeat(40),
    });
    expect((await create({ branch: 'docs/chain-2' })).json.code).toBe('branch_taken');
    const second = await api.addProject('second');
    const there = await api.call(`/v2/agent/${second}/job`, { body: { prompt: 'x', branch: 'docs/chain-2' } });
    expect(there.status).toBe(201);
  });
});

describe('changing a job', () => {
  test('merges metadata, removes null values, and changes nothing else, in every state and repeatedly', async () => {
    const { json: job } = await create({ ...ALL, branch: 'docs/patched' });
    const change = { title: 'Other', metadata: { ticket: null, more: 'yes', absent: null }, budget: { tokens: 7 } };
    const first = await patch(job.id, change);
    expect(first.status).toBe(200);
    const expected = {
      ...job,
      title: 'Other',
      metadata: { 'team:a.b_c-d': '', more: 'yes' },
      budget: { tokens: 7, usd: null },
      updatedAt: expect.any(String),
    };
    expect(first.json).toEqual(expected);
    expect((await patch(job.id, change)).json).toEqual(expected);
    await api.call(`/v2/agent/${project}/job/${job.id}/archive`, { method: 'POST', token: key });
    expect((await patch(job.id, { budget: null })).json).toMatchObject({ status: 'archived', budget: null });
    expect((await patch(job.id, {})).json).toMatchObject({ title: 'Other', budget: null, ref: 'release-2.4' });
  });

  test('refuses what new jobs refuse, and jobs of other projects', async () => {
    const { json: job } = await create({
      metadata: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'v'])),
    });
    expect((await patch(job.id, { metadata: { one: 'more' } })).json.error).toContain('more than 50');
    expect((await patch(job.id, { metadata: { k1: null, one: 'more' } })).status).toBe(200);
    expect((await patch(job.id, { title: '' })).status).toBe(400);
    expect((await patch('0'.repeat(20), { title: 'x' })).json.code).toBe('job_not_found');
    const reader = await api.addKey({ projectIds: [project], scopes: ['read'] });
    const path = `/v2/agent/${project}/job/${job.id}`;
    expect((await api.call(path, { token: reader, method: 'PATCH', body: { title: 'x' } })).status).toBe(403);
    const stranger = await api.addKey({ projectIds: [await api.addProject('third')] });
    expect((await api.call(path, { token: stranger, method: 'PATCH', body: { title: 'x' } })).status).toBe(404);
  });

  test('keeps simultaneous changes at two servers', async () => {
    const { json: job } = await create({});
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? api : other).call(`/v2/agent/${project}/job/${job.id}`, {
          token: key,
          method: 'PATCH',
          body: { metadata: { [`k${i}`]: 'v' } },
        }),
      ),
    );
    const told = await api.call(`/v2/agent/${project}/job/${job.id}`, { token: key });
    expect(Object.keys(told.json.metadata)).toHaveLength(20);
  });
});

test('a job that was created with a base branch keeps it when the project gets another', async () => {
  const { json } = await create({ ref: 'next' });
  const { json: plain } = await create({});
  await api.database.db.update(projects).set({ ref: 'trunk' }).where(eq(projects.id, project));
  const told = async (id: string) => (await api.call(`/v2/agent/${project}/job/${id}`, { token: key })).json;
  expect((await told(json.id)).ref).toBe('next');
  expect((await told(plain.id)).ref).toBeNull();
  await api.database.db.update(projects).set({ ref: 'main' }).where(eq(projects.id, project));
});
