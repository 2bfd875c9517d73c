import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RawRequest } from '../support/raw-request.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const params = (answer: { json: { errors: { param: string | null }[] } }) =>
  answer.json.errors.map(({ param }) => String(param)).toSorted((a, b) => (a < b ? -1 : 1));

describe('an error', () => {
  test('names all invalid fields, and what is wrong with each', async () => {
    const answer = await api.call('/v1/keys', {
      body: { name: '', projectIds: ['UPPER', 'fine', 7], scopes: ['all'], expiresInDays: 0 },
    });
    expect(answer.status).toBe(400);
    expect(params(answer)).toEqual(['expiresInDays', 'name', 'projectIds[0]', 'projectIds[2]', 'scopes[0]']);
    const [first] = answer.json.errors;
    expect(answer.json).toMatchObject({
      error: first.message,
      code: 'bad_request',
      param: first.param,
      docs: '/docs/reference/errors#bad_request',
    });
    for (const { param, message, code } of answer.json.errors) {
      expect(message).toContain(`\`${param}\``);
      expect(code).toMatch(/^[a-zA-Z]+$/);
    }
  });

  test.each([
    ['application/problem+json', 'application/problem+json'],
    ['application/json, application/problem+json', 'application/problem+json'],
    ['application/problem+json;q=0, */*', 'application/json'],
    ['application/json', 'application/json'],
    ['*/*', 'application/json'],
  ])('for a caller that accepts %s is %s', async (accept, type) => {
    for (const path of ['/v1/projects/none', '/nothing']) {
      const { status, json, headers } = await api.call(path, { headers: { accept } });
      expect([status, headers.get('content-type')]).toEqual([404, `${type}; charset=utf-8`]);
      const { type: address, ...problem } = json;
      if (type === 'application/json') {
        expect(Object.keys(json)).not.toContain('detail');
        continue;
      }
      expect(new URL(address).href).toBe(api.url + json.docs);
      expect(problem).toMatchObject({
        title: expect.stringMatching(/^[A-Z].* found$/),
        status: 404,
        detail: json.error,
      });
      expect(json.requestId).toBe(headers.get('x-request-id'));
    }
  });

  test('omits "no branch fits" if a field in a branch is named', async () => {
    const answer = await api.call('/v1/projects', { body: { id: 'x', repository: '/srv', ref: '..', model: 7 } });
    expect(params(answer)).toEqual(['model', 'ref']);
  });

  test('names an invalid query parameter, even one of several, and an invalid header', async () => {
    const project = await api.addProject();
    const query = await api.call(`/v2/agent/${project}/jobs?limit=0&status=odd`);
    expect(params(query)).toEqual(['limit', 'status']);
    expect((await api.call(`/v2/agent/${project}/jobs?limit=1&limit=2`)).json.param).toBe('limit');
    expect((await api.call(`/v2/agent/${project}/jobs?cursor=x`)).json.param).toBe('cursor');
    const header = await api.call(`/v2/agent/${project}/job`, {
      body: { prompt: 'x' },
      headers: { 'idempotency-key': 'k'.repeat(256) },
    });
    expect(header.json.param).toBe('Idempotency-Key');
  });

  test('without a field has none, in the same form, even for invalid HTTP', async () => {
    const form = { param: null, errors: [], requestId: expect.any(String), error: expect.any(String) };
    expect((await api.call('/v1/projects/none')).json).toEqual({
      ...form,
      code: 'project_not_found',
      docs: '/docs/reference/errors#project_not_found',
    });
    const raw = new RawRequest(api.url);
    raw.socket.write('nonsense\r\n\r\n');
    expect((await raw.answer()).json).toEqual({
      ...form,
      code: 'bad_request',
      docs: '/docs/reference/errors#bad_request',
    });
  });

  test('is shown as a page to a browser', async () => {
    const page = await api.call('/v2/agent/demo/jobs', { token: null, headers: { accept: 'text/html' } });
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.text).toContain('unauthorized');
  });
});

describe('a hostile body', () => {
  test('gets at most 20 of its errors, and never its values', async () => {
    const projectIds = Array.from({ length: 90 }, (_, i) => `SECRET ${i}`);
    const answer = await api.call('/v1/keys', { body: { name: 'x', projectIds } });
    expect(answer.json.errors).toHaveLength(20);
    expect(answer.text).not.toContain('SECRET');
  });

  test('with very many values gets only the first error, at little cost', async () => {
    const projectIds = Array.from({ length: 180_000 }, () => 'A');
    const startedAt = performance.now();
    const answer = await api.call('/v1/keys', { body: { name: 'x', projectIds } });
    expect(answer.status).toBe(400);
    expect(answer.json.errors).toHaveLength(1);
    expect(Buffer.byteLength(answer.text)).toBeLessThan(1_000);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test('of long names gets short answers', async () => {
    const settings = { labels: Array.from({ length: 20 }, () => 7), ['x'.repeat(10_000)]: 1 };
    const answer = await api.call('/v1/projects', { body: { id: 'x', repository: '/srv', settings } });
    expect(answer.json.errors).toHaveLength(20);
    expect(Buffer.byteLength(answer.text)).toBeLessThan(8_000);
  });
});
