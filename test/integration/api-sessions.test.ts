import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addEvent } from '../../src/store/jobs/job-events.ts';
import { jobs, messages, turns } from '../../src/store/schema.ts';
import { createJob } from '../support/api-jobs.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { callAsHosted } from '../support/hosted-service.ts';

let api: TestApi;
let project: string;
let key: string;

beforeAll(async () => {
  api = await startTestApi({ config: { streamsPerCaller: 3 } });
  project = await api.addProject();
  key = await api.addKey({ projectIds: [project] });
});
afterAll(() => api?.close());

const user = (content: string) => ({ role: 'user', content });
const outcome = (answer: { status: number; json: { code: string } }) => [answer.status, answer.json.code];

/** Ends a job as a worker does. */
async function end(id: string, set: Partial<typeof jobs.$inferInsert> = {}, turnState?: 'published' | 'cancelled') {
  const { db } = api.database;
  if (turnState) {
    await db.insert(turns).values({
      jobId: id,
      no: 1,
      fence: 1,
      chainNo: 1,
      branch: `docent/${id}`,
      baseCommit: 'a'.repeat(40),
      commitTime: new Date(),
      state: turnState,
      runId: 'r',
    } as unknown as typeof turns.$inferInsert);
  }
  await db
    .update(jobs)
    .set({ status: 'completed', ...(turnState ? { lastTurnNo: 1 } : {}), ...set })
    .where(eq(jobs.id, id));
}

/** Posts as version 1 does, ends the job once it is reported, and gives the parts of the stream. */
async function stream(body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${api.url}/v1/agent/${project}/job`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const id = response.headers.get('x-session-id') ?? '';
  await end(id, { summary: 'Fixed two links.', prLink: 'http://127.0.0.1/pull-requests/x' });
  const text = await response.text();
  const data = text.split('\n\n').flatMap((event) => (event.startsWith('data: ') ? event.slice(6) : []));
  return { response, id, parts: data.slice(0, -1).map((part) => JSON.parse(part)), last: data.at(-1) };
}

describe('version 1 of the hosted service', () => {
  test('creates a job and streams it in parts that the AI SDK reads', async () => {
    const { response, id, parts, last } = await stream({
      messages: [user('Fix broken links')],
      asDraft: false,
      model: 'opus',
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1');
    expect(response.headers.get('x-branch-name')).toBe(`docent/${id}`);
    expect(parts.map(({ type }) => type)).toEqual([
      'start',
      'text-start',
      'text-delta',
      'text-delta',
      'text-delta',
      'text-end',
      'finish',
    ]);
    const text = parts.map(({ delta = '' }) => delta).join('');
    expect(text).toContain('Fixed two links.');
    expect(text).toContain('http://127.0.0.1/pull-requests/x');
    expect(last).toBe('[DONE]');
    const job = await api.call(`/v2/agent/${project}/job/${id}`);
    expect(job.json.title).toBe('Fix broken links');
    expect(api.jobWorkflows.calls.some((call) => call.job.id === id)).toBe(true);
  });

  test('combines its messages into one prompt', async () => {
    const { id } = await stream({
      messages: [
        { role: 'system', content: 'Write British English.' },
        user('Fix the links.'),
        { role: 'assistant', content: 'I fixed them.' },
        user('And the headings.'),
      ],
    });
    const [row] = await api.database.db.select().from(messages).where(eq(messages.jobId, id));
    expect(row?.prompt).toBe(
      'Fix the links.\n\nFor example, you would answer:\n\nI fixed them.\n\nAnd the headings.\n\nMind this as well:\n\nWrite British English.',
    );
  });

  test('names the branch, and asks for a draft', async () => {
    const { id, response } = await stream({ messages: [user('x')], branch: 'fix/links', asDraft: true });
    const [row] = await api.database.db.select().from(jobs).where(eq(jobs.id, id));
    expect(row?.options).toMatchObject({ branch: 'fix/links', draft: true });
    expect(response.headers.get('x-branch-name')).toBe('fix/links');
  });

  test('repeats a job that it has created, for an Idempotency-Key', async () => {
    const body = { messages: [user('Fix broken links')] };
    const first = await stream(body, { 'idempotency-key': 'v1-once' });
    const again = await stream(body, { 'idempotency-key': 'v1-once' });
    expect(again.id).toBe(first.id);
    expect(again.response.headers.get('idempotent-replayed')).toBe('true');
    expect(again.parts).toEqual(first.parts);
  });

  test('streams a long job to its end', async () => {
    const made = await stream({ messages: [user('x')] }, { 'idempotency-key': 'v1-long' });
    for (let no = 2; no <= 250; no++) {
      await addEvent(api.database.db, { jobId: made.id, type: 'step', turnNo: 1, text: `Step ${no}.` });
    }
    const { parts, last } = await stream({ messages: [user('x')] }, { 'idempotency-key': 'v1-long' });
    const text = parts.map(({ delta = '' }) => delta).join('');
    expect(text.match(/^Step \d+\.$/gm)).toHaveLength(249);
    expect([text.trim().split('\n').at(-1), last]).toEqual(['http://127.0.0.1/pull-requests/x', '[DONE]']);
  });

  test('a caller that disconnects does not stop the job', async () => {
    const gone = new AbortController();
    const response = await fetch(`${api.url}/v1/agent/${project}/job`, {
      method: 'POST',
      signal: gone.signal,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [user('x')] }),
    });
    const id = response.headers.get('x-session-id') ?? '';
    gone.abort();
    const got = await callAsHosted(
      api,
      'GET',
      '/v1/agent/{projectId}/job/{id}',
      { projectId: project, id },
      { token: key },
    );
    expect(got.json).toMatchObject({ haulted: false, haultReason: 'processing' });
  });

  test('is refused with too many open streams, before a job is created', async () => {
    const caller = await api.addKey({ projectIds: [project] });
    const gone = new AbortController();
    const post = () =>
      fetch(`${api.url}/v1/agent/${project}/job`, {
        method: 'POST',
        signal: gone.signal,
        headers: { authorization: `Bearer ${caller}`, 'content-type': 'application/json' },
        body: JSON.stringify({ messages: [user('x')] }),
      });
    const invalid = { token: caller, body: { messages: [] } };
    for (let i = 0; i < 4; i++) expect((await api.call(`/v1/agent/${project}/job`, invalid)).status).toBe(400);
    for (let i = 0; i < 3; i++) expect((await post()).status).toBe(200);
    const before = await api.database.db.$count(jobs);
    const refused = await post();
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([429, 'rate_limited']);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await api.database.db.$count(jobs)).toBe(before);
    gone.abort();
    await expect.poll(async () => (await api.call(`/v1/agent/${project}/jobs`, { token: caller })).status).toBe(200);
  });

  test('gets jobs of every version in its own form', async () => {
    const get = async (id: string) =>
      (await callAsHosted(api, 'GET', '/v1/agent/{projectId}/job/{id}', { projectId: project, id }, { token: key }))
        .json;
    const id = await createJob(api, project, 'Fix broken links');
    expect(await get(id)).toEqual({
      sessionId: id,
      subdomain: project,
      branch: null,
      haulted: false,
      haultReason: 'processing',
      todos: [],
      title: 'Fix broken links',
      createdAt: expect.any(String),
    });
    const branch = `docent/${id}`;
    await end(id, { branch, summary: 'Done.', prLink: 'https://git.example/pr/1' }, 'published');
    expect(await get(id)).toMatchObject({
      branch,
      haulted: true,
      haultReason: 'completed',
      messageToUser: 'Done.',
      pullRequestLink: 'https://git.example/pr/1',
    });
    await end(id, { status: 'failed', summary: null, errorCode: 'host_forbidden', errorMessage: 'No.' });
    expect(await get(id)).toMatchObject({ haultReason: 'github_missconfigured', messageToUser: 'No.' });
    await end(id, { status: 'failed', errorCode: 'model_quota' });
    expect(await get(id)).toMatchObject({ haultReason: 'error' });
    const stopped = await createJob(api, project);
    await end(stopped, {}, 'cancelled');
    expect(await get(stopped)).toMatchObject({ haulted: true, haultReason: 'interrupted' });
    const missing = await api.call(`/v1/agent/${project}/job/none`, { token: key });
    expect(outcome(missing)).toEqual([404, 'job_not_found']);
    // RFC 9745 and RFC 8594, in answers to requests that fail, too.
    expect(missing.headers.get('deprecation')).toMatch(/^@\d{10}$/);
    expect(Date.parse(missing.headers.get('sunset') ?? '')).toBeGreaterThan(Date.parse('2027-06-01'));
    expect(missing.headers.get('link')).toBe('</docs/reference/api#versions>; rel="deprecation"; type="text/html"');
    const current = await api.call(`/v2/agent/${project}/jobs`, { token: key });
    expect([current.headers.get('deprecation'), current.headers.get('sunset')]).toEqual([null, null]);
  });

  test('lists jobs, newest first, by skip and take', async () => {
    const id = await api.addProject();
    const mine = await api.addKey({ projectIds: [id] });
    const made = [];
    for (let i = 0; i < 3; i++) made.unshift(await createJob(api, id, `job ${i}`));
    const list = async (query = '') => {
      const answer = await callAsHosted(
        api,
        'GET',
        '/v1/agent/{projectId}/jobs',
        { projectId: id },
        { query, token: mine },
      );
      return answer.json.allSessions.map(({ sessionId }: { sessionId: string }) => sessionId);
    };
    expect(await list()).toEqual(made);
    expect(await list('?skip=1&take=1')).toEqual([made[1]]);
    expect(await list('?skip=9')).toEqual([]);
    for (const query of ['?skip=-1', '?take=0', '?take=101', '?take=x', '?skip=1&skip=2']) {
      expect(outcome(await api.call(`/v1/agent/${id}/jobs${query}`))).toEqual([400, 'bad_request']);
    }
    expect(outcome(await api.call(`/v1/agent/${id}/jobs`, { token: key }))).toEqual([404, 'project_not_found']);
  });

  test.each<[string, unknown]>([
    ['no messages', {}],
    ['an empty list', { messages: [] }],
    ['no user', { messages: [{ role: 'system', content: 'x' }] }],
    ['a blank user', { messages: [user('  ')] }],
    ['an unknown role', { messages: [{ role: 'root', content: 'x' }] }],
    ['no content', { messages: [{ role: 'user' }] }],
    ['too much in all', { messages: Array.from({ length: 40 }, () => user('x'.repeat(1_000))) }],
    ['an unknown model', { messages: [user('x')], model: 'gpt' }],
    ['a branch that is none', { messages: [user('x')], branch: 'a..b' }],
    ['no object', []],
  ])('refuses %s', async (_what, body) => {
    const before = await api.database.db.$count(jobs);
    expect(outcome(await api.call(`/v1/agent/${project}/job`, { token: key, body }))[0]).toBe(400);
    expect(await api.database.db.$count(jobs)).toBe(before);
  });

  test('requires the scopes of version 2', async () => {
    const reader = await api.addKey({ scopes: ['read'] });
    const body = { messages: [user('x')] };
    expect(outcome(await api.call(`/v1/agent/${project}/job`, { token: reader, body }))).toEqual([
      403,
      'forbidden_scope',
    ]);
    expect((await api.call(`/v1/agent/${project}/jobs`, { token: reader })).status).toBe(200);
  });
});
