import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkRounds, pendingDiffs } from '../../src/store/changes-schema.ts';
import { jobs } from '../../src/store/schema.ts';
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
  test.each(['pull-request', 'preview', 'ask'])('%s is told back', async (mode) => {
    const id = await createJob({ mode });
    expect((await api.call(route(id, ''), { token: key })).json.mode).toBe(mode);
  });

  test.each([['draft'], [null], [1], [['preview']], ['Preview']])('%j is no mode', async (mode) => {
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
  test('makes the job active and wakes its workflow, also without a body', async () => {
    const id = await readyJob();
    const { status, json } = await api.call(route(id, '/publish'), { method: 'POST', token: key });
    expect([status, json.status, json.pendingChanges]).toEqual([200, 'active', null]);
    const told = { call: 'signal', job: { id, prompt: 'p' }, payload: { reason: 'publish' } };
    await expect.poll(() => api.jobWorkflows.calls.at(-1)).toMatchObject(told);
  });

  test('is in the row while Temporal is away', async () => {
    const id = await readyJob();
    api.jobWorkflows.failure = new Error('14 UNAVAILABLE');
    try {
      expect((await api.call(route(id, '/publish'), { body: { title: 'T' }, token: key })).status).toBe(200);
      // Temporal is told behind the answer.
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

  test('takes a key that may write', async () => {
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
  test('is what is not published, as it is', async () => {
    const answer = await patch(await readyJob());
    expect([answer.status, answer.text]).toEqual([200, DIFF]);
    expect(answer.headers.get('content-type')).toBe('text/x-diff; charset=utf-8');
  });

  test('is empty where nothing was changed, and refused where it lacks something', async () => {
    const none = await patch(await createJob({}));
    expect([none.status, none.text]).toEqual([200, '']);
    const cut = await patch(await readyJob({ isCut: true, diff: '' }));
    expect([cut.status, cut.json.code]).toEqual([409, 'diff_incomplete']);
  });
});

describe('checks', () => {
  test('are told round by round, in pages, without what a row may have besides', async () => {
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
