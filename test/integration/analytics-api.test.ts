import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '@docent/base/time';
import { Analytics } from '../../src/analytics/analytics.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { createLogger } from '../../src/platform/log.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { readerFeedback, readerSearches } from '../../src/store/analytics/reader-reports-schema.ts';
import { recordCheckRound } from '../../src/store/jobs/check-rounds.ts';
import { noteTags } from '../../src/store/analytics/annotations.ts';
import { savePullRequest } from '../../src/store/pull-requests/pull-requests.ts';
import { pullRequests, turns } from '../../src/store/schema.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { brutePage, type KnownEvent } from '../support/brute-count.ts';
import { commandEnv } from '../support/command.ts';
import { runInside } from '../support/run-inside.ts';

const DAY = '2026-11-18';
const CHATGPT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)';

let api: TestApi;
let folder: string;
const analytics: Analytics[] = [];
const databases: Database[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docent-analytics-api-'));
  api = await startTestApi({ deps: async ({ url }) => ({ analytics: await openAnalytics(url) }) });
});
afterAll(async () => {
  for (const each of analytics) await each.close();
  for (const each of databases) await each.close();
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

async function openAnalytics(url = api.database.url): Promise<Analytics> {
  const database = openDatabase(url);
  databases.push(database);
  const log = createLogger({ level: 'fatal', name: 'analytics' });
  const opened = await Analytics.open({ database, folder: new AnalyticsFolder(folder), log, sealAfterMs: 200 });
  analytics.push(opened);
  return opened;
}

const at = (time: string) => `${DAY}T${time}Z`;
const view = (visitorId: string, page: string, more: object = {}) => ({
  timestamp: at('10:00:00'),
  path: page,
  visitorId,
  ...more,
});

async function send(project: string, events: unknown[]) {
  const answer = await api.call(`/v1/analytics/${project}/events`, { body: { events } });
  expect(answer.status, answer.text).toBe(202);
  await analytics[0]!.ingestor.flush();
  return answer.json;
}

describe('events and counts', () => {
  test('totals and pages, people and agents, and a visitor who is both counts once', async () => {
    const project = await api.addProject();
    const sent = await send(project, [
      view('ada', '/start'),
      view('ada', '/start/?utm=1'),
      view('ada', 'https://docs.example.com/guide#top'),
      view('ada', '/start', { class: 'assistant' }),
      view('bob', '/guide.md'),
      { timestamp: at('11:00:00'), path: '/start', ip: '198.51.100.7', userAgent: FIREFOX },
      { timestamp: at('11:00:00'), path: '/start', ip: '104.208.184.193', userAgent: CHATGPT },
      { timestamp: at('11:00:00'), path: '/start', ip: '132.196.86.1', userAgent: GPTBOT },
      { timestamp: at('11:01:00'), path: '/start', ip: '132.196.86.1', userAgent: GPTBOT },
      { timestamp: at('11:00:00'), path: '/start', ip: '198.51.100.8', userAgent: GPTBOT },
      view('gpt', '/start', { userAgent: GPTBOT }),
      view('eve', '/gone', { notFound: true, referrer: 'https://old.example.com/list' }),
    ]);
    expect(sent).toEqual({ accepted: 12, duplicates: 0, rejected: [], rejectedCount: 0 });
    const { json } = await api.call(`/v1/analytics/${project}/visitors?dateFrom=${DAY}`);
    expect(json).toMatchObject({
      totals: { human: 2, ai: 3, total: 4 },
      visitors: [
        { path: '/start', human: 2, ai: 2, total: 3 },
        { path: '/guide', human: 1, ai: 1, total: 2 },
      ],
      hasMore: false,
    });
    const views = await api.call(`/v1/analytics/${project}/views`);
    expect(views.json).toMatchObject({
      totals: { human: 4, ai: 3, total: 7 },
      views: [
        { path: '/start', human: 3, ai: 2, total: 5 },
        { path: '/guide', human: 1, ai: 1, total: 2 },
      ],
    });
    const agents = await api.call(`/v1/analytics/${project}/agents`);
    const none = { visitors: 0, views: 0 };
    const one = { visitors: 1, views: 1 };
    const chatGpt = { agent: 'ChatGPT-User', operator: 'OpenAI', class: 'assistant' };
    const gptBot = { agent: 'GPTBot', operator: 'OpenAI' };
    const two = { visitors: 1, views: 2 };
    expect(agents.json.agents).toEqual(
      expect.arrayContaining([
        { ...chatGpt, ...one, verified: one, failed: none, unknown: none },
        { ...gptBot, class: 'training', visitors: 2, views: 3, verified: two, failed: none, unknown: one },
        { ...gptBot, class: 'other', ...one, verified: none, failed: one, unknown: none },
      ]),
    );
    const table = await api.call(`/v1/analytics/${project}/agents`, { headers: { Accept: 'text/csv' } });
    expect(table.text).toContain('GPTBot,OpenAI,training,2,3,1,2,0,0,1,1');
    const missing = await api.call(`/v1/analytics/${project}/not-found`);
    expect(missing.json.notFound).toEqual([
      { path: '/gone', count: 1, referrer: 'old.example.com', lastSeen: `${DAY}T10:00:00.000Z` },
    ]);
    const days = await api.call(`/v1/analytics/${project}/timeseries`);
    expect(days.json.days).toEqual([
      { date: DAY, visitors: { human: 2, ai: 3, total: 4 }, views: { human: 4, ai: 3, total: 7 } },
    ]);
  });

  test('a range is half-open, to the millisecond, and a date is midnight UTC', async () => {
    const project = await api.addProject();
    await send(project, [
      view('a', '/', { timestamp: '2026-11-16T23:59:59.999Z' }),
      view('b', '/', { timestamp: '2026-11-17T00:00:00.000Z' }),
      view('c', '/', { timestamp: '2026-11-17T12:00:00.000+02:00' }),
      view('d', '/', { timestamp: Date.UTC(2026, 10, 18) }),
    ]);
    const total = async (query: string) =>
      (await api.call(`/v1/analytics/${project}/visitors?${query}`)).json.totals.total;
    expect(await total('dateFrom=2026-11-17&dateTo=2026-11-18')).toBe(2);
    expect(await total('dateFrom=2026-11-17T10:00:00Z')).toBe(2);
    expect(await total('dateFrom=2026-11-17T12:00:00%2B02:00&dateTo=2026-11-18')).toBe(1);
    expect(await total('dateTo=2026-11-17T00:00:00.001Z')).toBe(2);
    expect(await total('dateFrom=2026-11-17&dateTo=2026-11-17')).toBe(0);
    expect(await total('dateFrom=0001-01-01&dateTo=9999-12-31')).toBe(4);
  });

  test('pages of one listing match while events arrive, over two servers', async () => {
    const project = await api.addProject();
    await send(
      project,
      Array.from({ length: 5 }, (_, i) => view(`v${i}`, `/p${i}`)),
    );
    const first = await api.call(`/v1/analytics/${project}/visitors?limit=2`);
    expect(first.json).toMatchObject({ hasMore: true });
    await send(project, [view('new', '/p4'), view('newer', '/p4')]);
    const second = await api.call(`/v1/analytics/${project}/visitors?limit=2&offset=2`);
    const third = await api.call(`/v1/analytics/${project}/visitors?limit=2&offset=4&version=${first.json.version}`);
    const paths = [first, second, third].flatMap(({ json }) => json.visitors.map((row: { path: string }) => row.path));
    expect(paths).toEqual(['/p0', '/p1', '/p2', '/p3', '/p4']);
    expect(third.json).toMatchObject({ hasMore: false, version: first.json.version });
    const now = await api.call(`/v1/analytics/${project}/visitors?limit=1`);
    expect(now.json.visitors[0]).toEqual({ path: '/p4', human: 3, ai: 0, total: 3 });
  });

  test('a repeat counts once: by id, by idempotency key, even on another server', async () => {
    const project = await api.addProject();
    const events = [view('a', '/', { id: 'one' }), view('a', '/', { id: 'two' }), view('a', '/', { id: 'one' })];
    expect(await send(project, events)).toMatchObject({ accepted: 2, duplicates: 1 });
    expect(await send(project, events)).toMatchObject({ accepted: 0, duplicates: 3 });
    const other = await openAnalytics();
    expect(await other.ingestor.ingest(project, events)).toMatchObject({ accepted: 2 });
    await other.ingestor.flush();
    for (let i = 0; i < 2; i += 1) {
      await api.call(`/v1/analytics/${project}/events`, {
        body: { events: [view('b', '/'), view('b', '/')] },
        headers: { 'idempotency-key': 'batch-1' },
      });
    }
    await analytics[0]!.ingestor.flush();
    const { json } = await api.call(`/v1/analytics/${project}/views`);
    expect(json.totals).toEqual({ human: 4, ai: 0, total: 4 });
  });

  test('within five seconds of the answer it shows', async () => {
    const project = await api.addProject();
    await api.call(`/v1/analytics/${project}/events`, { body: { events: [view('a', '/')] } });
    await expect.poll(async () => (await api.call(`/v1/analytics/${project}/visitors`)).json.totals.total).toBe(1);
  });

  test('NDJSON, packed or not, with lines that are not events', async () => {
    const project = await api.addProject();
    const lines = [
      JSON.stringify(view('a', '/')),
      'no json',
      '',
      JSON.stringify({ ...view('b', '/'), timestamp: '2024-02-30' }),
      JSON.stringify(view('c', '/')),
    ].join('\n');
    for (const body of [lines, gzipSync(lines)]) {
      const response = await fetch(`${api.url}/v1/analytics/${project}/events`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${api.operatorToken}`,
          'content-type': 'application/x-ndjson',
          'idempotency-key': 'same',
          ...(typeof body === 'string' ? {} : { 'content-encoding': 'gzip' }),
        },
        body: body as never,
      });
      expect(response.status).toBe(202);
      expect(await response.json()).toMatchObject({ rejectedCount: 2, rejected: [{ index: 1 }, { index: 2 }] });
    }
    await analytics[0]!.ingestor.flush();
    const { json } = await api.call(`/v1/analytics/${project}/views`);
    expect(json.totals.total).toBe(2);
  });

  test('a rejected line has its reason, and a long one its length', async () => {
    const project = await api.addProject();
    const lines = [
      JSON.stringify({ ...view('a', '/'), userAgent: 'x'.repeat(70_000) }),
      '{"path":',
      '"\xff"',
      '['.repeat(70) + ']'.repeat(70),
      '[]',
      JSON.stringify(view('b', '/')),
    ];
    const response = await fetch(`${api.url}/v1/analytics/${project}/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.operatorToken}`, 'content-type': 'application/x-ndjson' },
      body: Buffer.from(lines.join('\n'), 'latin1'),
    });
    const { accepted, rejected } = (await response.json()) as { accepted: number; rejected: { error: string }[] };
    expect([accepted, ...rejected.map(({ error }) => error)]).toEqual([
      1,
      'The line has more than 65,536 bytes.',
      'The line is not valid JSON.',
      'The line is not UTF-8.',
      'The line has more than 64 levels of nested lists and objects.',
      'An event must be an object.',
    ]);
  });

  test('truncated CSV reports that, and where the rest is', async () => {
    const project = await api.addProject();
    await send(
      project,
      ['/a', '/b', '/c'].map((path) => view('a', path)),
    );
    const ask = (query: string, route = 'visitors') =>
      api.call(`/v1/analytics/${project}/${route}${query}`, { headers: { accept: 'text/csv' } });
    const first = await ask('?limit=2&dateFrom=2020-01-01');
    expect(first.text.split('\r\n')).toHaveLength(4);
    expect(first.headers.get('x-has-more')).toBe('true');
    const next = /^<(\?[^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const rest = await ask(next);
    expect(rest.text).toBe('path,human,ai,total\r\n/c,1,0,1\r\n');
    expect([rest.headers.get('x-has-more'), rest.headers.get('link')]).toEqual(['false', null]);
    for (const route of ['views', 'referrers', 'not-found'])
      expect((await ask('', route)).headers.get('x-has-more')).toBe('false');
  });

  test('rows as CSV, and no text of a stranger is a formula', async () => {
    const project = await api.addProject();
    await send(project, [view('a', '/a,"b"')]);
    const csv = await api.call(`/v1/analytics/${project}/visitors`, { headers: { accept: 'text/csv' } });
    expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(csv.text).toBe('path,human,ai,total\r\n"/a,""b""",1,0,1\r\n');
  });
});

describe('access', () => {
  test('each scope opens only its own half', async () => {
    const project = await api.addProject();
    const body = { events: [view('a', '/')] };
    const statuses = async (scopes: ('read' | 'write' | 'events' | 'analytics')[]) => {
      const token = await api.addKey({ scopes });
      const read = await api.call(`/v1/analytics/${project}/visitors`, { token });
      const write = await api.call(`/v1/analytics/${project}/events`, { token, body });
      const job = await api.call(`/v2/agent/${project}/jobs`, { token });
      return [read.status, write.status, job.status];
    };
    expect(await statuses(['read'])).toEqual([200, 403, 200]);
    expect(await statuses(['write'])).toEqual([200, 202, 200]);
    expect(await statuses(['events'])).toEqual([403, 202, 403]);
    expect(await statuses(['analytics'])).toEqual([200, 403, 403]);
  });
});

describe('bad input is answered in kind', () => {
  test.each([
    'dateFrom=2024-02-30',
    'dateFrom=2026-W45',
    'dateFrom=2026-305',
    'dateFrom=2026-11',
    'dateTo=2026-11-01T24:01',
    'dateFrom=yesterday',
    'dateFrom=0000-01-01',
    'dateFrom=2026-11-19&dateTo=2026-11-18',
    'limit=50.5',
    'limit=0',
    'limit=251',
    'limit=-1',
    'limit=1e2',
    'limit=99999999999999999999',
    'offset=-1',
    'dateFrom=%00',
    'version=x',
  ])('%s', async (query) => {
    const project = await api.addProject();
    const answer = await api.call(`/v1/analytics/${project}/visitors?${query}`);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.json.code).toBe('bad_request');
  });

  test.each([
    'dateFrom=20261101',
    'dateTo=2030-11-18T24:00:00Z',
    'dateFrom=',
    'dateFrom=&dateTo=',
    'limit=50.0&offset=0.0',
  ])('%s is taken as generated clients mean it', async (query) => {
    const project = await api.addProject();
    await send(project, [view('a', '/')]);
    const answer = await api.call(`/v1/analytics/${project}/visitors?${query}`);
    expect(answer.json, answer.text).toMatchObject({ totals: { total: 1 } });
  });

  test('an offset beyond everything is an empty page', async () => {
    const project = await api.addProject();
    await send(project, [view('a', '/')]);
    const answer = await api.call(`/v1/analytics/${project}/visitors?offset=999999999999999`);
    expect(answer.json).toMatchObject({ totals: { total: 1 }, visitors: [], hasMore: false });
  });

  test('a version that never was is gone', async () => {
    const project = await api.addProject();
    const answer = await api.call(`/v1/analytics/${project}/visitors?version=77`);
    expect([answer.status, answer.json.code]).toEqual([410, 'version_gone']);
  });

  test('an unknown project is 404, for reading and for sending', async () => {
    for (const call of [{}, { body: { events: [view('a', '/')] } }]) {
      const answer = await api.call(`/v1/analytics/nobody/${'body' in call ? 'events' : 'visitors'}`, call);
      expect([answer.status, answer.json.code]).toEqual([404, 'project_not_found']);
    }
  });

  test('each event that cannot be taken is named, and the others count', async () => {
    const project = await api.addProject();
    const bad: unknown[] = [
      null,
      7,
      {},
      view('a', ''),
      view('a', '/x'.repeat(600_000)),
      view('', '/'),
      { ...view('a', '/'), timestamp: '0001-01-01T00:00:00Z' },
      { ...view('a', '/'), timestamp: '9999-12-31T00:00:00Z' },
      { ...view('a', '/'), timestamp: Date.now() + 2 * 86_400_000 },
      { ...view('a', '/'), timestamp: Number.MAX_VALUE },
      { timestamp: at('10:00:00'), path: '/', ip: '999.1.1.1', userAgent: 'x' },
      view('a', '/\u0000'),
      view('\ud800', '/'),
      { ...view('a', '/'), class: 'robot' },
      { ...view('a', '/'), id: 'x'.repeat(256) },
    ];
    const sent = await send(project, [...bad, view('good', '/')]);
    expect(sent.accepted).toBe(1);
    expect(sent.rejected.map((item: { index: number }) => item.index)).toEqual(bad.map((_, index) => index));
    expect(JSON.stringify(sent)).not.toContain('999.1.1.1');
  });

  test.each([
    ['{"events":[]}', 'application/json', 400],
    ['{"events":5}', 'application/json', 400],
    [`{"events":[${Array.from({ length: 1_001 }, () => '{}').join(',')}]}`, 'application/json', 400],
    ['{', 'application/json', 400],
    ['a,b', 'text/csv', 415],
    ['{"events":[]}', 'application/json; charset=utf-16', 415],
    ['{}', 'application/x-ndjson; charset="ISO-8859-1"', 415],
  ])('a body %#', async (body, type, status) => {
    const project = await api.addProject();
    const answer = await api.call(`/v1/analytics/${project}/events`, { body, headers: { 'content-type': type } });
    expect(answer.status, answer.text).toBe(status);
  });

  test('a gzip bomb is 413, before it is unpacked', async () => {
    const project = await api.addProject();
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    const before = process.memoryUsage().rss;
    const response = await fetch(`${api.url}/v1/analytics/${project}/events`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api.operatorToken}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body: bomb as never,
    });
    expect(response.status).toBe(413);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });
});

describe('annotations', () => {
  test('are listed with merged pull requests, newest first, within a range, until they are deleted', async () => {
    const project = await api.addProject();
    const url = `/v1/analytics/${project}/annotations`;
    const add = (body: object, headers = {}) => api.call(url, { body, headers });
    const first = await add({ text: 'Version 1.0 <b>', at: '2026-10-01' });
    expect(first.status).toBe(201);
    const second = await add({ text: 'Version 2.0', at: '2026-11-01T08:30:00+01:00' }, { 'Idempotency-Key': 'v2' });
    const again = await add({ text: 'Version 2.0', at: '2026-11-01T08:30:00+01:00' }, { 'Idempotency-Key': 'v2' });
    expect(again.json).toEqual(second.json);
    const { jobId } = await mergedPullRequest(project, 'Explain version 2.0', new Date('2026-11-02T10:00:00Z'));
    const pull = { id: null, at: '2026-11-02T10:00:00.000Z', text: 'Explain version 2.0', kind: 'pull-request', jobId };
    const own = { kind: 'own', jobId: null };
    const release = { id: second.json.id, at: '2026-11-01T07:30:00.000Z', text: 'Version 2.0', ...own };
    const old = { id: first.json.id, at: '2026-10-01T00:00:00.000Z', text: 'Version 1.0 <b>', ...own };
    const list = async (query = '') => (await api.call(`${url}?${query}`)).json;
    expect(await list()).toEqual({ annotations: [pull, release, old], hasMore: false });
    expect(await list('limit=1')).toEqual({ annotations: [pull], hasMore: true });
    expect(await list('dateFrom=2026-10-01T00:00:00.001Z&dateTo=2026-11-02T10:00:00Z')).toEqual({
      annotations: [release],
      hasMore: false,
    });
    const elsewhere = `/v1/analytics/${await api.addProject()}/annotations/${old.id}`;
    expect((await api.call(elsewhere, { method: 'DELETE' })).json.code).toBe('annotation_not_found');
    expect((await api.call(`${url}/${old.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await api.call(`${url}/${old.id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await list()).annotations).toEqual([pull, release]);
  });

  test.each([{ text: '' }, { text: 'a\nb' }, { text: 'a', at: 'soon' }, { text: 'a'.repeat(201) }, {}])(
    'what is no annotation is refused: %j',
    async (body) => {
      const { status, json } = await api.call(`/v1/analytics/${await api.addProject()}/annotations`, { body });
      expect([status, json.code]).toEqual([400, 'bad_request']);
    },
  );

  test('new tags of the repository and of sources are marked once, and earlier ones are not', async () => {
    const project = await api.addProject();
    const { db } = api.database;
    const note = (tags: string[], more: { name?: string; repository?: string } = {}) => {
      const place = { projectId: project, name: '.', host: 'local', repository: '/srv/docs', repositoryId: null };
      return db.transaction((tx) => noteTags(tx, { ...place, ...more }, tags));
    };
    const marks = async () =>
      (await api.call(`/v1/analytics/${project}/annotations`)).json.annotations as Record<string, string>[];
    expect(await note(['v1'])).toBe(0);
    expect(await note(['v1'], { name: 'server' })).toBe(0);
    expect(await Promise.all([note(['v1', 'v2']), note(['v1', 'v2'])])).toEqual(expect.arrayContaining([1, 0]));
    expect(await note(['v1', 'v2.1'], { name: 'server' })).toBe(1);
    expect((await marks()).map(({ text, kind }) => `${kind} ${text}`).toSorted()).toEqual([
      'release server v2.1',
      'release v2',
    ]);
    // A deleted mark stays away, as do the tags of another repository that takes the place.
    const id = (await marks()).find(({ text }) => text === 'v2')!.id;
    expect((await api.call(`/v1/analytics/${project}/annotations/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await note(['v1', 'v2'])).toBe(0);
    expect(await note(['v1', 'v2', 'v3'], { repository: '/srv/other' })).toBe(0);
    expect(await marks()).toHaveLength(1);
  });

  test('docent analytics annotations adds, lists and removes them', async () => {
    const project = await api.addProject();
    const env = commandEnv(folder, { DOCENT_URL: api.url, DOCENT_OPERATOR_TOKEN: api.operatorToken });
    const annotations = async (...args: string[]) => {
      const { stdout } = await runInside(['analytics', 'annotations', ...args, '--project', project], env);
      return stdout;
    };
    const added = JSON.parse(await annotations('add', 'Version 3.0', '--at', '2026-11-20', '--json')) as { id: string };
    expect(await annotations()).toMatch(new RegExp(`${added.id} +2026-11-20.* +Version 3.0`));
    await annotations('remove', added.id);
    expect(await annotations()).toContain('No annotations');
  });
});

test('docent analytics share creates, lists and deletes links', async () => {
  const project = await api.addProject();
  const env = commandEnv(folder, { DOCENT_URL: api.url, DOCENT_OPERATOR_TOKEN: api.operatorToken });
  const share = async (...args: string[]) => {
    const { stdout, code } = await runInside(['analytics', 'share', ...args, '--project', project], env);
    expect(code, stdout).toBe(0);
    return stdout;
  };
  const secretFile = path.join(folder, 'share-password');
  await writeFile(secretFile, 'a long password\n');
  const made = await share('create', 'Team', '--expires', '7d', '--password', secretFile, '--json');
  const { id, url, hasPassword } = JSON.parse(made) as { id: string; url: string; hasPassword: boolean };
  expect(hasPassword).toBe(true);
  const body = { secret: new URL(url).hash.slice(1), password: 'a long password' };
  const opened = await api.call('/v1/share-links/open', { body, token: null });
  const visitors = await api.call(`/v1/analytics/${project}/visitors`, { token: opened.json.token });
  expect([visitors.status, visitors.json.totals]).toEqual([200, { human: 0, ai: 0, total: 0 }]);
  expect(await share()).toMatch(new RegExp(`${id} +Team +yes`));
  await share('delete', id, '--yes');
  expect(await share()).toContain('No share links yet');
});

/** A job with a pull request that was merged. */
async function mergedPullRequest(projectId: string, title: string, settledAt: Date | null) {
  const { db } = api.database;
  const job = await api.call(`/v2/agent/${projectId}/job`, { body: { prompt: title } });
  const jobId: string = job.json.id;
  const at = { projectId, jobId, chainNo: 1, repository: '/tmp/nowhere', headBranch: `docent/${jobId}` };
  const written = { baseBranch: 'main', title, body: '', headCommit: 'a'.repeat(40), diff: '', commits: [] };
  const { id } = await savePullRequest(db, { ...at, ...written });
  await db.update(pullRequests).set({ state: 'merged', settledAt }).where(eq(pullRequests.id, id));
  return { jobId, prId: id };
}

describe('the effect of a pull request', () => {
  const NOW = Date.now();
  const READERS = { '/begin': 4, '/guides/start': 9, '/other': 5 };
  const HOSTS = Object.keys(READERS) as (keyof typeof READERS)[];
  /** Events of 90 days: each hour, one of a few visitors comes to a page or finds none. */
  const events = Array.from({ length: 90 * 24 }, (_, hour): KnownEvent & { who: object } => {
    const page = HOSTS[(hour * 7) % HOSTS.length]!;
    const isAi = hour % 5 === 0;
    return {
      id: `effect-${hour}`,
      time: NOW - hour * 3_600_000,
      path: page,
      visitor: `${isAi ? 'ai' : 'human'}-${(hour * hour) % READERS[page]}-${hour % 31}`,
      class: isAi ? 'assistant' : 'human',
      notFound: hour % 11 === 0,
      who: isAi ? { class: 'assistant' } : {},
    };
  });
  let project: string;
  let jobId: string;
  let prId: string;
  const effect = (id = prId) => api.call(`/v1/projects/${project}/pull-requests/${id}/effect`);
  const mergeAt = (days: number) =>
    api.database.db
      .update(pullRequests)
      .set({ state: 'merged', settledAt: new Date(NOW - days * DAY_MS - 12_345_000) })
      .where(eq(pullRequests.id, prId));

  beforeAll(async () => {
    const { db } = api.database;
    project = await api.addProject();
    for (let from = 0; from < events.length; from += 500) {
      await send(
        project,
        events.slice(from, from + 500).map(({ id, time, path: page, visitor, notFound, who }) => ({
          id,
          timestamp: new Date(time).toISOString(),
          path: page,
          visitorId: visitor,
          notFound,
          ...who,
        })),
      );
    }
    ({ jobId, prId } = await mergedPullRequest(project, 'Move the start', null));
    const commit = 'a'.repeat(40);
    await db.insert(turns).values({ jobId, no: 1, state: 'published', commitTime: new Date(), commit });
    const addresses = [
      { path: 'docs/begin.mdx', addresses: ['/begin', '/guides/start/'] },
      { path: 'docs/other.mdx', addresses: ['/other'] },
      { path: 'docs/unread.mdx', addresses: ['/unread'] },
    ];
    const round = { pages: 3, site: 'plain', problems: [], earlierProblems: 0, notes: [], secrets: [], told: false };
    await recordCheckRound(db, { jobId, turnNo: 1, stepNo: 1, ...round, addresses });
    const said = [20, 45, 50].map((days) => new Date(NOW - days * DAY_MS));
    for (const createdAt of said) {
      const words = { projectId: project, visitor: null, createdAt };
      await db.insert(readerSearches).values([
        { ...words, query: 'begin', clickedPath: '/guides/start' },
        { ...words, query: 'begin', clickedPath: null },
      ]);
      const ofPage = { ...words, path: '/other', source: 'thumbs_only' as const };
      await db.insert(readerFeedback).values([
        { ...ofPage, id: `fb_no_${createdAt.getTime()}`, helpful: false },
        { ...ofPage, id: `fb_yes_${createdAt.getTime()}`, helpful: true },
      ]);
    }
  });

  test('is what a person would count before and after the merge, with the pages that moved', async () => {
    await mergeAt(40);
    const { status, json } = await effect();
    expect(status).toBe(200);
    const at = NOW - 40 * DAY_MS - 12_345_000;
    const both = (addresses: string[]) => ({
      before: brutePage(events, addresses, { from: at - 28 * DAY_MS, to: at }),
      after: brutePage(events, addresses, { from: at, to: at + 28 * DAY_MS }),
    });
    const [begin, other] = [both(['/begin', '/guides/start']), both(['/other'])];
    const quiet = { searches: 0, negativeFeedback: 0 };
    const nothing = { human: 0, ai: 0, notFound: 0, ...quiet };
    expect(json.mergedAt).toBe(new Date(at).toISOString());
    expect(json.window).toMatchObject({ days: 28, complete: true, after: { complete: true } });
    expect(json.pages).toEqual([
      {
        path: '/begin',
        file: 'docs/begin.mdx',
        movedFrom: ['/guides/start'],
        before: { ...begin.before, ...quiet, searches: 2 },
        after: { ...begin.after, ...quiet, searches: 1 },
      },
      {
        path: '/other',
        file: 'docs/other.mdx',
        movedFrom: [],
        before: { ...other.before, ...quiet, negativeFeedback: 2 },
        after: { ...other.after, ...quiet, negativeFeedback: 1 },
      },
      { path: '/unread', file: 'docs/unread.mdx', movedFrom: [], before: nothing, after: nothing },
    ]);
  });

  test('says which window is incomplete: after a young merge, and before the first page views', async () => {
    await mergeAt(10);
    const young = (await effect()).json.window;
    expect([young.complete, young.before.complete, young.after.complete]).toEqual([false, true, false]);
    await mergeAt(75);
    const old = (await effect()).json.window;
    expect([old.complete, old.before.complete, old.after.complete]).toEqual([false, false, true]);
  });

  test('is not there for an open pull request, and for another project', async () => {
    await api.database.db.update(pullRequests).set({ state: 'open', settledAt: null }).where(eq(pullRequests.id, prId));
    const open = await effect();
    expect([open.status, open.json.code]).toEqual([409, 'pull_request_not_merged']);
    await mergeAt(40);
    const other = await api.addProject();
    const elsewhere = await api.call(`/v1/projects/${other}/pull-requests/${prId}/effect`);
    expect([elsewhere.status, elsewhere.json.code]).toEqual([404, 'pull_request_not_found']);
  });

  test('counts a site below a path there, once the project names the path', async () => {
    const below = await api.addProject();
    const mergedAt = new Date(NOW - 5 * DAY_MS);
    const { prId: id } = await mergedPullRequest(below, 'Explain the start', mergedAt);
    const diff =
      'diff --git a/docs/start.mdx b/docs/start.mdx\n--- a/docs/start.mdx\n+++ b/docs/start.mdx\n@@ -1 +1 @@\n-a\n+b\n';
    await api.database.db.update(pullRequests).set({ diff }).where(eq(pullRequests.id, id));
    const timestamp = new Date(NOW - 6 * DAY_MS).toISOString();
    await send(
      below,
      ['a', 'b', 'c'].map((visitorId) => ({ timestamp, path: '/docs/start', visitorId })),
    );
    const pages = async () => (await api.call(`/v1/projects/${below}/pull-requests/${id}/effect`)).json.pages;
    expect(await pages()).toMatchObject([{ path: '/start', before: { human: 0 } }]);
    const body = { settings: { analyticsPathPrefix: '/docs' } };
    expect((await api.call(`/v1/projects/${below}`, { method: 'PATCH', body })).status).toBe(200);
    expect(await pages()).toMatchObject([{ path: '/docs/start', before: { human: 3 }, after: { human: 0 } }]);
  });

  test('docent pr effect prints both windows of each page', async () => {
    await mergeAt(10);
    const env = commandEnv(folder, { DOCENT_URL: api.url, DOCENT_OPERATOR_TOKEN: api.operatorToken });
    const { stdout, code } = await runInside(['pr', 'effect', jobId, '--project', project], env);
    expect(code).toBe(0);
    expect(stdout).toMatch(/28 days after are not counted to their end/);
    expect(stdout).toMatch(/\d+ → \d+ +\d+ → \d+ .*\/begin/);
  });
});

test('no address reaches the disk or the log', async () => {
  const project = await api.addProject();
  const ips = ['203.0.113.77', '2001:db8::7777'];
  await send(
    project,
    [...ips, '300.1.2.3'].map((ip) => ({ timestamp: at('10:00:00'), path: '/', ip, userAgent: FIREFOX })),
  );
  const found: string[] = [];
  for (const name of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const bytes = await readFile(path.join(name.parentPath, name.name));
    if ([...ips, '300.1.2.3'].some((ip) => bytes.includes(ip))) found.push(name.name);
  }
  expect(found).toEqual([]);
  expect([...ips, '300.1.2.3'].filter((ip) => api.logged().includes(ip))).toEqual([]);
});
