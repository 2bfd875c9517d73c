import { describe, expect } from 'vitest';
import { markerIn, testWithDocent as test, type Installation } from '../support/installation.ts';

/** An API that dies at this point, once. */
async function doomedApi(docent: Installation, point: string) {
  return docent.startApi({ DOCENT_TEST_FAULT: `${point}@${markerIn(docent, point).file}` });
}

const count = async (docent: Installation, table: string) =>
  (await docent.database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)).rows[0]?.n;

describe.concurrent('an API that dies when it has written and not yet answered', () => {
  test('made one token, whose text is lost, and makes another for who asks anew', async ({ docent }) => {
    const doomed = await doomedApi(docent, 'token-made');
    await docent.startWorker();
    await docent.createProject();
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
    await expect(ask('first')).rejects.toThrow();
    expect(await doomed.ended).toBe('SIGKILL');
    await docent.startApi();
    const again = await ask('first');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(await again.json()).toMatchObject({ token: null, projectId: docent.projectId });
    expect(await count(docent, 'access_tokens')).toBe(1);
    const { token } = (await (await ask('second')).json()) as { token: string };
    const me = await fetch(`${docent.apiUrl}/v1/me`, { headers: { authorization: `Bearer ${token}` } });
    expect([me.status, await me.json()]).toMatchObject([200, { kind: 'token' }]);
  });

  test('keeps once what a reader said', async ({ docent }) => {
    const doomed = await doomedApi(docent, 'reader-heard');
    await docent.startWorker();
    await docent.createProject();
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
    await expect(say('The second step fails.')).rejects.toThrow();
    expect(await doomed.ended).toBe('SIGKILL');
    await docent.startApi();
    expect((await say('And the third.')).status).toBe(202);
    const { data } = await docent.client.GET('/v1/analytics/{projectId}/feedback', {
      params: { path: { projectId: docent.projectId } },
    });
    expect(data?.feedback.map(({ comment }) => comment)).toEqual(['And the third.', 'The second step fails.']);
  });

  test('has a job of version 1 carried out, and tells it to its end to who asks again', async ({ docent }) => {
    const doomed = await doomedApi(docent, 'job-accepted');
    await docent.startWorker();
    await docent.createProject();
    await expect(postAsVersion1(docent)).rejects.toThrow();
    expect(await doomed.ended).toBe('SIGKILL');
    await docent.startApi();
    await expectTold(docent);
  });
});

test.concurrent(
  'a stream of version 1 that is lost with its API is told again from its beginning',
  async ({ docent }) => {
    const [api] = await Promise.all([
      docent.startApi(),
      docent.startWorker({ DOCENT_TEST_FAULT: 'stop:model-answered' }),
    ]);
    await docent.createProject();
    const response = await postAsVersion1(docent);
    const reader = response.body?.getReader();
    await reader?.read();
    await api.kill('SIGKILL');
    const restIsRead = async (): Promise<void> => {
      if ((await reader?.read())?.done === false) await restIsRead();
    };
    await expect(restIsRead()).rejects.toThrow();
    // The worker is stuck: another one takes over what the first was at.
    await Promise.all([docent.startApi(), docent.startWorker()]);
    await expectTold(docent);
  },
);

const PROMPT = 'Append a section "Next" with text "Read on." to the page guides/start';

const postAsVersion1 = (docent: Installation) =>
  fetch(`${docent.apiUrl}/v1/agent/${docent.projectId}/job`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${docent.operatorToken}`,
      'content-type': 'application/json',
      'idempotency-key': 'v1-once',
    },
    body: JSON.stringify({ messages: [{ role: 'user', content: PROMPT }] }),
    signal: AbortSignal.timeout(150_000),
  });

/** One job, one commit, and a stream that says so. */
async function expectTold(docent: Installation): Promise<void> {
  const response = await postAsVersion1(docent);
  expect(response.headers.get('idempotent-replayed')).toBe('true');
  const text = await response.text();
  expect(text).toMatch(/data: \[DONE\]\n\n$/);
  const id = response.headers.get('x-session-id') ?? '';
  expect(await count(docent, 'jobs')).toBe(1);
  const job = await docent.job(id);
  expect(job.status).toBe('completed');
  expect(text).toContain(job.prLink);
  expect(await docent.commits(`docent/${id}`)).toHaveLength(1);
}
