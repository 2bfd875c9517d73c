import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../support/api-server.ts';

const ORIGIN = 'https://app.example.com';
let api: TestApi;
let project: string;

beforeAll(async () => {
  api = await startTestApi({ config: { allowedOrigins: [ORIGIN, 'http://localhost:3000'] } });
  project = await api.addProject();
});
afterAll(() => api?.close());

const corsOf = (headers: Headers) => [...headers].filter(([name]) => name.startsWith('access-control-'));
const preflight = (origin: string, path = `/v2/agent/${project}/job`, method = 'POST', at = api) =>
  at.call(path, {
    method: 'OPTIONS',
    token: null,
    headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' },
  });

describe('pages of an allowed origin', () => {
  test.each([ORIGIN, 'http://localhost:3000'])('get permission in the preflight: %s', async (origin) => {
    const { status, headers, text } = await preflight(origin);
    expect([status, text]).toEqual([204, '']);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-allow-methods')).toBe('POST');
    expect(headers.get('access-control-allow-headers')).toMatch(
      /\bAuthorization\b.*\bIdempotency-Key\b.*\bLast-Event-ID\b/,
    );
    expect(headers.get('access-control-max-age')).toBe('7200');
    expect(headers.get('vary')).toMatch(/\bOrigin\b/);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('read answers and errors, with the headers that matter', async () => {
    const headers = { origin: ORIGIN };
    const made = await api.call(`/v2/agent/${project}/job`, { body: { prompt: 'x' }, headers });
    expect(made.status).toBe(201);
    const answers = [
      made,
      await api.call(`/v2/agent/${project}/jobs`, { headers }),
      await api.call(`/v2/agent/${project}/jobs`, { headers, token: null }),
      await api.call(`/v2/agent/${project}/job`, { headers, body: '{' }),
      await api.call('/nowhere/at/all', { headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 401, 400, 404]);
    for (const answer of answers) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(answer.headers.get('access-control-expose-headers')).toMatch(
        /\bETag\b.*\bLocation\b.*\bRetry-After\b.*\bX-Request-Id\b/,
      );
      expect(answer.headers.get('vary')).toMatch(/\bOrigin\b/);
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });
});

describe('pages of any other origin', () => {
  test.each([
    'null',
    'https://evil.example',
    `${ORIGIN}.evil.example`,
    'https://evilapp.example.com',
    'https://APP.example.com',
    'http://app.example.com',
    `${ORIGIN}:443`,
    `${ORIGIN}/`,
    `${ORIGIN}, https://evil.example`,
    'https://x.app.example.com',
    'http://localhost:3001',
    '*',
  ])('read nothing: %s', async (origin) => {
    const before = await preflight(origin);
    expect([before.status, corsOf(before.headers)]).toEqual([204, []]);
    const answer = await api.call(`/v2/agent/${project}/jobs`, { headers: { origin } });
    expect([answer.status, corsOf(answer.headers)]).toEqual([200, []]);
    // A cache must not give it to a page of an allowed origin, nor that one's answer to this.
    expect(answer.headers.get('vary')).toMatch(/\bOrigin\b/);
  });

  test('sends no CORS headers if no origin is allowed', async () => {
    const closed = await startTestApi();
    try {
      const answer = await preflight(ORIGIN, '/v1/me', 'GET', closed);
      expect([answer.status, corsOf(answer.headers), answer.headers.get('vary')]).toEqual([204, [], null]);
      const asked = await closed.call('/v1/me', { headers: { origin: ORIGIN } });
      expect([asked.status, corsOf(asked.headers)]).toEqual([200, []]);
    } finally {
      await closed.close();
    }
  });
});

test('answers a preflight request without a key, and changes nothing', async () => {
  const answer = await preflight(ORIGIN, `/v1/projects/${project}`, 'DELETE');
  expect(answer.status).toBe(204);
  expect(answer.headers.get('access-control-allow-methods')).toContain('DELETE');
  expect((await api.call(`/v1/projects/${project}`)).status).toBe(200);
  expect((await preflight(ORIGIN, '/nowhere')).status).toBe(404);
});

test('the page script keeps its own rules', async () => {
  const page = 'https://docs.example.org';
  const { headers, status } = await api.call(`/${project}/script.js`, { token: null, headers: { origin: page } });
  expect([status, corsOf(headers)]).toEqual([200, []]);
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
});
