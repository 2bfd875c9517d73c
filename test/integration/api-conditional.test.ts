import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installationId } from '../../src/store/installation/installation.ts';
import { jobs } from '../../src/store/schema.ts';
import { createJob } from '../support/api-jobs.ts';
import { startAnalyticsApi, type AnalyticsApi } from '../support/analytics-api.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { addPerson } from '../support/browsers.ts';
import { plainRequest } from '../support/plain-request.ts';

let bench: AnalyticsApi;
let api: TestApi;
/** Another server of the same installation. */
let other: TestApi;
let project: string;
let jobId: string;
let jobPath: string;

beforeAll(async () => {
  bench = await startAnalyticsApi();
  api = bench.api;
  other = await startTestApi({ deps: { database: api.database } });
  // As every process does when it starts.
  await installationId(api.database.db);
  project = await api.addProject();
  jobId = await createJob(api, project);
  jobPath = `/v2/agent/${project}/job/${jobId}`;
});
afterAll(async () => {
  await other.close();
  await bench.close();
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  plainRequest(api.url + path, { method, headers: { authorization: `Bearer ${api.operatorToken}`, ...headers } });

describe('an answer that has not changed', () => {
  const routes: [string, () => string][] = [
    ['a job', () => jobPath],
    ['a list', () => `/v2/agent/${project}/jobs`],
    ['a diff', () => `${jobPath}/diff`],
    ['events', () => `${jobPath}/events`],
    ['visitors', () => `/v1/analytics/${project}/visitors?limit=3`],
    ['openapi.json', () => '/openapi.json'],
    ['openapi.yaml', () => '/openapi.yaml'],
    ['the page script', () => `/${project}/script.js`],
  ];

  test.each(routes)('is not sent again: %s', async (_what, path) => {
    const first = await get(path());
    expect(first.status).toBe(200);
    const tag = first.headers.etag ?? '';
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    for (const held of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await get(path(), { 'if-none-match': held });
      expect(again.status, held).toBe(304);
      expect(again.bytes).toHaveLength(0);
      expect(again.headers.etag).toBe(tag);
      expect(again.headers['cache-control']).toBe(first.headers['cache-control']);
      expect(again.headers.vary).toBe(first.headers.vary);
      expect(again.headers['x-request-id']).toBeTruthy();
      expect(again.headers['content-type']).toBeUndefined();
    }
    expect((await get(path(), { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('is not sent to those whose client asks caches to ask, as fetch does with If-None-Match', async () => {
    const { headers } = await get(jobPath);
    const answer = await fetch(api.url + jobPath, {
      headers: { authorization: `Bearer ${api.operatorToken}`, 'if-none-match': headers.etag ?? '' },
    });
    expect(answer.status).toBe(304);
  });

  test('changes its tag with every change, even one that is not an update', async () => {
    const before = await get(jobPath);
    await api.database.db.update(jobs).set({ progress: 'Step 1: reading' }).where(eq(jobs.id, jobId));
    const after = await get(jobPath, { 'if-none-match': before.headers.etag ?? '' });
    expect(after.status).toBe(200);
    expect(after.headers.etag).not.toBe(before.headers.etag);
  });

  test('answers HEAD with its tag alone', async () => {
    const { headers } = await get(jobPath);
    const head = await get(jobPath, {}, 'HEAD');
    expect([head.status, head.headers.etag, head.bytes.length]).toEqual([200, headers.etag, 0]);
    expect(head.headers['content-length']).toBe(headers['content-length']);
    expect((await get(jobPath, { 'if-none-match': headers.etag ?? '' }, 'HEAD')).status).toBe(304);
  });

  test('is never a 304 for callers without access', async () => {
    const { headers } = await get(jobPath);
    const stranger = await plainRequest(api.url + jobPath, { headers: { 'if-none-match': headers.etag ?? '' } });
    expect(stranger.status).toBe(401);
    expect(stranger.headers.etag).toBeUndefined();
    expect(stranger.headers['cache-control']).toBe('no-store');
  });
});

test('caches keep jobs for their caller only, and nothing of keys, pages and health', async () => {
  const { headers } = await get(jobPath);
  expect(headers['cache-control']).toBe('private, no-cache');
  expect(headers.vary).toBe('Accept, Authorization, Cookie, Accept-Encoding');
  expect((await get('/openapi.json')).headers['cache-control']).toBe('no-cache');
  for (const path of [
    '/v1/keys',
    '/v1/me',
    '/v1/me/sessions',
    '/v1/sign-in',
    '/v1/people',
    '/v1/audit',
    '/v1/health',
    '/healthz',
    '/readyz',
    '/',
    '/nothing',
  ]) {
    const answer = await get(path);
    expect([path, answer.headers['cache-control'], answer.headers.etag]).toEqual([path, 'no-store', undefined]);
  }
});

describe('an answer is packed', () => {
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
  const added: string[] = [];
  const sizes: number[] = [];

  test.each(['br', 'gzip'] as const)('with %s where the client takes it, under a tag of its own', async (coding) => {
    const plain = await get('/openapi.json');
    const packed = await get('/openapi.json', { 'accept-encoding': coding });
    expect(packed.headers['content-encoding']).toBe(coding);
    expect(packed.headers.vary).toContain('Accept-Encoding');
    expect(packed.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Number(packed.headers['content-length'])).toBe(packed.bytes.length);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 4);
    expect(unpack[coding](packed.bytes).equals(plain.bytes)).toBe(true);
    expect(packed.headers.etag).toBe(plain.headers.etag?.replace(/"$/, `-${coding}"`));
    const again = await get('/openapi.json', { 'accept-encoding': coding, 'if-none-match': packed.headers.etag ?? '' });
    expect([again.status, again.bytes.length, again.headers['content-encoding']]).toEqual([304, 0, undefined]);
  });

  test.each(['br', 'gzip'] as const)('with %s, however long it is', async (coding) => {
    // Short ones are packed at once, long ones by another thread: the bound lies between these.
    for (const projects of [5, 20, 60, 100]) {
      while (added.length < projects) added.push(await api.addProject());
      const path = `/v1/projects?limit=${projects}`;
      const plain = await get(path);
      const packed = await get(path, { 'accept-encoding': coding });
      expect(plain.bytes.length).toBeGreaterThan(1_024);
      expect(packed.headers['content-encoding']).toBe(coding);
      expect(unpack[coding](packed.bytes).equals(plain.bytes)).toBe(true);
      sizes.push(plain.bytes.length);
    }
    expect(Math.min(...sizes)).toBeLessThan(16_384);
    expect(Math.max(...sizes)).toBeGreaterThan(16_384);
  });

  test('is not used if the client does not accept it, or the body is too small', async () => {
    expect(Buffer.byteLength(JSON.stringify((await api.call(`/v2/agent/${project}/usage`)).json))).toBeLessThan(1_024);
    for (const [path, accepted] of [
      ['/openapi.json', 'identity'],
      ['/openapi.json', 'gzip;q=0, zstd'],
      [`/v2/agent/${project}/usage`, 'gzip, br'],
    ] as const) {
      const answer = await get(path, { 'accept-encoding': accepted });
      expect([path, answer.status, answer.headers['content-encoding']]).toEqual([path, 200, undefined]);
      expect(answer.headers.vary).toContain('Accept-Encoding');
    }
  });

  test('is never used for answers that may hold a new secret', async () => {
    const projectIds = await Promise.all(Array.from({ length: 60 }, () => api.addProject()));
    const answer = await plainRequest(`${api.url}/v1/keys`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api.operatorToken}`,
        'content-type': 'application/json',
        'accept-encoding': 'gzip, br',
      },
      body: JSON.stringify({ name: 'n'.repeat(100), projectIds }),
    });
    expect(answer.status, answer.bytes.toString()).toBe(201);
    expect(answer.bytes.length).toBeGreaterThan(1_024);
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(JSON.parse(answer.bytes.toString())).toMatchObject({ key: expect.stringMatching(/^docent_/) });
  });
});

const patch = (docsDir: string, ifMatch: string) =>
  api.call(`/v1/projects/${project}`, { method: 'PATCH', body: { docsDir }, headers: { 'if-match': ifMatch } });

const newKey = async () =>
  (await api.call('/v1/keys', { body: { name: 'one', projectIds: [project] } })).json.id as string;
async function newWebhook(): Promise<string> {
  const path = `/v1/projects/${project}/webhooks`;
  const { json } = await api.call(path, { body: { url: 'https://example.com/hook' } });
  return `${path}/${json.id}`;
}
let automations = 0;
async function newAutomation(): Promise<string> {
  const path = `/v1/projects/${project}/automations`;
  const { json } = await api.call(path, { body: { name: `Weekly ${(automations += 1)}`, prompt: 'Fix broken links' } });
  return `${path}/${json.id}`;
}
async function newAttachment(): Promise<string> {
  const path = `/v2/agent/${project}/attachments`;
  const headers = { authorization: `Bearer ${api.operatorToken}`, 'content-type': 'application/octet-stream' };
  const answer = await fetch(`${api.url}${path}?filename=notes.txt`, { method: 'POST', headers, body: 'Notes' });
  return `${path}/${((await answer.json()) as { id: string }).id}`;
}
const newPerson = async () => `/v1/people/${(await addPerson(api, { role: 'admin' })).id}`;
async function newHost(): Promise<string> {
  const made = await api.call('/v1/hosts', { body: { id: 'work', kind: 'github', credential: 'credential-0' } });
  expect(made.status, made.text).toBe(201);
  return '/v1/hosts/work';
}

describe('a conditional change', () => {
  test("is made once, and never over another person's change", async () => {
    const read = await get(`/v1/projects/${project}`, { 'accept-encoding': 'gzip' });
    const tag = read.headers.etag ?? '';
    const mine = await patch('guides', tag);
    expect(mine.status, mine.text).toBe(200);
    expect(mine.headers.get('etag')).toBe((await get(`/v1/projects/${project}`)).headers.etag);
    const late = await patch('other', tag);
    expect([late.status, late.json.code]).toEqual([412, 'precondition_failed']);
    expect((await api.call(`/v1/projects/${project}`)).json.docsDir).toBe('guides');
    expect((await patch('docs', mine.headers.get('etag') ?? '')).status).toBe(200);
    expect((await patch('guides', '*')).status).toBe(200);
  });

  const others: [string, string, () => Promise<string>, (no: number) => object][] = [
    ['a job', 'jobs', async () => jobPath, (no) => ({ title: `Title ${no}` })],
    ['a key', 'api_keys', async () => `/v1/keys/${await newKey()}`, (no) => ({ name: `key ${no}` })],
    ['a webhook', 'webhooks', newWebhook, (no) => ({ description: `webhook ${no}` })],
    ['an automation', 'automations', newAutomation, (no) => ({ prompt: `prompt ${no}` })],
    ['a code host', 'code_hosts', newHost, (no) => ({ credential: `credential-${no}` })],
    ['a person', 'people', newPerson, (no) => ({ role: no % 2 ? 'viewer' : 'editor' })],
    ['the model', 'installation', async () => '/v1/model', (no) => ({ model: no % 2 ? 'builtin' : null })],
  ];

  test.each(others)('is not made over what someone else changed: %s', async (_what, table, place, body) => {
    const path = await place();
    const change = (no: number, ifMatch: string, at = api) =>
      at.call(path, {
        method: 'PATCH',
        body: body(no),
        headers: { 'if-match': ifMatch },
        token: at === api ? api.operatorToken : other.operatorToken,
      });
    const tag = (await get(path)).headers.etag ?? '';
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    const mine = await change(1, `"other", W/${tag}`);
    expect(mine.status, mine.text).toBe(200);
    const next = mine.headers.get('etag') ?? '';
    expect(next).toBe((await get(path)).headers.etag);
    expect(next).not.toBe(tag);
    const before = await api.call(path);
    const late = await change(2, tag);
    expect([late.status, late.json.code]).toEqual([412, 'precondition_failed']);
    expect((await api.call(path)).json).toEqual(before.json);
    // At two servers, at once.
    const both = await api.database.db.transaction(async (tx) => {
      // All of them have begun before one can change anything.
      await tx.execute(`SELECT 1 FROM ${table} FOR UPDATE`);
      const answers = [2, 4, 6, 8].map((no) => change(no, next, no % 4 ? api : other));
      await sleep(500);
      return () => Promise.all(answers);
    });
    const statuses = (await both()).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412]);
    expect((await change(1, '*')).status).toBe(200);
    expect((await api.call(path, { method: 'PATCH', body: body(3) })).status).toBe(200);
  });

  const removable: [string, () => Promise<string>][] = [
    ['a project', async () => `/v1/projects/${await api.addProject()}`],
    ['a key', async () => `/v1/keys/${await newKey()}`],
    ['a webhook', newWebhook],
    ['an automation', newAutomation],
    ['an attachment', newAttachment],
    ['a code host', async () => '/v1/hosts/work'],
    ['a person', newPerson],
  ];

  test.each(removable)('is not a removal of what has changed: %s', async (_what, place) => {
    const path = await place();
    const remove = (ifMatch: string) => api.call(path, { method: 'DELETE', headers: { 'if-match': ifMatch } });
    const before = await get(path);
    const stale = await remove('"of-an-earlier-time"');
    expect([stale.status, stale.json.code]).toEqual([412, 'precondition_failed']);
    expect((await get(path)).bytes).toEqual(before.bytes);
    expect([200, 204]).toContain((await remove(`"other", W/${before.headers.etag}`)).status);
    const { status, bytes } = await get(path);
    expect(status === 404 || JSON.parse(bytes.toString()).revokedAt !== null).toBe(true);
  });

  test.each(['sources/x', 'secrets/x'])('is not made where no version is compared: %s', async (rest) => {
    const headers = { 'if-match': '"of-an-earlier-time"' };
    const { status, json } = await api.call(`/v1/projects/${project}/${rest}`, { method: 'DELETE', headers });
    expect([status, json.code, json.param]).toEqual([400, 'bad_request', 'If-Match']);
  });

  test('is made although a key was used in the meantime, and answers with keys are never cached', async () => {
    const { id, key } = (await api.call('/v1/keys', { body: { name: 'used', projectIds: [project] } })).json;
    const tag = (await get(`/v1/keys/${id}`)).headers.etag ?? '';
    await api.call(`/v2/agent/${project}/jobs`, { token: key });
    await expect.poll(async () => (await api.call(`/v1/keys/${id}`)).json.lastUsedAt).not.toBeNull();
    const again = await get(`/v1/keys/${id}`, { 'if-none-match': tag });
    expect([again.status, again.headers.etag, again.headers['cache-control']]).toEqual([200, tag, 'no-store']);
    const change = { method: 'PATCH', body: { name: 'still' }, headers: { 'if-match': tag } };
    expect((await api.call(`/v1/keys/${id}`, change)).status).toBe(200);
  });

  test('is made by one of two simultaneous requests', async () => {
    const { headers } = await get(`/v1/projects/${project}`);
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((docsDir) => patch(docsDir, headers.etag ?? '')));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412]);
  });
});
