import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Installation, trapAt, type Trap } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import type { RoleProcess } from '../support/role-process.ts';

let docent: Installation;
let api: RoleProcess;
/** Of each API. */
let traps: ReadonlyMap<string, Trap>;
/** Of the worker. */
let pause: Trap;

async function startApi(): Promise<void> {
  api = await docent.startApi({ DOCENT_TEST_FAULT: [...traps.values()].map(({ spec }) => spec).join(',') });
}

beforeAll(async () => {
  docent = await Installation.create();
  traps = new Map(['token-made', 'reader-heard', 'job-accepted'].map((point) => [point, trapAt(docent, point)]));
  pause = trapAt(docent, 'stop:model-answered');
  await Promise.all([startApi(), docent.startWorker({ DOCENT_TEST_FAULT: pause.spec })]);
  await docent.createProject();
});
afterAll(() => docent.stop());

/** The request killed the API, and another one started. */
async function replaceApi(): Promise<void> {
  expect(await api.ended).toBe('SIGKILL');
  await startApi();
}

const count = async (table: string) =>
  (await docent.database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)).rows[0]?.n;

describe('an API that dies when it has written and not yet answered', () => {
  test('made one token, whose text is lost, and makes another for a new request', async () => {
    const { data: made } = await docent.client.POST('/v1/keys', {
      body: { name: 'page', projectIds: [docent.projectId], scopes: ['read'] },
    });
    const ask = (idempotencyKey: string) =>
      fetch(`${docent.apiUrl}/v1/tokens`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${made?.key}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body: JSON.stringify({ projectId: docent.projectId }),
      });
    traps.get('token-made')!.arm();
    await expect(ask('first')).rejects.toThrow();
    await replaceApi();
    const again = await ask('first');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(await again.json()).toMatchObject({ token: null, projectId: docent.projectId });
    expect(await count('access_tokens')).toBe(1);
    const { token } = (await (await ask('second')).json()) as { token: string };
    const me = await fetch(`${docent.apiUrl}/v1/me`, { headers: { authorization: `Bearer ${token}` } });
    expect([me.status, await me.json()]).toMatchObject([200, { kind: 'token' }]);
  });

  test("stores a reader's feedback once", async () => {
    const origin = 'https://docs.example.com';
    await docent.client.PATCH('/v1/projects/{projectId}', {
      params: { path: { projectId: docent.projectId } },
      body: { settings: { analyticsOrigins: [origin] } },
    });
    const say = (comment: string) =>
      fetch(`${docent.apiUrl}/${docent.projectId}/feedback`, {
        method: 'POST',
        headers: { origin, 'content-type': 'text/plain', 'user-agent': 'Mozilla/5.0 Firefox/143.0' },
        body: JSON.stringify({ url: `${origin}/guides/start`, helpful: false, comment }),
      });
    traps.get('reader-heard')!.arm();
    await expect(say('The second step fails.')).rejects.toThrow();
    await replaceApi();
    expect((await say('And the third.')).status).toBe(202);
    const { data } = await docent.client.GET('/v1/analytics/{projectId}/feedback', {
      params: { path: { projectId: docent.projectId } },
    });
    expect(data?.feedback.map(({ comment }) => comment)).toEqual(['And the third.', 'The second step fails.']);
  });

  test('runs a job of version 1, and streams it to its end to a repeated request', async () => {
    traps.get('job-accepted')!.arm();
    await expect(postAsVersion1('v1-accepted')).rejects.toThrow();
    await replaceApi();
    await expectTold('v1-accepted', 1);
  });
});

test('a stream of version 1 that is lost with its API is sent again from its beginning', async () => {
  pause.arm();
  const response = await postAsVersion1('v1-stream');
  const reader = response.body?.getReader();
  await reader?.read();
  await until('the worker is stuck', () => pause.reached());
  await api.kill('SIGKILL');
  const restIsRead = async (): Promise<void> => {
    if ((await reader?.read())?.done === false) await restIsRead();
  };
  await expect(restIsRead()).rejects.toThrow();
  // Another worker takes over the first one's work.
  await Promise.all([startApi(), docent.startWorker()]);
  await expectTold('v1-stream', 2);
});

const PROMPT = 'Append a section "Next" with text "Read on." to the page guides/start';

const postAsVersion1 = (idempotencyKey: string) =>
  fetch(`${docent.apiUrl}/v1/agent/${docent.projectId}/job`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${docent.operatorToken}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify({ messages: [{ role: 'user', content: PROMPT }] }),
    signal: AbortSignal.timeout(150_000),
  });

/** One more job, one commit, and a stream with its events. */
async function expectTold(idempotencyKey: string, jobs: number): Promise<void> {
  const response = await postAsVersion1(idempotencyKey);
  expect(response.headers.get('idempotent-replayed')).toBe('true');
  const text = await response.text();
  expect(text).toMatch(/data: \[DONE\]\n\n$/);
  const id = response.headers.get('x-session-id') ?? '';
  expect(await count('jobs')).toBe(jobs);
  const job = await docent.job(id);
  expect(job.status).toBe('completed');
  expect(text).toContain(job.prLink);
  expect(await docent.commits(`docent/${id}`)).toHaveLength(1);
}
