import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateKey, hashKey } from '../../src/store/access/key-format.ts';
import { apiKeys, jobs } from '../../src/store/schema.ts';
import { addPullRequest } from '../support/api-jobs.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';

let api: TestApi;
let project: string;
let jobId: string;

beforeAll(async () => {
  api = await startTestApi();
  project = await api.addProject();
  jobId = (await api.call(`/v2/agent/${project}/job`, { body: { prompt: 'x' } })).json.id;
});
afterAll(() => api.close());

const get = (token: string | null, headers: Record<string, string> = {}) =>
  api.call(`/v2/agent/${project}/job/${jobId}`, { token, headers });
const post = (token: string | null) => api.call(`/v2/agent/${project}/job`, { token, body: { prompt: 'x' } });
const outcome = (answer: { status: number; json: { code: string } }) => [answer.status, answer.json.code];

async function change(key: string, set: Partial<typeof apiKeys.$inferInsert>): Promise<void> {
  await api.database.db
    .update(apiKeys)
    .set(set)
    .where(eq(apiKeys.hash, hashKey(key)));
}

describe('401: authentication', () => {
  test.each<[string, Record<string, string>]>([
    ['no header', {}],
    ['another scheme', { authorization: 'Basic ZG9jZW50OnNlY3JldA==' }],
    ['no token', { authorization: 'Bearer' }],
    ['an incomplete key', { authorization: 'Bearer docent_abc' }],
    ['a mistyped key', { authorization: `Bearer ${generateKey('docent').slice(0, -1)}_` }],
    ['a wrong checksum', { authorization: `Bearer docent_${'0'.repeat(38)}` }],
    ['an unknown key', { authorization: `Bearer ${generateKey('docent')}` }],
    ['a wrong operator token', { authorization: `Bearer operator-${'0'.repeat(48)}` }],
    ['a very long token', { authorization: `Bearer ${'x'.repeat(8_000)}` }],
  ])('%s', async (_what, headers) => {
    const answer = await get(null, headers);
    expect(outcome(answer)).toEqual([401, 'unauthorized']);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(outcome(await api.call('/v1/projects', { token: null, headers }))).toEqual([401, 'unauthorized']);
  });

  test('comes before any error about projects, jobs or bodies', async () => {
    const before = await api.database.db.$count(jobs);
    expect(outcome(await api.call('/v2/agent/none/job/none', { token: null }))[0]).toBe(401);
    expect(outcome(await api.call('/v2/agent/../job/none', { token: null }))[0]).toBe(404);
    expect(outcome(await api.call(`/v2/agent/${project}/job`, { token: null, body: '{' }))[0]).toBe(401);
    expect(await api.database.db.$count(jobs)).toBe(before);
  });

  test('an expired key', async () => {
    const key = await api.addKey();
    await change(key, { expiresAt: new Date(Date.now() - 1_000) });
    const answer = await get(key);
    expect(outcome(answer)).toEqual([401, 'unauthorized']);
    expect(answer.json.error).toContain('expired');
  });

  test('a key that expires while it is remembered', async () => {
    const key = await api.addKey();
    await change(key, { expiresAt: new Date(Date.now() + 300) });
    expect((await get(key)).status).toBe(200);
    await sleep(350);
    expect((await get(key)).status).toBe(401);
  });

  test('a revoked key stops within a second, however often it is used', async () => {
    const key = await api.addKey();
    expect((await get(key)).status).toBe(200);
    const { json } = await api.call('/v1/keys');
    const { id } = json.keys.find((candidate: { hint: string }) => key.startsWith(candidate.hint));
    const revoked = await api.call(`/v1/keys/${id}`, { method: 'DELETE' });
    expect(revoked.json).toMatchObject({ id, revokedAt: expect.any(String) });
    const until = Date.now() + 950;
    while (Date.now() < until) await get(key);
    const answer = await get(key);
    expect(outcome(answer)).toEqual([401, 'unauthorized']);
    expect(answer.json.error).toContain('revoked');
    // A repeat changes nothing, not even the time.
    expect((await api.call(`/v1/keys/${id}`, { method: 'DELETE' })).json).toEqual(revoked.json);
  });
});

describe('403 and 404: authorization', () => {
  test('read reads and write writes, and write reads too', async () => {
    const read = await api.addKey({ scopes: ['read'] });
    const write = await api.addKey({ scopes: ['write'] });
    expect((await get(read)).status).toBe(200);
    expect((await get(write)).status).toBe(200);
    expect((await api.call(`/v2/agent/${project}/job/${jobId}`, { method: 'HEAD', token: read })).status).toBe(200);
    expect((await post(write)).status).toBe(201);
    const refused = await post(read);
    expect(outcome(refused)).toEqual([403, 'forbidden_scope']);
    expect(refused.json.error).toContain('write');
  });

  test('events and analytics open no job', async () => {
    const key = await api.addKey({ scopes: ['events', 'analytics'] });
    expect(outcome(await get(key))).toEqual([403, 'forbidden_scope']);
    expect(outcome(await post(key))).toEqual([403, 'forbidden_scope']);
  });

  test('a key of another project cannot find out which projects and jobs there are', async () => {
    const other = await api.addProject();
    const key = await api.addKey({ projectIds: [other], scopes: ['read'] });
    const existing = await get(key);
    const absent = await api.call(`/v2/agent/nosuchproject/job/${jobId}`, { token: key });
    expect(outcome(existing)).toEqual([404, 'project_not_found']);
    expect(outcome(absent)).toEqual([404, 'project_not_found']);
    expect(existing.json.error.replace(project, '')).toBe(absent.json.error.replace('nosuchproject', ''));
    // Nor by its scope.
    expect(outcome(await post(key))).toEqual([404, 'project_not_found']);
  });

  test('one key may open several projects', async () => {
    const [second, third] = [await api.addProject(), await api.addProject()];
    const key = await api.addKey({ projectIds: [project, second] });
    expect((await api.call(`/v2/agent/${project}/jobs`, { token: key })).status).toBe(200);
    expect((await api.call(`/v2/agent/${second}/jobs`, { token: key })).status).toBe(200);
    expect((await api.call(`/v2/agent/${third}/jobs`, { token: key })).status).toBe(404);
  });

  test('an API key manages neither projects nor keys, and reads its own project', async () => {
    const key = await api.addKey({ scopes: ['read', 'write', 'events', 'analytics'], projectIds: [project] });
    for (const path of ['/v1/projects', '/v1/keys']) {
      expect(outcome(await api.call(path, { token: key }))).toEqual([403, 'forbidden_scope']);
    }
    const own = `/v1/projects/${project}`;
    expect((await api.call(own, { token: key })).json.id).toBe(project);
    const change = { method: 'PATCH', token: key, body: { docsDir: 'guides' } };
    expect(outcome(await api.call(own, change))).toEqual([403, 'forbidden_scope']);
    const other = `/v1/projects/${await api.addProject()}`;
    expect(outcome(await api.call(other, { token: key }))).toEqual([404, 'project_not_found']);
    const made = await api.call('/v1/keys', { token: key, body: { name: 'mine', projectIds: null } });
    expect(outcome(made)).toEqual([403, 'forbidden_scope']);
  });

  test('the operator token opens job routes too', async () => {
    expect((await get(api.operatorToken)).status).toBe(200);
    expect((await post(api.operatorToken)).status).toBe(201);
  });

  test('a key may be bound to addresses', async () => {
    const here = await api.addKey({ allowedAddresses: ['10.0.0.0/8', '127.0.0.1'] });
    const elsewhere = await api.addKey({ allowedAddresses: ['10.0.0.0/8', '2001:db8::/32'] });
    expect((await get(here)).status).toBe(200);
    expect(outcome(await get(elsewhere))).toEqual([403, 'forbidden_address']);
    // A forwarded address proves nothing when no proxy is trusted, which is reported once.
    expect(outcome(await get(elsewhere, { 'x-forwarded-for': '10.1.2.3' }))).toEqual([403, 'forbidden_address']);
    await get(elsewhere, { 'x-forwarded-for': '10.1.2.3' });
    expect(api.logged().match(/X-Forwarded-For/g)).toHaveLength(1);
  });

  test('behind a trusted proxy the right-most stranger counts', async () => {
    const proxied = await startTestApi({ config: { trustedProxies: ['127.0.0.1', '192.168.0.0/16'] } });
    try {
      const id = await proxied.addProject();
      const key = await proxied.addKey({ allowedAddresses: ['203.0.113.0/24'] });
      const from = async (forwarded: string) =>
        (await proxied.call(`/v2/agent/${id}/jobs`, { token: key, headers: { 'x-forwarded-for': forwarded } })).status;
      expect(await from('203.0.113.9')).toBe(200);
      expect(await from('203.0.113.9, 192.168.1.1')).toBe(200);
      expect(await from('203.0.113.9:4711')).toBe(200);
      expect(await from('203.0.113.9, 198.51.100.1')).toBe(403);
      expect(await from('203.0.113.9, unknown')).toBe(403);
      expect(await from('203.0.113.9, 192.168.1.1, ')).toBe(403);
      expect((await proxied.call(`/v2/agent/${id}/jobs`, { token: key })).status).toBe(403);
    } finally {
      await proxied.close();
    }
  });
});

describe('keys', () => {
  test('are shown once, stored as a hash, and listed without secret', async () => {
    const body = {
      name: 'CI',
      projectIds: [project],
      scopes: ['read', 'write'],
      allowedAddresses: ['::ffff:10.0.0.1'],
    };
    const { json, status } = await api.call('/v1/keys', { body });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      name: 'CI',
      scopes: ['read', 'write'],
      projectIds: [project],
      allowedAddresses: ['10.0.0.1'],
      revokedAt: null,
      lastUsedAt: null,
      key: expect.stringMatching(/^docent_[0-9A-Za-z]{38}$/),
    });
    expect(json.key.startsWith(json.hint)).toBe(true);
    const days = (Date.parse(json.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThan(90.1);
    const listed = await api.call('/v1/keys?limit=100');
    expect(listed.text).toContain(json.id);
    expect(listed.text).not.toContain(json.key);
    const [row] = await api.database.db.select().from(apiKeys).where(eq(apiKeys.id, json.id));
    expect(JSON.stringify(row)).not.toContain(json.key.slice(12));
    expect(api.logged()).not.toContain(json.key);
  });

  test('may never expire, read by default, and bear the configured prefix', async () => {
    const acme = await startTestApi({ config: { keyPrefix: 'acme' } });
    try {
      const { json } = await acme.call('/v1/keys', { body: { name: 'x', projectIds: null, expiresInDays: null } });
      expect(json).toMatchObject({ expiresAt: null, scopes: ['read'], key: expect.stringMatching(/^acme_/) });
      const id = await acme.addProject();
      expect((await acme.call(`/v2/agent/${id}/jobs`, { token: json.key })).status).toBe(200);
    } finally {
      await acme.close();
    }
  });

  test('filter by project, those for all projects included', async () => {
    const id = await api.addProject();
    await api.addKey({ name: 'for it', projectIds: [id] });
    const { json } = await api.call(`/v1/keys?projectId=${id}&limit=100`);
    const names = json.keys.map((key: { name: string }) => key.name);
    expect(names).toContain('for it');
    expect(json.keys.every((key: { projectIds: string[] | null }) => key.projectIds?.includes(id) ?? true)).toBe(true);
  });

  test('page newest first', async () => {
    const first = await api.call('/v1/keys?limit=2');
    expect(first.json.keys).toHaveLength(2);
    const second = await api.call(`/v1/keys?limit=2&cursor=${first.json.nextCursor}`);
    const ids = [...first.json.keys, ...second.json.keys].map((key: { id: string }) => key.id);
    expect(new Set(ids).size).toBe(4);
  });

  test.each<[string, object, number, string]>([
    ['no name', { projectIds: null }, 400, '`name` is missing'],
    ['a blank name', { name: ' ', projectIds: null }, 400, '`name`'],
    ['no projects', { name: 'x' }, 400, '`projectIds` is missing'],
    ['an empty list of projects', { name: 'x', projectIds: [] }, 400, '`projectIds`'],
    ['an unknown project', { name: 'x', projectIds: ['nosuchproject'] }, 404, 'nosuchproject'],
    ['an id that is none', { name: 'x', projectIds: ['demo', '../x'] }, 400, '`projectIds[1]`'],
    ['an unknown scope', { name: 'x', projectIds: null, scopes: ['admin'] }, 400, '`scopes[0]`'],
    ['a scope twice', { name: 'x', projectIds: null, scopes: ['read', 'read'] }, 400, '`scopes`'],
    ['no days', { name: 'x', projectIds: null, expiresInDays: 0 }, 400, '`expiresInDays`'],
    ['a wrong type', { name: 'x', projectIds: null, expiresInDays: '90' }, 400, 'a whole number or null'],
    ['no address', { name: 'x', projectIds: null, allowedAddresses: ['here'] }, 400, '`allowedAddresses[0]`'],
    [
      'an octal address',
      { name: 'x', projectIds: null, allowedAddresses: ['010.0.0.1'] },
      400,
      '`allowedAddresses[0]`',
    ],
    [
      'the range of all addresses',
      { name: 'x', projectIds: null, allowedAddresses: ['0.0.0.0/0'] },
      400,
      'restricts nothing',
    ],
    ['another way to say it', { name: 'x', projectIds: null, allowedAddresses: ['10.0.0.1', '::/0'] }, 400, '[1]'],
    ['and another', { name: 'x', projectIds: null, allowedAddresses: ['::ffff:0:0/96'] }, 400, 'restricts nothing'],
    ['a name of two lines', { name: 'a\nb', projectIds: null }, 400, '`name`'],
    ['a name that moves the cursor', { name: 'a\u001b[2K', projectIds: null }, 400, '`name`'],
    ['a name with a C1 control', { name: 'a\u009bb', projectIds: null }, 400, '`name`'],
    ['a name that reads backwards', { name: 'a\u202eb', projectIds: null }, 400, '`name`'],
    ['a name of a line separator', { name: '\u2028', projectIds: null }, 400, '`name`'],
    ['too wide a range', { name: 'x', projectIds: null, allowedAddresses: ['10.0.0.0/33'] }, 400, '`allowedAddresses'],
  ])('are refused for %s', async (_what, body, status, words) => {
    const before = await api.database.db.$count(apiKeys);
    const answer = await api.call('/v1/keys', { body });
    expect(answer.status).toBe(status);
    expect(answer.json.error).toContain(words);
    expect(await api.database.db.$count(apiKeys)).toBe(before);
  });

  test('an unknown key cannot be revoked', async () => {
    expect(outcome(await api.call('/v1/keys/key_none', { method: 'DELETE' }))).toEqual([404, 'key_not_found']);
    expect(outcome(await api.call(`/v1/keys/${'k'.repeat(1_001)}`, { method: 'DELETE' }))[0]).toBe(404);
  });

  test('remember when they were last used, without a write per request', async () => {
    const key = await api.addKey();
    const [row] = await api.database.db
      .select()
      .from(apiKeys)
      .where(eq(apiKeys.hash, hashKey(key)));
    expect(row?.lastUsedAt).toBeNull();
    await get(key);
    const lastUsed = async () => {
      const [now] = await api.database.db
        .select()
        .from(apiKeys)
        .where(eq(apiKeys.hash, hashKey(key)));
      return now?.lastUsedAt ?? null;
    };
    await expect.poll(lastUsed).not.toBeNull();
    const first = await lastUsed();
    await sleep(600);
    await get(key);
    await sleep(50);
    expect(await lastUsed()).toEqual(first);
  });
});

describe('Host', () => {
  test.each([
    'localhost:4000',
    'docent.localhost',
    '127.0.0.1',
    '[::1]:4000',
    '192.168.1.20:4000',
    'DOCS.example.com',
    'a.internal',
  ])('%s is ours', async (host) => {
    const answer = await rawRequest(host);
    expect(answer).toMatch(/^HTTP\/1.1 200/);
  });

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.nip.io:80',
    'internal',
    'xdocs.example.com',
    'a b',
    'x@localhost',
  ])('%s is not: a page there cannot speak to this server', async (host) => {
    const answer = await rawRequest(host);
    expect(answer).toMatch(/^HTTP\/1.1 403/);
    expect(answer).toContain('"code":"forbidden_host"');
  });

  let hosted: TestApi;
  beforeAll(async () => {
    hosted = await startTestApi({
      config: { allowedHosts: ['.internal'] },
      deps: { publicUrl: () => 'https://docs.example.com/docent/' },
    });
  });
  afterAll(() => hosted.close());

  async function rawRequest(host: string): Promise<string> {
    const { connect } = await import('node:net');
    return new Promise((resolve, reject) => {
      const socket = connect(hosted.server.port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
      socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    });
  }

  test.each(['localhost', 'docs.example.com', ''])('a second one is refused: %j', async (second) => {
    const answer = await rawRequest(`localhost\r\nhost: ${second}`);
    expect(answer).toMatch(/^HTTP\/1.1 400/);
    expect(answer).toContain('"code":"bad_request"');
  });

  test('browsers learn to use https if the public URL does', async () => {
    const name = 'strict-transport-security';
    expect((await hosted.call('/healthz')).headers.get(name)).toBe('max-age=31536000');
    expect((await hosted.call('/nothing')).headers.get(name)).toBe('max-age=31536000');
    expect((await api.call('/healthz')).headers.get(name)).toBeNull();
  });

  test('a public URL with a path shows in Location', async () => {
    const id = await hosted.addProject();
    const answer = await hosted.call(`/v2/agent/${id}/job`, { body: { prompt: 'x' } });
    expect(answer.headers.get('location')).toBe(`/docent/v2/agent/${id}/job/${answer.json.id}`);
  });
});

describe("the caller's identity", () => {
  test.each(['read', 'write', 'events', 'analytics'] as const)(
    'every key may ask, such as one for %s',
    async (scope) => {
      const key = await api.addKey({ name: `for ${scope}`, scopes: [scope], projectIds: [project] });
      const { status, json } = await api.call('/v1/me', { token: key });
      expect([status, json.kind, json.key.name, json.key.projectIds]).toEqual([200, 'key', `for ${scope}`, [project]]);
      expect(JSON.stringify(json)).not.toContain(key);
    },
  );

  test('the operator has no key, and the version requires authentication', async () => {
    expect((await api.call('/v1/me')).json).toEqual({
      kind: 'operator',
      key: null,
      token: null,
      person: null,
      limits: { jobsPerHour: 100, messagesPerHour: 100 },
      version: expect.any(String),
    });
    expect(outcome(await api.call('/v1/me', { token: null }))).toEqual([401, 'unauthorized']);
  });
});

const of = (id: string) => `/v2/agent/${project}/job/${id}/pull-request`;

describe("a job's pull request", () => {
  test('is readable for readers, and only the operator can merge or close it', async () => {
    await addPullRequest(api, { id: 'pr-of-a-job', projectId: project, jobId });
    const key = await api.addKey({ scopes: ['write'] });
    const { status, json } = await api.call(of(jobId), { token: key });
    expect([status, json.link]).toEqual([200, `${api.url}/pull-requests/pr-of-a-job`]);
    for (const action of ['merge', 'close']) {
      const answer = await api.call(`${of(jobId)}/${action}`, { method: 'POST', token: key });
      expect(outcome(answer)).toEqual([403, 'forbidden_scope']);
    }
    expect(api.workflows.changed).toEqual([]);
    expect(outcome(await api.call(of('nope')))).toEqual([404, 'job_not_found']);
    const bare = (await api.call(`/v2/agent/${project}/job`, { body: { prompt: 'x' } })).json.id;
    expect(outcome(await api.call(of(bare)))).toEqual([404, 'pull_request_not_found']);
    const stranger = await api.addKey({ projectIds: [await api.addProject()] });
    expect(outcome(await api.call(of(jobId), { token: stranger }))).toEqual([404, 'project_not_found']);
  });

  test.each([
    ['merge_conflict', 409, 'merge_conflict'],
    ['merge_refused', 409, 'merge_refused'],
    ['unavailable', 503, 'unavailable'],
  ] as const)('that cannot be merged (%s) is reported with a code', async (code, status, told) => {
    api.workflows.changeAnswer = async () => ({ ok: false, code, message: 'No.' });
    expect(outcome(await api.call(`${of(jobId)}/merge`, { method: 'POST' }))).toEqual([status, told]);
  });
});
