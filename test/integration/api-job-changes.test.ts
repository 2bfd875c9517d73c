import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkRounds, pendingDiffs } from '../../src/store/jobs/changes-schema.ts';
import { jobs, messages, pullRequests, turns, type MessageState, type TurnState } from '../../src/store/schema.ts';
import { addPullRequest } from '../support/api-jobs.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';

let api: TestApi;
let project: string;
let key: string;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  project = await api.addProject();
  key = await api.addKey({ projectIds: [project], scopes: ['read', 'write'] });
});

const route = (id: string, rest: string) => `/v2/agent/${project}/job/${id}${rest}`;

async function createJob(body: object): Promise<string> {
  const { status, json } = await api.call(`/v2/agent/${project}/job`, { token: key, body: { prompt: 'p', ...body } });
  expect(status).toBe(201);
  return json.id;
}

const SIZE = { files: 1, additions: 1, deletions: 0 };
const DIFF = 'diff --git a/a.mdx b/a.mdx\nindex 1..2 100644\n--- a/a.mdx\n+++ b/a.mdx\n@@ -1 +1,2 @@\n a\n+b\n';

/** A preview whose change is ready. */
async function readyJob(diff: Partial<typeof pendingDiffs.$inferInsert> = {}): Promise<string> {
  const id = await createJob({ mode: 'preview' });
  await api.database.db.update(jobs).set({ status: 'completed', pendingChanges: SIZE }).where(eq(jobs.id, id));
  const row = { jobId: id, turnNo: 1, stepNo: 2, baseCommit: 'c'.repeat(40), diff: DIFF, isCut: false, ...SIZE };
  await api.database.db.insert(pendingDiffs).values({ ...row, ...diff });
  return id;
}

describe('a mode', () => {
  test.each(['pull-request', 'preview', 'ask'])('%s is returned', async (mode) => {
    const id = await createJob({ mode });
    expect((await api.call(route(id, ''), { token: key })).json.mode).toBe(mode);
  });

  test.each([['draft'], [null], [1], [['preview']], ['Preview']])('%j is not a mode', async (mode) => {
    const { status, json } = await api.call(`/v2/agent/${project}/job`, { token: key, body: { prompt: 'p', mode } });
    expect([status, json.code]).toEqual([400, 'bad_request']);
    expect(json.error).toContain('mode');
  });

  test('that the project does not allow is refused, in a project that is not there like any', async () => {
    const body = { prompt: 'p', mode: 'push' };
    expect((await api.call(`/v2/agent/${project}/job`, { token: key, body })).json.code).toBe('push_not_allowed');
    expect((await api.call(`/v2/agent/nosuch/job`, { body })).json.code).toBe('project_not_found');
  });
});

describe('publishing', () => {
  test('makes the job active and wakes its workflow, even without a body', async () => {
    const id = await readyJob();
    const { status, json } = await api.call(route(id, '/publish'), { method: 'POST', token: key });
    expect([status, json.status, json.pendingChanges]).toEqual([200, 'active', null]);
    const told = { call: 'signal', job: { id, prompt: 'p' }, payload: { reason: 'publish' } };
    await expect.poll(() => api.jobWorkflows.calls.at(-1)).toMatchObject(told);
  });

  test('is in the row while Temporal is unavailable', async () => {
    const id = await readyJob();
    api.jobWorkflows.failure = new Error('14 UNAVAILABLE');
    try {
      expect((await api.call(route(id, '/publish'), { body: { title: 'T' }, token: key })).status).toBe(200);
      // Temporal is notified after the answer.
      await expect.poll(() => api.logged()).toContain('the reconciler will');
    } finally {
      api.jobWorkflows.failure = null;
    }
    const [row] = await api.database.db.select().from(jobs).where(eq(jobs.id, id));
    expect(row).toMatchObject({ status: 'active', signalPending: true, publishOrder: { turn: null, title: 'T' } });
  });

  test.each([
    [{ title: '' }],
    [{ title: ' ' }],
    [{ title: 'a\nb' }],
    [{ title: 'x'.repeat(201) }],
    [{ draft: 'yes' }],
    [[]],
  ])('refuses %j', async (body) => {
    const id = await readyJob();
    expect((await api.call(route(id, '/publish'), { body, token: key })).json.code).toBe('bad_request');
    expect((await api.call(route(id, ''), { token: key })).json.pendingChanges).toEqual(SIZE);
  });

  test('accepts a key that may write', async () => {
    const id = await readyJob();
    const reader = await api.addKey({ projectIds: [project], scopes: ['read'] });
    for (const action of ['publish', 'discard']) {
      const answer = await api.call(route(id, `/${action}`), { method: 'POST', token: reader });
      expect([answer.status, answer.json.code]).toEqual([403, 'forbidden_scope']);
    }
    expect((await api.call(route(id, '/checks'), { token: reader })).status).toBe(200);
  });

  test.each(['publish', 'discard'])('a repeated %s is answered as the first', async (action) => {
    const id = await readyJob();
    const again = () =>
      api.call(route(id, `/${action}`), { method: 'POST', token: key, headers: { 'Idempotency-Key': `k-${action}` } });
    const [first, second] = [await again(), await again()];
    expect(second.json).toEqual(first.json);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    const other = await api.call(route(id, `/${action}`), { method: 'POST', token: key });
    expect([other.status, other.json.code]).toEqual([409, action === 'publish' ? 'job_active' : 'nothing_to_publish']);
  });
});

const patch = (id: string) => api.call(route(id, '/diff'), { token: key, headers: { accept: 'text/x-diff' } });

describe('the patch', () => {
  test('returns the unpublished change unmodified', async () => {
    const answer = await patch(await readyJob());
    expect([answer.status, answer.text]).toEqual([200, DIFF]);
    expect(answer.headers.get('content-type')).toBe('text/x-diff; charset=utf-8');
  });

  test('is empty without changes, and refused if parts are missing', async () => {
    const none = await patch(await createJob({}));
    expect([none.status, none.text]).toEqual([200, '']);
    const cut = await patch(await readyJob({ isCut: true, diff: '' }));
    expect([cut.status, cut.json.code]).toEqual([409, 'diff_incomplete']);
  });
});

describe('checks', () => {
  test('are listed round by round, in pages, without other fields of a row', async () => {
    const id = await createJob({});
    const found = {
      path: 'a.mdx',
      line: 3,
      code: 'missing-page',
      message: 'No.',
      severity: 'error' as const,
      target: '/x',
      column: 7,
      cause: 'missing-page gone',
      suggestion: '/there',
    };
    const round = { jobId: id, turnNo: 1, pages: 2, site: 'a site', earlierProblems: 4, notes: [], secrets: [] };
    await api.database.db.insert(checkRounds).values([
      { ...round, stepNo: 2, problems: [found, { ...found, severity: 'warning' as const }], told: true },
      { ...round, stepNo: 4, problems: [], told: false, secrets: [{ where: 'a', kind: 'b', id: 'c' }] },
      { ...round, turnNo: 2, stepNo: 1, problems: [], told: false },
    ]);
    const first = (await api.call(route(id, '/checks?limit=2'), { token: key })).json;
    expect(first.checks.map(({ turn, step }: { turn: number; step: number }) => [turn, step])).toEqual([
      [1, 2],
      [1, 4],
    ]);
    expect(first.checks[0].problems).toMatchObject([
      {
        code: 'missing-page',
        line: 3,
        column: 7,
        cause: 'missing-page gone',
        suggestion: '/there',
        help: expect.stringMatching(/^http.*\/docs\/reference\/check-rules#missing-page$/),
        told: true,
        introduced: true,
      },
      { severity: 'warning', told: false },
    ]);
    expect(first.checks[0].problems[0]).not.toHaveProperty('target');
    const next = (await api.call(route(id, `/checks?cursor=${first.nextCursor}`), { token: key })).json;
    expect(next).toMatchObject({ checks: [{ turn: 2, step: 1 }], nextCursor: null });
    const bad = await api.call(route(id, '/checks?cursor=bm9uZQ'), { token: key });
    expect([bad.status, bad.json.code]).toEqual([400, 'bad_request']);
  });
});

const error = (path: string, message = 'It is broken: its target does not exist.') => ({
  path,
  line: 3,
  code: 'missing-page',
  severity: 'error' as const,
  message,
  target: '/gone',
});

const review = async (id: string) => (await api.call(route(id, '/review'), { token: key })).json;

const turn = (jobId: string, no: number, state: TurnState, chainNo = 1) =>
  api.database.db.insert(turns).values({ jobId, no, state, chainNo, commitTime: new Date() });

const addRound = (jobId: string, turnNo: number, of: Partial<typeof checkRounds.$inferInsert> = {}) => {
  const found = { problems: [], notes: [], secrets: [], ...of };
  const row = { jobId, turnNo, stepNo: 1, pages: 3, site: 'Mintlify', earlierProblems: 0, told: false, ...found };
  return api.database.db.insert(checkRounds).values(row);
};

describe('the review', () => {
  test("of a pull request has its last check's findings, and the notes of all its turns", async () => {
    const id = await createJob({});
    await api.database.db.update(jobs).set({ status: 'completed', outcome: 'changed' }).where(eq(jobs.id, id));
    expect(await review(id)).toEqual({ pullRequest: null, pending: null });
    await addPullRequest(api, { id: `pr-${id}`, projectId: project, jobId: id });
    await turn(id, 1, 'published');
    await addRound(id, 1, { problems: [error('repaired.mdx')], notes: [{ path: 'a.mdx', message: 'is new' }] });
    // Cancelled work is in no change, nor is a later question.
    await turn(id, 2, 'cancelled');
    await addRound(id, 2, { problems: [error('cancelled.mdx')], notes: [{ path: 'c.mdx', message: 'is new' }] });
    await turn(id, 3, 'published');
    await addRound(id, 3, { problems: [error('again.mdx')] });
    await addRound(id, 3, { stepNo: 2, problems: [error('left.mdx')], notes: [{ path: 'b.mdx', message: 'is code' }] });
    await turn(id, 4, 'unchanged');
    const { pullRequest, pending } = await review(id);
    expect(pending).toBeNull();
    expect(pullRequest).toMatchObject({
      checked: true,
      problems: [{ path: 'left.mdx', help: expect.stringContaining('#missing-page') }],
      notes: [{ path: 'a.mdx' }, { path: 'b.mdx' }],
      doubts: [{ code: 'docs_errors', message: 'The docs checks still find 1 error.' }],
    });
    await api.database.db.update(pullRequests).set({ state: 'merged' }).where(eq(pullRequests.jobId, id));
    expect((await review(id)).pullRequest.doubts).toEqual([]);
  });

  test('of a preview has its last check, before and after a publishing turn without checks', async () => {
    const id = await readyJob();
    await turn(id, 1, 'ready');
    await addRound(id, 1, { problems: [error('first.mdx')] });
    await turn(id, 2, 'ready');
    await addRound(id, 2, { problems: [error('second.mdx')], notes: [{ path: 'n.mdx', message: 'is new' }] });
    const ready = await review(id);
    expect(ready.pullRequest).toBeNull();
    expect(ready.pending).toMatchObject({ problems: [{ path: 'second.mdx' }], doubts: [{ code: 'docs_errors' }] });
    await turn(id, 3, 'published');
    await addPullRequest(api, { id: `pr-${id}`, projectId: project, jobId: id });
    await api.database.db.update(jobs).set({ pendingChanges: null }).where(eq(jobs.id, id));
    const published = await review(id);
    expect(published.pending).toBeNull();
    expect(published.pullRequest).toMatchObject({ problems: ready.pending.problems, notes: ready.pending.notes });
  });

  test('of an unchecked change reports that, and merging asks first', async () => {
    const id = await createJob({});
    await addPullRequest(api, { id: `pr-${id}`, projectId: project, jobId: id });
    await turn(id, 1, 'published');
    const unchecked = { checked: false, doubts: [{ code: 'docs_unchecked' }] };
    expect((await review(id)).pullRequest).toMatchObject(unchecked);
    await addRound(id, 1);
    expect((await review(id)).pullRequest).toMatchObject({ checked: true, doubts: [] });
    // Another link of its chain of branches is another pull request.
    await turn(id, 2, 'published', 2);
    expect((await review(id)).pullRequest).toMatchObject({ checked: true, doubts: [] });
  });
});

/** A job with one turn of this outcome, and the state of its message. */
async function ended(of: Partial<typeof jobs.$inferInsert>, state: MessageState = 'done'): Promise<string> {
  const id = await createJob({ prompt: 'Fix it' });
  const { db } = api.database;
  await db.insert(turns).values({ jobId: id, no: 1, state: 'failed', commitTime: new Date(), endedAt: new Date() });
  await db.update(messages).set({ state, turnNo: 1, stepNo: 1 }).where(eq(messages.jobId, id));
  await db
    .update(jobs)
    .set({ status: 'completed', lastTurnNo: 1, ...of })
    .where(eq(jobs.id, id));
  return id;
}

const retry = (id: string, call: object = {}) => api.call(route(id, '/retry'), { method: 'POST', token: key, ...call });

const said = async (id: string) =>
  (await api.database.db.select().from(messages).where(eq(messages.jobId, id)).orderBy(messages.no)).map(
    ({ prompt, state }) => [prompt, state],
  );

describe('a retry', () => {
  const FAILED = { status: 'failed' as const, outcome: 'failed' as const, errorCode: 'model_unavailable' };

  test('of a turn that failed before its model answered has the same message carried out', async () => {
    const id = await ended(FAILED, 'unheard');
    const { status, json } = await retry(id);
    expect([status, json.status, json.state, json.error]).toEqual([200, 'active', 'working', null]);
    expect(await said(id)).toEqual([['Fix it', 'waiting']]);
    await expect.poll(() => api.jobWorkflows.calls.at(-1)).toMatchObject({ call: 'signal', job: { id } });
  });

  test.each([
    ['failed after its model answered', FAILED],
    ['was refused', { outcome: 'refused' as const }],
    ['was refused by the provider', { ...FAILED, outcome: 'refused' as const }],
  ])('of a turn that %s asks the same again', async (_what, of) => {
    const id = await ended(of);
    expect((await retry(id, { body: { model: 'builtin' } })).json).toMatchObject({
      status: 'active',
      model: 'builtin',
    });
    expect(await said(id)).toEqual([
      ['Fix it', 'done'],
      ['Fix it', 'waiting'],
    ]);
  });

  test('of a change that could not be published publishes it', async () => {
    const id = await ended({ ...FAILED, pendingChanges: SIZE });
    expect((await retry(id)).json.status).toBe('active');
    const [row] = await api.database.db.select().from(jobs).where(eq(jobs.id, id));
    expect(row).toMatchObject({ publishOrder: { turn: null }, pendingChanges: SIZE });
    expect(await said(id)).toEqual([['Fix it', 'done']]);
  });

  test('is done once, however often it is asked for', async () => {
    const id = await ended({ outcome: 'refused' });
    const at = { headers: { 'Idempotency-Key': 'retry-1' } };
    const [first, second] = [await retry(id, at), await retry(id, at)];
    expect(second.json).toEqual(first.json);
    const other = await ended({ outcome: 'refused' });
    const both = await Promise.all([retry(other), retry(other)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    for (const each of [id, other]) expect(await said(each)).toHaveLength(2);
  });

  test.each([
    ['active', { status: 'active' as const, outcome: null }, 'job_active'],
    ['archived', { status: 'archived' as const, outcome: 'refused' as const }, 'job_archived'],
    ['done', { outcome: 'changed' as const }, 'nothing_to_retry'],
    ['a question', { outcome: 'asked' as const }, 'nothing_to_retry'],
    ['cancelled', { outcome: null }, 'nothing_to_retry'],
  ])('of a job that is %s is refused, and changes nothing', async (_what, of, code) => {
    const id = await ended(of);
    const answer = await retry(id, { body: { model: 'builtin' } });
    expect([answer.status, answer.json.code]).toEqual([409, code]);
    expect(await said(id)).toEqual([['Fix it', 'done']]);
  });
});
