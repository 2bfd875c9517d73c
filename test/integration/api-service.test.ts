import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createJob } from '../support/api-jobs.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { READY } from '../support/ready.ts';

let api: TestApi;
let project: string;

beforeAll(async () => {
  api = await startTestApi();
  project = await api.addProject();
});
afterAll(() => api.close());

describe('health', () => {
  test('reports that the process lives, and whether it can work', async () => {
    expect((await api.call('/healthz', { token: null })).json).toEqual({ status: 'ok' });
    const ready = await api.call('/readyz', { token: null });
    expect([ready.status, ready.json]).toEqual([200, { status: 'ready', ...READY }]);
  });

  test('reports damaged files of page views to operators; it can work anyway', async () => {
    const damaged = await startTestApi({
      deps: { readiness: async () => ({ ...READY, damagedFiles: 2, setAsideFiles: null }) },
    });
    try {
      const { status, json } = await damaged.call('/readyz', { token: null });
      expect([status, json]).toEqual([200, { status: 'ready', ...READY, damagedFiles: 2, setAsideFiles: null }]);
    } finally {
      await damaged.close();
    }
  });

  test('names the missing parts', async () => {
    const half = await startTestApi({ deps: { readiness: async () => ({ ...READY, temporal: false }) } });
    try {
      const answer = await half.call('/readyz', { token: null });
      expect(answer.status).toBe(503);
      expect(answer.json).toMatchObject({ code: 'unavailable', temporal: false, database: true });
      expect(answer.json.error).toContain('Temporal');
      expect(answer.headers.get('retry-after')).toBe('5');
      // Load balancers ask every few seconds: pino's level 20 is `debug`.
      expect(half.logged()).toMatch(/"level":20,.*"operation":"getReadiness"/);
      expect(half.logged()).not.toMatch(/"level":50,.*"operation":"getReadiness"/);
    } finally {
      await half.close();
    }
  });

  test('names the parts of this machine that are given up, and why', async () => {
    const givenUpParts = [{ name: 'worker', reason: 'it ended with exit code 7' }];
    const deps = { readiness: async () => ({ ...READY, givenUpParts }) };
    const lame = await startTestApi({ deps });
    try {
      const { status, json } = await lame.call('/readyz', { token: null });
      expect([status, json]).toMatchObject([503, { code: 'unavailable', temporal: true, givenUpParts }]);
      expect(json.error).toBe(
        'Not ready. The part worker of `docent start` is down and is retried: it ended with exit code 7.',
      );
    } finally {
      await lame.close();
    }
  });
});

describe('the contract', () => {
  test('is served as JSON and as YAML, the same', async () => {
    const json = await api.call('/openapi.json', { token: null });
    const yaml = await api.call('/openapi.yaml', { token: null });
    expect(json.json.openapi).toBe('3.1.0');
    expect(Object.keys(json.json.paths)).toContain('/v2/agent/{projectId}/job/{id}/message');
    expect(yaml.headers.get('content-type')).toContain('yaml');
    expect(parse(yaml.text)).toEqual(json.json);
  });
});

describe('methods', () => {
  test('HEAD answers like GET, without a body', async () => {
    const id = await createJob(api, project);
    for (const path of [`/v2/agent/${project}/job/${id}`, `/v2/agent/${project}/jobs`, '/healthz', '/openapi.json']) {
      const head = await api.call(path, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } });
      const get = await api.call(path);
      expect([head.status, head.text]).toEqual([200, '']);
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    }
    expect((await api.call(`/v2/agent/${project}/job/none`, { method: 'HEAD' })).status).toBe(404);
  });

  test('a method that a path does not have is 405, with those it has', async () => {
    const answer = await api.call(`/v2/agent/${project}/job`, { method: 'GET' });
    expect([answer.status, answer.json.code]).toEqual([405, 'method_not_allowed']);
    expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
    expect(answer.json.requestId).toBe(answer.headers.get('x-request-id'));
    const project405 = await api.call(`/v1/projects/${project}`, { method: 'PUT', body: {} });
    expect(project405.headers.get('allow')).toBe('DELETE, GET, HEAD, PATCH, OPTIONS');
  });

  test("OPTIONS returns a path's methods, and allows no other site", async () => {
    const answer = await api.call(`/v1/projects`, {
      method: 'OPTIONS',
      token: null,
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect((await api.call('/nothing', { method: 'OPTIONS' })).status).toBe(404);
  });
});

describe('request ids', () => {
  test("are new for each request, or the caller's own if harmless", async () => {
    const ids = [await api.call('/healthz'), await api.call('/healthz')].map((a) => a.headers.get('x-request-id'));
    expect(ids[0]).not.toBe(ids[1]);
    const own = await api.call('/healthz', { headers: { 'x-request-id': 'trace-0123456789' } });
    expect(own.headers.get('x-request-id')).toBe('trace-0123456789');
    for (const odd of ['short', 'with space in it', `docent_${'a'.repeat(38)}`, 'x'.repeat(65)]) {
      const answer = await api.call('/healthz', { headers: { 'x-request-id': odd } });
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('are in the log with the job, and no secret is', async () => {
    const key = await api.addKey();
    const answer = await api.call(`/v2/agent/${project}/job`, { token: key, body: { prompt: 'My secret plan' } });
    const line = api
      .logged()
      .split('\n')
      .filter(Boolean)
      .map((text) => JSON.parse(text))
      .find((entry) => entry.requestId === answer.headers.get('x-request-id'));
    expect(line).toMatchObject({
      operation: 'createJob',
      projectId: project,
      jobId: answer.json.id,
      status: 201,
      method: 'POST',
      caller: expect.stringMatching(/^key_/),
    });
    expect(api.logged()).not.toContain(key);
    expect(api.logged()).not.toContain(api.operatorToken);
    expect(api.logged()).not.toContain('My secret plan"}');
  });

  test('an unexpected error is a bare 500; the log has the cause, without the values of the query', async () => {
    const broken = await startTestApi({
      deps: {
        workflows: {
          checkRepository: () => Promise.reject(new TypeError('the inner reason')),
          surveyRepository: () => Promise.reject(new TypeError('x')),
          changePullRequest: () => Promise.reject(new TypeError('x')),
          checkHost: () => Promise.reject(new TypeError('x')),
          checkModel: () => Promise.reject(new TypeError('x')),
          testModel: () => Promise.reject(new TypeError('x')),
          refreshPullRequest: () => Promise.reject(new TypeError('x')),
          testWebhook: () => Promise.reject(new TypeError('x')),
        },
      },
    });
    try {
      const answer = await broken.call('/v1/projects', { body: { id: 'a', repository: '/a' } });
      expect([answer.status, answer.json.code]).toEqual([500, 'internal']);
      expect(answer.text).not.toContain('inner reason');
      expect(broken.logged()).toContain('the inner reason');
      expect(broken.logged()).toContain(answer.json.requestId);
      await broken.database.db.execute('ALTER TABLE messages RENAME TO gone');
      const id = await broken.addProject();
      const failed = await broken.call(`/v2/agent/${id}/job`, { body: { prompt: 'Do not log me' } });
      expect(failed.status).toBe(500);
      expect(broken.logged()).toContain('relation \\"messages\\" does not exist');
      expect(broken.logged()).not.toContain('Do not log me');
    } finally {
      await broken.close();
    }
  });
});

test('in tests, an answer that is not documented is a fault', async () => {
  const odd = await startTestApi({ deps: { readiness: async () => ({ ...READY, temporal: 'yes' }) as never } });
  try {
    const answer = await odd.call('/readyz', { token: null });
    expect([answer.status, answer.json.code]).toEqual([500, 'internal']);
    expect(odd.logged()).toContain('`temporal` must be true or false');
  } finally {
    await odd.close();
  }
});

describe('stopping', () => {
  test('ends waiting requests, answers those in flight, and accepts no new ones', async () => {
    const stopping = await startTestApi();
    const id = await stopping.addProject();
    const jobId = await createJob(stopping, id);
    const held = Promise.withResolvers<void>();
    stopping.workflows.checkAnswer = async ({ repository }) => {
      await held.promise;
      return {
        ok: true,
        repository,
        url: 'file:///a',
        ref: 'main',
        commit: 'c',
        repositoryId: null,
        site: null,
        instructions: null,
      };
    };
    const waiting = stopping.call(`/v2/agent/${id}/job/${jobId}/events?after=1&waitSeconds=20`);
    const slow = stopping.call('/v1/projects', { body: { id: 'slow', repository: '/a' } });
    await new Promise((resolve) => setTimeout(resolve, 200));
    const closing = stopping.server.close({ deadlineMs: 5_000 });
    const waited = await waiting;
    expect([waited.status, waited.json]).toEqual([200, { events: [], status: 'active', progress: null }]);
    await expect(stopping.call('/healthz')).rejects.toThrow();
    held.resolve();
    expect((await slow).status).toBe(201);
    await closing;
    await stopping.close();
  });

  test('closes unfinished requests at the deadline', async () => {
    const stopping = await startTestApi();
    stopping.workflows.checkAnswer = () => new Promise(() => {});
    const slow = stopping.call('/v1/projects', { body: { id: 'slow', repository: '/a' } });
    const failed = expect(slow).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const began = Date.now();
    await stopping.server.close({ deadlineMs: 300 });
    expect(Date.now() - began).toBeLessThan(5_000);
    await failed;
    await stopping.close();
  });

  test('a caller that leaves stops its own waiting', async () => {
    const id = await createJob(api, project);
    const socket = connect(api.server.port, '127.0.0.1');
    await once(socket, 'connect');
    const path = `/v2/agent/${project}/job/${id}/events?after=1&waitSeconds=20`;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${api.operatorToken}\r\n\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    socket.destroy();
    const lines = () => api.logged().match(new RegExp(`"listJobEvents".*"${id}"`, 'g'))?.length ?? 0;
    await expect.poll(lines).toBe(1);
  });
});

test('a request that is under way when the server stops is answered, and the server waits for it', async () => {
  const own = await startTestApi();
  const held = Promise.withResolvers<void>();
  const check = own.workflows.checkAnswer;
  own.workflows.checkAnswer = async (input) => {
    await held.promise;
    return check(input);
  };
  const asked = own.call('/v1/projects', { body: { id: 'late', repository: '/srv/git/late', ref: 'main' } });
  await expect.poll(() => own.workflows.checked).toHaveLength(1);
  const closed = own.server.close({ deadlineMs: 30_000 });
  // Only once it takes no more connections.
  await expect.poll(() => own.call('/healthz').then(String, () => 'refused')).toBe('refused');
  held.resolve();
  expect((await asked).status).toBe(201);
  await closed;
  await own.database.drop();
});
