import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashKey } from '../../src/store/access/key-format.ts';
import { apiKeys } from '../../src/store/schema.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';

const LIMIT = 3;
let api: TestApi;
let key: string;

beforeAll(async () => {
  api = await startTestApi({ config: { failedSignInsPerMinute: LIMIT, trustedProxies: ['127.0.0.1'] } });
  key = await api.addKey({ scopes: ['read'] });
});
afterAll(() => api.close());

const wrong = () => `${'wrong'.repeat(8)}${Math.random()}`;
const tryFrom = (address: string, token: string | null = wrong(), path = '/v1/projects') =>
  api.call(path, { token, headers: { 'x-forwarded-for': address } });

async function useUp(address: string): Promise<void> {
  for (let i = 0; i < LIMIT; i++) expect((await tryFrom(address)).status).toBe(401);
  const answer = await tryFrom(address);
  expect(answer).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

describe('wrong keys and operator tokens', () => {
  test('are answered 429 when one address sends too many, and other addresses are not concerned', async () => {
    await useUp('203.0.113.1');
    expect((await tryFrom('203.0.113.2')).status).toBe(401);
    // An unknown well-formed key counts, too.
    expect((await tryFrom('203.0.113.1', key.replace(/.$/, 'x'))).status).toBe(429);
    const stranger = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    expect((await tryFrom('203.0.113.1', stranger)).status).toBe(429);
  });

  test('never lock out a valid token from the same address', async () => {
    await useUp('203.0.113.10');
    expect((await tryFrom('203.0.113.10', api.operatorToken)).status).toBe(200);
    // A read-only key may not list projects, but is authenticated.
    expect((await tryFrom('203.0.113.10', key)).json.code).toBe('forbidden_scope');
    expect((await tryFrom('203.0.113.10')).status).toBe(429);
  });

  test('count by the /64 network of IPv6', async () => {
    await useUp('2001:db8:1:1::1');
    expect((await tryFrom('2001:db8:1:1:ffff::2')).status).toBe(429);
    expect((await tryFrom('2001:db8:1:2::1')).status).toBe(401);
  });

  test('are not what pages send that are still open after a session has ended', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.40', cookie: `docent_session=${'A'.repeat(43)}` };
    for (let i = 0; i < LIMIT + 3; i++) {
      expect((await api.call('/v1/projects', { token: null, headers })).json.error).toMatch(/session has ended/);
    }
    expect((await tryFrom('203.0.113.40')).status).toBe(401);
  });

  test('do not include requests without a key, or with an ended one', async () => {
    const [old] = await api.database.db
      .insert(apiKeys)
      .values({ id: 'old', name: 'old', hint: 'x', scopes: ['read'], hash: hashKey('none'), revokedAt: new Date() })
      .returning();
    expect(old).toBeDefined();
    const ended = await api.addKey({ scopes: ['read'] });
    await api.database.pool.query('UPDATE api_keys SET revoked_at = now() WHERE hash = $1', [hashKey(ended)]);
    for (let i = 0; i < LIMIT + 3; i++) {
      expect((await tryFrom('203.0.113.20', null)).status).toBe(401);
      expect((await tryFrom('203.0.113.20', ended)).json.error).toMatch(/revoked/);
    }
    expect((await tryFrom('203.0.113.20')).status).toBe(401);
  });

  test('count on the page of a pull request too', async () => {
    const project = await api.addProject();
    await api.database.pool.query(
      `INSERT INTO pull_requests (id, project_id, job_id, chain_no, repository, head_branch, base_branch, title, body, head_commit)
       VALUES ('pr', $1, 'j', 1, '/r', 'h', 'main', 't', 'b', 'c')`,
      [project],
    );
    const post = (token: string, accept: string) =>
      api.call('/pull-requests/pr/merge', {
        method: 'POST',
        token,
        body: '',
        headers: { accept, 'x-forwarded-for': '203.0.113.30', 'content-type': 'application/x-www-form-urlencoded' },
      });
    for (let i = 0; i < LIMIT; i++) expect((await post(wrong(), 'text/html')).status).toBe(401);
    const page = await post(wrong(), 'text/html');
    expect(page.status).toBe(429);
    expect(page.text).toContain('still accepted');
    expect((await post(wrong(), 'application/json')).json.code).toBe('rate_limited');
    expect((await tryFrom('203.0.113.30')).status).toBe(429);
    expect(api.workflows.changed).toEqual([]);
    expect((await post(api.operatorToken, 'text/html')).status).toBe(200);
  });

  test('are reported to the operator once, without the token and the address', () => {
    const said = api
      .logged()
      .split('\n')
      .filter((line) => line.includes('repeated requests with invalid keys'));
    expect(said).toHaveLength(1);
    expect(said[0]).not.toMatch(/203\.0\.113|wrong/);
  });
});
