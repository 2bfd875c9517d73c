import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Analytics } from '../../src/analytics/analytics.ts';
import { clientSource } from '../../src/analytics/events/visitor.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { dropBefore, eraseVisitor } from '../../src/analytics/maintenance/erase.ts';
import { createLogger } from '../../src/platform/log.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { readerFeedback, readerSearches } from '../../src/store/analytics/reader-reports-schema.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { callAsHosted } from '../support/hosted-service.ts';

const SITE = 'https://docs.example.com';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
const log = createLogger({ level: 'fatal', name: 'analytics' });

let api: TestApi;
let folder: AnalyticsFolder;
let analytics: Analytics;
let database: Database;
let home: string;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'docent-words-'));
  folder = new AnalyticsFolder(home);
  api = await startTestApi({
    config: { trustedProxies: ['127.0.0.1'], viewsPerMinute: 20, feedbackPerMinute: 12, searchesPerMinute: 12 },
    deps: async ({ url }) => {
      database = openDatabase(url);
      analytics = await Analytics.open({ database, folder, log });
      return { analytics };
    },
  });
});
afterAll(async () => {
  await analytics?.close();
  await database?.close();
  await api?.close();
  await rm(home, { recursive: true, force: true });
});

let readers = 0;

/** Sends what the page script sends, as its own reader unless one is named. */
function say(
  project: string,
  what: 'feedback' | 'search',
  words: object | string,
  { origin = SITE, from }: { origin?: string | null; from?: string } = {},
) {
  readers += 1;
  return api.call(`/${project}/${what}`, {
    token: null,
    method: 'POST',
    body: typeof words === 'string' ? words : JSON.stringify({ url: `${SITE}/guides/start`, ...words }),
    headers: {
      'content-type': 'text/plain;charset=UTF-8',
      'x-forwarded-for': from ?? `198.51.${readers >> 8}.${readers & 255}`,
      'user-agent': BROWSER,
      ...(origin === null ? {} : { origin }),
    },
  });
}

const PATHS = {
  feedback: '/v1/analytics/{projectId}/feedback',
  byPage: '/v1/analytics/{projectId}/feedback/by-page',
  searches: '/v1/analytics/{projectId}/searches',
};
const ask = async (projectId: string, what: keyof typeof PATHS, query = '') =>
  (await callAsHosted(api, 'GET', PATHS[what], { projectId }, { query })).json;
const outcome = (answer: { status: number; json: { code: string } }) => [answer.status, answer.json.code];

describe('feedback', () => {
  test('is given back in the hosted service’s form, by entry and by page', async () => {
    const project = await api.addProject();
    const said = [
      { helpful: true },
      { helpful: false, comment: 'The second step fails.', contact: 'reader@example.org' },
      { code: 'npm i docent', comment: 'Which version?', filename: 'shell', lang: 'bash' },
      { url: `${SITE}/faq/?x=1#y`, helpful: true, comment: 'Thanks' },
    ];
    for (const words of said) {
      const answer = await say(project, 'feedback', words);
      expect([answer.status, answer.json]).toEqual([202, { accepted: 1 }]);
      expect(answer.headers.get('access-control-allow-origin')).toBe(SITE);
    }
    const { feedback, hasMore, nextCursor } = await ask(project, 'feedback');
    expect([hasMore, nextCursor]).toEqual([false, null]);
    const entry = {
      id: expect.stringMatching(/^fb_/),
      path: '/guides/start',
      createdAt: expect.any(String),
      status: 'pending',
      notes: null,
    };
    expect(feedback).toEqual([
      { ...entry, path: '/faq', source: 'contextual', helpful: true, comment: 'Thanks', contact: null },
      {
        ...entry,
        source: 'code_snippet',
        comment: 'Which version?',
        code: 'npm i docent',
        filename: 'shell',
        lang: 'bash',
      },
      {
        ...entry,
        source: 'contextual',
        helpful: false,
        comment: 'The second step fails.',
        contact: 'reader@example.org',
      },
      { ...entry, source: 'thumbs_only', helpful: true, comment: null },
    ]);
    expect(await ask(project, 'byPage')).toEqual({
      feedback: [
        { path: '/guides/start', thumbsUp: 1, thumbsDown: 1, code: 1, total: 3 },
        { path: '/faq', thumbsUp: 1, thumbsDown: 0, code: 0, total: 1 },
      ],
      hasMore: false,
    });
    expect((await ask(project, 'byPage', '?limit=1')).hasMore).toBe(true);
    const pages = [];
    let cursor: string | null = null;
    do {
      const page: { feedback: { id: string }[]; nextCursor: string | null } = await ask(
        project,
        'feedback',
        `?limit=1${cursor ? `&cursor=${cursor}` : ''}`,
      );
      pages.push(...page.feedback);
      cursor = page.nextCursor;
    } while (cursor);
    expect(pages).toEqual(feedback);
    expect((await ask(project, 'feedback', '?source=thumbs_only')).feedback).toHaveLength(1);
    expect((await ask(project, 'feedback', '?status=pending,resolved')).feedback).toHaveLength(4);
    expect((await ask(project, 'feedback', '?status=resolved')).feedback).toEqual([]);
    expect((await ask(project, 'feedback', '?dateTo=2020-01-01')).feedback).toEqual([]);
    expect((await ask(project, 'byPage', '?dateFrom=2020-01-01')).feedback).toHaveLength(2);
    for (const query of ['?status=open', '?source=x', '?limit=0', '?limit=101', '?cursor=%21', '?dateFrom=x']) {
      expect((await ask(project, 'feedback', query)).error).toEqual(expect.any(String));
      expect(outcome(await api.call(`/v1/analytics/${project}/feedback${query}`))).toEqual([400, 'bad_request']);
    }
  });

  test('is text: it controls no terminal, reverses no line and is not too long', async () => {
    const project = await api.addProject();
    const comment = 'a\u001b[2K\u0000b\r\nc\u202ed\u200b\u009be <script>alert(1)</script> \ud800';
    expect((await say(project, 'feedback', { helpful: true, comment })).status).toBe(202);
    const [entry] = (await ask(project, 'feedback')).feedback;
    expect(entry.comment).toBe('a[2Kb\ncde <script>alert(1)</script> \ufffd');
    const refused: (object | string)[] = [
      '{',
      'null',
      '[]',
      { helpful: 'yes' },
      {},
      { helpful: true, comment: 7 },
      { helpful: true, comment: 'x'.repeat(2_001) },
      { code: 'x'.repeat(4_001), helpful: true },
      { code: 'x' },
      { helpful: true, contact: 'no address' },
      { helpful: true, contact: 'a@b"><script>' },
      { helpful: true, url: 'https://evil.example/' },
      { helpful: true, url: 'javascript:alert(1)' },
      { helpful: true, url: undefined },
    ];
    for (const words of refused)
      expect(outcome(await say(project, 'feedback', words))[0], JSON.stringify(words)).toBe(400);
    const large = await say(
      project,
      'feedback',
      JSON.stringify({ url: SITE, helpful: true, comment: 'x'.repeat(16_400) }),
    );
    expect(outcome(large)).toEqual([413, 'body_too_large']);
    expect(await database.db.$count(readerFeedback, sql`project_id = ${project}`)).toBe(1);
  });

  test('comes from AI agents, too, and is triaged', async () => {
    const project = await api.addProject();
    const send = (body: unknown, more: Record<string, string> = {}) => {
      readers += 1;
      return api.call(`/${project}/feedback`, {
        token: null,
        method: 'POST',
        body: JSON.stringify(body),
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': `198.51.${readers >> 8}.${readers & 255}`,
          'user-agent': 'ChatGPT-User/1.0',
          ...more,
        },
      });
    };
    const path = `${SITE}/guides/limits.md?x=1`;
    const answer = await send({ path, feedback: 'Two\u001b limits.', helpful: true, source: 'contextual' });
    expect([answer.status, answer.json]).toEqual([202, { accepted: 1 }]);
    for (const body of [null, {}, { path: '/a' }, { path: '/a', feedback: ' ' }, { path: '/a', feedback: 7 }]) {
      expect(outcome(await send(body))).toEqual([400, 'bad_request']);
    }
    expect(outcome(await send({ path: '/a', feedback: 'x'.repeat(2_001) }))).toEqual([400, 'bad_request']);
    expect(outcome(await send({ path: '/a', feedback: 'x' }, { origin: 'null' }))).toEqual([403, 'forbidden_origin']);
    const { feedback } = await ask(project, 'feedback', '?source=agent');
    const entry = { path: '/guides/limits', source: 'agent', comment: 'Two limits.', status: 'pending', notes: null };
    expect(feedback).toEqual([{ ...entry, id: expect.any(String), createdAt: expect.any(String) }]);

    const at = `/v1/analytics/${project}/feedback/${feedback[0].id}`;
    const change = (url: string, body: object) => api.call(url, { method: 'PATCH', body: JSON.stringify(body) });
    const changed = await change(at, { status: 'resolved', notes: 'Fixed.' });
    expect([changed.status, changed.json]).toEqual([200, { ...feedback[0], status: 'resolved', notes: 'Fixed.' }]);
    expect((await change(at, { notes: null })).json).toEqual({ ...feedback[0], status: 'resolved' });
    expect((await ask(project, 'feedback', '?status=resolved')).feedback).toHaveLength(1);
    expect((await ask(project, 'feedback', '?status=pending')).feedback).toEqual([]);
    for (const body of [{}, { status: 'open' }, { notes: 'x'.repeat(2_001) }, { comment: 'x' }]) {
      expect(outcome(await change(at, body))).toEqual([400, 'bad_request']);
    }
    const elsewhere = at.replace(project, await api.addProject());
    for (const url of [elsewhere, `${at}x`]) {
      expect(outcome(await change(url, { status: 'dismissed' }))).toEqual([404, 'feedback_not_found']);
    }
  });

  test("is accepted from the project's sites, within limits, and reveals no projects", async () => {
    const project = await api.addProject();
    for (const origin of [null, 'null', 'http://localhost:3000']) {
      expect(outcome(await say(project, 'feedback', { helpful: true }, { origin }))).toEqual([403, 'forbidden_origin']);
    }
    const before = await database.db.$count(readerFeedback);
    const unknown = await say('nosuchproject', 'feedback', { helpful: true });
    expect([unknown.status, unknown.json]).toEqual([202, { accepted: 1 }]);
    expect(await database.db.$count(readerFeedback)).toBe(before);
    const answers = [];
    for (let i = 0; i < 14; i++) answers.push(await say(project, 'feedback', { helpful: true }));
    expect(outcome(answers.at(-1) as (typeof answers)[0])).toEqual([429, 'rate_limited']);
    const busy = [];
    const other = await api.addProject();
    for (let i = 0; i < 22; i++) busy.push(await say(other, 'search', '{', { from: '203.0.113.9' }));
    expect(outcome(busy.at(-1) as (typeof busy)[0])).toEqual([429, 'rate_limited']);
  });

  test('is read with the scopes of analytics', async () => {
    const project = await api.addProject();
    const stranger = await api.addKey({ projectIds: [await api.addProject()], scopes: ['analytics'] });
    const writer = await api.addKey({ projectIds: [project], scopes: ['events'] });
    const reader = await api.addKey({ projectIds: [project], scopes: ['analytics'] });
    for (const name of ['feedback', 'feedback/by-page', 'searches']) {
      const url = `/v1/analytics/${project}/${name}`;
      expect((await api.call(url, { token: reader })).status).toBe(200);
      expect(outcome(await api.call(url, { token: stranger }))).toEqual([404, 'project_not_found']);
      expect(outcome(await api.call(url, { token: writer }))).toEqual([403, 'forbidden_scope']);
      expect((await api.call(url, { token: null })).status).toBe(401);
    }
  });
});

describe('searches', () => {
  test('are counted by term, with opened results', async () => {
    const project = await api.addProject();
    for (const query of ['Custom  Domain', 'custom domain', 'api keys', 'custom domain', 'ünïcode']) {
      expect((await say(project, 'search', { query })).status).toBe(202);
    }
    await say(project, 'search', { query: 'custom domain', clicked: '/guides/domains' });
    await say(project, 'search', { query: 'custom domain', clicked: `${SITE}/guides/domains?x#y` });
    await say(project, 'search', { query: 'never searched', clicked: '/x' });
    const { searches, totalSearches, nextCursor } = await ask(project, 'searches');
    expect([totalSearches, nextCursor]).toEqual([5, null]);
    const lastSearchedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(searches).toEqual([
      { searchQuery: 'custom domain', hits: 3, ctr: 2 / 3, topClickedPage: '/guides/domains', lastSearchedAt },
      { searchQuery: 'api keys', hits: 1, ctr: 0, topClickedPage: null, lastSearchedAt },
      { searchQuery: 'ünïcode', hits: 1, ctr: 0, topClickedPage: null, lastSearchedAt },
    ]);
    const first = await ask(project, 'searches', '?limit=2');
    const second = await ask(project, 'searches', `?limit=2&cursor=${first.nextCursor}`);
    expect([...first.searches, ...second.searches]).toEqual(searches);
    expect(second.nextCursor).toBeNull();
    expect((await ask(project, 'searches', '?dateTo=2020-01-01')).totalSearches).toBe(0);
    for (const words of [
      {},
      { query: ' ' },
      { query: 'x'.repeat(201) },
      { query: 'x', clicked: 'https://evil.example/' },
      { query: 7 },
    ]) {
      expect(outcome(await say(project, 'search', words))).toEqual([400, 'bad_request']);
    }
    expect(outcome(await api.call(`/v1/analytics/${project}/searches?cursor=eA`))).toEqual([400, 'bad_request']);
  });
});

describe("readers' feedback", () => {
  test('is deleted with its visitor, its days, and its project', async () => {
    const project = await api.addProject();
    const from = '203.0.113.77';
    await say(project, 'feedback', { helpful: true, comment: 'mine' }, { from });
    await say(project, 'search', { query: 'mine' }, { from });
    await say(project, 'feedback', { helpful: true, comment: 'not mine' });
    await say(project, 'feedback', { helpful: false, comment: 'nobody’s', anonymous: true }, { from });
    const duck = await Duck.open({
      memoryMb: 256,
      threads: 1,
      connections: 1,
      temporaryFolder: folder.temporaryFolder,
    });
    const storage = { database, folder, duck, log };
    const source = clientSource(from, BROWSER);
    expect(source).not.toBeNull();
    await eraseVisitor(storage, project, source as NonNullable<typeof source>);
    const comments = async () =>
      (await ask(project, 'feedback')).feedback.map(({ comment }: { comment: string }) => comment);
    expect(await comments()).toEqual(['nobody’s', 'not mine']);
    expect((await ask(project, 'searches')).totalSearches).toBe(0);
    await database.db.execute(sql`UPDATE reader_feedback SET created_at = '2020-01-01' WHERE comment = 'not mine'`);
    await dropBefore(storage, project, Math.floor(Date.now() / 86_400_000) - 30);
    expect(await comments()).toEqual(['nobody’s']);
    await say(project, 'search', { query: 'x' });
    expect((await api.call(`/v1/projects/${project}`, { method: 'DELETE' })).status).toBe(204);
    expect(await database.db.$count(readerFeedback, sql`project_id = ${project}`)).toBe(0);
    expect(await database.db.$count(readerSearches, sql`project_id = ${project}`)).toBe(0);
    duck.close();
  });
});
