import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endTurn, openTurn } from '../../src/jobs/turn-life.ts';
import { addEvent } from '../../src/store/jobs/job-events.ts';
import { updateJob } from '../../src/store/jobs/jobs.ts';
import { jobs, messages, projects, pullRequests, turns } from '../../src/store/schema.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';

let api: TestApi;
let project: string;
let key: string;

beforeAll(async () => {
  api = await startTestApi({ config: { jobsPerHour: 1_000, messagesPerHour: 1_000 } });
  project = await api.addProject();
  key = await api.addKey({ projectIds: [project] });
});
afterAll(() => api.close());

async function createJob(prompt = 'Fix broken links'): Promise<string> {
  const answer = await api.call(`/v2/agent/${project}/job`, { token: key, body: { prompt } });
  expect(answer.status).toBe(201);
  return answer.json.id;
}

const jobPath = (id: string, rest = '') => `/v2/agent/${project}/job/${id}${rest}`;

describe('creating a job', () => {
  test('answers 201 with every field of the job and its address', async () => {
    const answer = await api.call(`/v2/agent/${project}/job`, {
      token: key,
      body: { prompt: '\n  Replace "colour" with "color" \nin all pages' },
    });
    expect(answer.status).toBe(201);
    expect(answer.json).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{20}$/),
      status: 'active',
      state: 'working',
      source: { repository: `file:///srv/git/${project}`, ref: 'main' },
      mode: 'pull-request',
      pendingChanges: null,
      model: 'builtin',
      ref: null,
      branch: null,
      effort: null,
      draft: null,
      budget: null,
      metadata: {},
      prLink: null,
      prState: null,
      title: 'Replace "colour" with "color"',
      summary: null,
      outcome: null,
      progress: null,
      webhook: null,
      automationId: null,
      createdBy: { kind: 'key', id: expect.stringMatching(/^key_/), name: expect.any(String) },
      queue: null,
      usage: { modelCalls: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 },
      attachments: [],
      error: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      updatedAt: expect.any(String),
      archivedAt: null,
    });
    const location = answer.headers.get('location');
    expect(location).toBe(jobPath(answer.json.id));
    const got = await api.call(location ?? '', { token: key });
    expect(got.status).toBe(200);
    expect(got.json.id).toBe(answer.json.id);
  });

  test('stores the prompt and starts the workflow', async () => {
    const id = await createJob('Fix broken links');
    const rows = await api.database.db.select().from(messages).where(eq(messages.jobId, id));
    expect(rows).toMatchObject([{ no: 1, prompt: 'Fix broken links', state: 'waiting' }]);
    await expect
      .poll(() => api.jobWorkflows.calls.at(-1))
      .toMatchObject({
        call: 'start',
        job: { id, projectId: project, status: 'active', title: 'Fix broken links', prompt: 'Fix broken links' },
      });
  });

  test('is accepted while Temporal is unavailable: the row is the truth', async () => {
    api.jobWorkflows.failure = new Error('14 UNAVAILABLE: connection refused');
    try {
      const id = await createJob();
      expect((await api.call(jobPath(id), { token: key })).json.status).toBe('active');
      expect((await api.call(jobPath(id, '/message'), { token: key, body: { prompt: 'More' } })).status).toBe(200);
      await expect.poll(() => api.logged()).toContain('the reconciler will');
    } finally {
      api.jobWorkflows.failure = null;
    }
  });

  test('only waits for its row: Temporal is notified after the answer, by few calls at a time', async () => {
    const hold = Promise.withResolvers<void>();
    api.jobWorkflows.hold = hold.promise;
    const before = api.jobWorkflows.calls.length;
    try {
      const ids = await Promise.all(Array.from({ length: 20 }, () => createJob()));
      expect((await api.call(jobPath(ids[0] ?? '', '/cancel'), { method: 'POST', token: key })).status).toBe(200);
      expect(api.jobWorkflows.calls).toHaveLength(before);
      expect(api.jobWorkflows.held).toBeLessThanOrEqual(4);
      hold.resolve();
      const told = () => api.jobWorkflows.calls.slice(before).filter(({ job }) => ids.includes(job.id));
      await expect.poll(() => told().length).toBe(21);
      const started = told().filter(({ call }) => call === 'start');
      expect(started.map(({ job }) => job.id).toSorted()).toEqual(ids.toSorted());
    } finally {
      api.jobWorkflows.hold = null;
    }
  });

  test('while all slots are taken is in the queue at once, and in Temporal when it is next', async () => {
    const own = await api.addProject();
    const slots = { concurrentJobs: 100, projectConcurrentJobs: 1 };
    await api.database.db
      .update(projects)
      .set({ settings: { concurrentJobs: 1 } })
      .where(eq(projects.id, own));
    const post = async (path: string, prompt?: string) =>
      (await api.call(`/v2/agent/${own}/job${path}`, { method: 'POST', ...(prompt && { body: { prompt } }) })).json;
    const first = await post('', 'One');
    expect([first.state, first.queue]).toEqual(['working', null]);
    await api.database.db.transaction((tx) => openTurn(tx, first.id, 10, slots));
    const [second, third, fourth] = [await post('', 'Two'), await post('', 'Three'), await post('', 'Four')];
    expect([second, third, fourth].map((job) => [job.state, job.queue.position])).toEqual([
      ['queued', 1],
      ['queued', 2],
      ['queued', 3],
    ]);
    expect(await post(`/${third.id}/message`, 'More')).toMatchObject({ state: 'queued', queue: { position: 2 } });
    expect(await post(`/${third.id}/cancel`)).toMatchObject({ status: 'completed', queue: null });
    const callsFor = ({ id }: { id: string }) => api.jobWorkflows.calls.filter(({ job }) => job.id === id);
    const end = { state: 'unchanged' as const, summary: null, error: null };
    await api.database.db.transaction((tx) => endTurn(tx, first.id, 1, end));
    // The message finds the slot free, before the worker that has freed it.
    expect(await post(`/${fourth.id}/message`, 'More')).toMatchObject({ queue: { position: 2 } });
    await post(`/${second.id}/message`, 'More');
    await expect.poll(() => callsFor(second)).toMatchObject([{ call: 'signal', payload: { reason: 'message' } }]);
    expect(callsFor(fourth)).toEqual([]);
    expect(callsFor(third)).toMatchObject([{ call: 'signalOpen', payload: { reason: 'cancel' } }]);
    await api.call(`/v2/agent/${own}/job/${second.id}/cancel`, { method: 'POST' });
    await api.call(`/v2/agent/${own}/job/${fourth.id}/cancel`, { method: 'POST' });
  });

  test('ignores fields that it does not know', async () => {
    const answer = await api.call(`/v2/agent/${project}/job?unknown=1`, {
      token: key,
      body: { prompt: 'Fix broken links', messages: [], colour: 5 },
    });
    expect(answer.status).toBe(201);
  });

  test.each([
    ['blank', ' \n\t ', 'blank'],
    ['empty', '', 'empty'],
    ['longer than 32,768 characters', 'x'.repeat(32_769), '32,768'],
  ])('refuses a prompt that is %s, naming the field', async (_what, prompt, word) => {
    const answer = await api.call(`/v2/agent/${project}/job`, { token: key, body: { prompt } });
    expect(answer.status).toBe(400);
    expect(answer.json.code).toBe('bad_request');
    expect(answer.json.error).toContain('`prompt`');
    expect(answer.json.error).toContain(word);
  });

  test('accepts a prompt of 32,768 characters, counted as people count', async () => {
    const prompt = '🦉'.repeat(32_768);
    const id = await createJob(prompt);
    const [row] = await api.database.db.select().from(messages).where(eq(messages.jobId, id));
    expect(row?.prompt).toBe(prompt);
  });
});

describe('a job’s pull request and error', () => {
  test('prLink is hidden while the job is active and shown again afterwards', async () => {
    const id = await createJob();
    await updateJob(api.database.db, id, { prLink: 'http://x/pull-requests/1', branch: `docent/${id}` });
    expect((await api.call(jobPath(id), { token: key })).json).toMatchObject({ status: 'active', prLink: null });
    for (const status of ['completed', 'failed', 'archived'] as const) {
      await updateJob(api.database.db, id, { status });
      const { json } = await api.call(jobPath(id), { token: key });
      expect(json).toMatchObject({ status, prLink: 'http://x/pull-requests/1', source: { ref: `docent/${id}` } });
    }
  });

  test('a failed job has its reason, and a message makes it active again', async () => {
    const id = await createJob();
    await updateJob(api.database.db, id, { status: 'failed', errorCode: 'branch_missing', errorMessage: 'No main.' });
    expect((await api.call(jobPath(id), { token: key })).json.error).toEqual({
      code: 'branch_missing',
      message: 'No main.',
    });
    const answer = await api.call(jobPath(id, '/message'), { token: key, body: { prompt: 'Again' } });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ status: 'active', error: null });
    await expect
      .poll(() => api.jobWorkflows.calls.at(-1))
      .toMatchObject({
        call: 'signal',
        job: { id },
        payload: { reason: 'message', preview: 'Again' },
      });
  });
});

describe('cancel, archive, unarchive', () => {
  test('go through the states and signal the workflow', async () => {
    const id = await createJob();
    const cancelled = await api.call(jobPath(id, '/cancel'), { method: 'POST', token: key });
    expect(cancelled.json).toMatchObject({ status: 'completed' });
    expect(cancelled.json.summary).toContain('Cancelled');
    expect((await api.call(jobPath(id, '/cancel'), { method: 'POST', token: key })).json.code).toBe('job_not_active');

    expect((await api.call(jobPath(id, '/unarchive'), { method: 'POST', token: key })).json.code).toBe(
      'job_not_archived',
    );
    const archived = await api.call(jobPath(id, '/archive'), { method: 'POST', token: key });
    expect(archived.json).toMatchObject({ status: 'archived', archivedAt: expect.any(String) });
    expect((await api.call(jobPath(id, '/archive'), { method: 'POST', token: key })).json).toEqual(archived.json);

    const refused = await api.call(jobPath(id, '/message'), { token: key, body: { prompt: 'More' } });
    expect(refused.status).toBe(409);
    expect(refused.json.code).toBe('job_archived');

    const back = await api.call(jobPath(id, '/unarchive'), { method: 'POST', token: key });
    expect(back.json).toMatchObject({ status: 'completed', archivedAt: null });
    const reasons = () =>
      api.jobWorkflows.calls.filter((call) => call.job.id === id).map((call) => call.payload?.reason);
    await expect.poll(reasons).toEqual([undefined, 'cancel', 'archive', 'archive', 'unarchive']);
  });
});

describe('listing jobs', () => {
  test('pages through all of them, newest first, without a gap', async () => {
    const other = await api.addProject();
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) {
      const { json } = await api.call(`/v2/agent/${other}/job`, { body: { prompt: `Job ${i}` } });
      ids.unshift(json.id);
    }
    // Equal times, as when many are posted at once.
    await api.database.db.update(jobs).set({ createdAt: new Date() }).where(eq(jobs.projectId, other));
    const listed: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { json, status } = await api.call(`/v2/agent/${other}/jobs?limit=3${query}`);
      expect(status).toBe(200);
      listed.push(...json.jobs.map((job: { id: string }) => job.id));
      cursor = json.nextCursor;
    } while (cursor !== null);
    expect(listed).toHaveLength(7);
    expect(new Set(listed)).toEqual(new Set(ids));
  });

  test('filters by status', async () => {
    const id = await createJob();
    await updateJob(api.database.db, id, { status: 'failed', errorCode: 'internal', errorMessage: 'x' });
    const { json } = await api.call(`/v2/agent/${project}/jobs?status=failed`, { token: key });
    expect(json.jobs.map((job: { id: string }) => job.id)).toContain(id);
    expect(json.jobs.every((job: { status: string }) => job.status === 'failed')).toBe(true);
  });

  test.each([
    ['limit=0', 'between 1 and 100'],
    ['limit=101', 'between 1 and 100'],
    ['limit=ten', 'a whole number'],
    ['limit=1e2', 'a whole number'],
    ['limit=1&limit=2', 'more than once'],
    ['status=done', 'one of active'],
    ['cursor=nonsense', '`cursor`'],
    ['cursor=', '`cursor`'],
    ['cursor=%00', 'U+0000'],
  ])('refuses ?%s, naming the parameter', async (query, words) => {
    const answer = await api.call(`/v2/agent/${project}/jobs?${query}`, { token: key });
    expect(answer.status).toBe(400);
    expect(answer.json.code).toBe('bad_request');
    expect(answer.json.error).toContain(words);
    expect(answer.json.error).toContain(`\`${query.split('=')[0]}\``);
  });
});

describe('following a job', () => {
  test('returns the events after a number', async () => {
    const id = await createJob('Fix broken links');
    await addEvent(api.database.db, { jobId: id, type: 'step', turnNo: 1, text: 'Read 3 pages.' });
    const all = await api.call(jobPath(id, '/events'), { token: key });
    expect(all.json.events).toMatchObject([
      { no: 1, type: 'created', turn: null, text: 'Fix broken links' },
      { no: 2, type: 'step', turn: 1, text: 'Read 3 pages.' },
    ]);
    const later = await api.call(jobPath(id, '/events?after=1'), { token: key });
    expect(later.json).toMatchObject({ status: 'active', events: [{ no: 2 }] });
    expect((await api.call(jobPath(id, '/events?limit=1'), { token: key })).json.events).toHaveLength(1);
  });

  test('waits for something new', async () => {
    const id = await createJob();
    const began = Date.now();
    const waiting = api.call(jobPath(id, '/events?after=1&waitSeconds=10'), { token: key });
    setTimeout(() => void addEvent(api.database.db, { jobId: id, type: 'step', turnNo: 1, text: 'New.' }), 400);
    const { json } = await waiting;
    expect(json.events).toMatchObject([{ no: 2, text: 'New.' }]);
    expect(Date.now() - began).toBeGreaterThan(350);
    expect(Date.now() - began).toBeLessThan(8_000);
  });

  test('does not wait for an ended job, nor longer than requested', async () => {
    const id = await createJob();
    const began = Date.now();
    const idle = await api.call(jobPath(id, '/events?after=1&waitSeconds=1'), { token: key });
    expect(idle.json).toEqual({ events: [], status: 'active', progress: null });
    expect(Date.now() - began).toBeGreaterThan(900);
    await updateJob(api.database.db, id, { status: 'completed' });
    const over = await api.call(jobPath(id, '/events?after=1&waitSeconds=20'), { token: key });
    expect(over.json).toEqual({ events: [], status: 'completed', progress: null });
    expect(Date.now() - began).toBeLessThan(15_000);
  });
});

test('the diff has each published turn and the whole newest pull request', async () => {
  const id = await createJob();
  expect((await api.call(jobPath(id, '/diff'), { token: key })).json).toEqual({
    turns: [],
    diff: '',
    files: [],
    pending: null,
  });
  const turn = { jobId: id, commitTime: new Date(), branch: `docent/${id}` };
  await api.database.db.insert(turns).values([
    { ...turn, no: 1, state: 'published', commit: 'c1', diff: 'one' },
    { ...turn, no: 2, state: 'unchanged' },
    { ...turn, no: 3, state: 'published', commit: 'c3', diff: 'three' },
  ]);
  const pullRequest = { projectId: project, jobId: id, repository: '/r', baseBranch: 'main', title: 't', body: '' };
  await api.database.db.insert(pullRequests).values([
    { ...pullRequest, id: `old${id}`, chainNo: 1, headBranch: `docent/${id}`, headCommit: 'c1', diff: 'old' },
    { ...pullRequest, id: `new${id}`, chainNo: 2, headBranch: `docent/${id}-2`, headCommit: 'c3', diff: 'whole' },
  ]);
  expect((await api.call(jobPath(id, '/diff'), { token: key })).json).toEqual({
    turns: [
      { turn: 1, branch: `docent/${id}`, commit: 'c1', diff: 'one', files: [] },
      { turn: 3, branch: `docent/${id}`, commit: 'c3', diff: 'three', files: [] },
    ],
    diff: 'whole',
    files: [],
    pending: null,
  });
});

test('the diff of a job with a long life stays of a size that can be answered', async () => {
  const id = await createJob();
  const turn = { jobId: id, commitTime: new Date(), branch: 'b', commit: 'c', state: 'published' as const };
  const diff = 'é'.repeat(450_000);
  for (let no = 1; no <= 12; no++) await api.database.db.insert(turns).values({ ...turn, no, diff });
  const { json, text } = await api.call(jobPath(id, '/diff'), { token: key });
  expect(text.length).toBeLessThan(9_000_000);
  expect(json.turns.map((entry: { diff: string | null }) => entry.diff === null)).toEqual([
    ...Array(4).fill(true),
    ...Array(8).fill(false),
  ]);
});

describe('missing resources', () => {
  test.each([
    ['get', `/job/nosuchjob`, 'job_not_found'],
    ['get', `/job/nosuchjob/events`, 'job_not_found'],
    ['get', `/job/nosuchjob/diff`, 'job_not_found'],
    ['get', `/job/nosuchjob/checks`, 'job_not_found'],
    ['post', `/job/nosuchjob/publish`, 'job_not_found'],
    ['post', `/job/nosuchjob/discard`, 'job_not_found'],
    ['post', `/job/nosuchjob/cancel`, 'job_not_found'],
    ['post', `/job/nosuchjob/archive`, 'job_not_found'],
    ['post', `/job/nosuchjob/unarchive`, 'job_not_found'],
  ])('%s %s', async (method, path, code) => {
    const here = await api.call(`/v2/agent/${project}${path}`, { method: method.toUpperCase() });
    expect([here.status, here.json.code]).toEqual([404, code]);
    const nowhere = await api.call(`/v2/agent/no-such-project${path}`, { method: method.toUpperCase() });
    expect([nowhere.status, nowhere.json.code]).toEqual([404, 'project_not_found']);
  });

  test('a job of another project is not found', async () => {
    const id = await createJob();
    const other = await api.addProject();
    const answer = await api.call(`/v2/agent/${other}/job/${id}`);
    expect([answer.status, answer.json.code]).toEqual([404, 'job_not_found']);
    expect((await api.call(`/v2/agent/${other}/job/${id}/message`, { body: { prompt: 'x' } })).status).toBe(404);
  });
});

describe('limits per hour', () => {
  test('answer 429 with the seconds to wait', async () => {
    const limited = await startTestApi({ config: { jobsPerHour: 2, messagesPerHour: 1 } });
    try {
      const id = await limited.addProject();
      const post = (path: string) => limited.call(`/v2/agent/${id}${path}`, { body: { prompt: 'x' } });
      const { json } = await post('/job');
      await post('/job');
      const third = await post('/job');
      expect([third.status, third.json.code]).toEqual([429, 'rate_limited']);
      expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(3_500);
      expect((await post(`/job/${json.id}/message`)).status).toBe(200);
      const message = await post(`/job/${json.id}/message`);
      expect([message.status, message.json.code]).toEqual([429, 'rate_limited']);
      expect(await limited.database.db.$count(jobs)).toBe(2);
    } finally {
      await limited.close();
    }
  });
});
