import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Analytics } from '../../src/analytics/analytics.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { createLogger } from '../../src/platform/log.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';

const SITE = 'https://docs.example.com';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';

let api: TestApi;
let folder: string;
let analytics: Analytics;
let database: Database;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docent-collect-'));
  api = await startTestApi({
    config: { trustedProxies: ['127.0.0.1'], viewsPerMinute: 20, newPathsPerHour: 5 },
    deps: async ({ url }) => {
      database = openDatabase(url);
      const log = createLogger({ level: 'fatal', name: 'analytics' });
      analytics = await Analytics.open({ database, folder: new AnalyticsFolder(folder), log });
      return { analytics };
    },
  });
});
afterAll(async () => {
  await analytics.close();
  await database.close();
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

let readers = 0;

/** Sends what the page script sends, as its own reader unless one is named. */
function collect(
  project: string,
  view: object | string,
  {
    origin = SITE,
    from,
    headers = {},
  }: { origin?: string | null; from?: string; headers?: Record<string, string> } = {},
) {
  readers += 1;
  return api.call(`/${project}/collect`, {
    token: null,
    method: 'POST',
    body: typeof view === 'string' ? view : JSON.stringify(view),
    headers: {
      'content-type': 'text/plain;charset=UTF-8',
      'x-forwarded-for': from ?? `198.51.${readers >> 8}.${readers & 255}`,
      'user-agent': BROWSER,
      ...(origin === null ? {} : { origin }),
      ...headers,
    },
  });
}

/** A project that takes views of the site alone, as its owner sets it up. */
async function projectOfSite(origins: string[] | null = ['docs.example.com']): Promise<string> {
  const id = await api.addProject();
  const changed = await api.call(`/v1/projects/${id}`, {
    method: 'PATCH',
    body: { settings: { analyticsOrigins: origins } },
  });
  expect(changed.status).toBe(200);
  expect(changed.json.settings.analyticsOrigins).toEqual(origins);
  return id;
}

const viewsOf = async (project: string) => (await api.call(`/v1/analytics/${project}/views`)).json;

describe('the page script', () => {
  test('is served to any site, as JavaScript that caches may keep', async () => {
    const project = await api.addProject();
    const script = await api.call(`/${project}/script.js`, { token: null });
    expect(script.status).toBe(200);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toContain('public, max-age=3600');
    expect(script.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(script.headers.get('x-content-type-options')).toBe('nosniff');
    expect(script.text).toContain("'collect'");

    const head = await api.call(`/${project}/script.js`, {
      token: null,
      method: 'HEAD',
      headers: { 'accept-encoding': 'identity' },
    });
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', String(script.text.length)]);
  });

  test('is the same for every id, so that it does not reveal projects', async () => {
    const project = await api.addProject();
    const [known, unknown] = await Promise.all(
      [project, 'nobody'].map((id) => api.call(`/${id}/script.js`, { token: null })),
    );
    const shown = ({ status, text, headers }: NonNullable<typeof known>) => {
      const { date: _date, 'x-request-id': _id, ...same } = Object.fromEntries(headers);
      return { status, text, same };
    };
    expect(shown(unknown!)).toEqual(shown(known!));
    expect((await api.call('/No-Id/script.js', { token: null })).status).toBe(404);
  });
});

describe('anonymous requests', () => {
  test('reveal no projects, and the log reports lost views', async () => {
    const project = await projectOfSite(null);
    const view = { url: `${SITE}/guide/`, referrer: '', notFound: false };
    const cases: Parameters<typeof collect>[1][] = [view, { ...view, url: 'https://else.example.org/' }, {}];
    for (const sent of cases) {
      const [known, unknown] = [await collect(project, sent), await collect('nobody', sent)];
      expect([unknown.status, unknown.json.code, unknown.json.error, unknown.json.accepted]).toEqual([
        known.status,
        known.json.code,
        known.json.error,
        known.json.accepted,
      ]);
    }
    expect(api.logged()).toContain('"projectId":"nobody"');
    expect(api.logged().match(/for an unknown project/g)).toHaveLength(1);
  });
});

describe('a view that the script sends', () => {
  test('shows among the visitors within five seconds', async () => {
    const project = await projectOfSite();
    const view = { url: `${SITE}/guide/`, referrer: 'https://news.example.net', notFound: false };
    const answer = await collect(project, view, { from: '203.0.113.7' });
    const answeredAt = performance.now();
    expect([answer.status, answer.json]).toEqual([202, { accepted: 1 }]);
    expect(answer.headers.get('access-control-allow-origin')).toBe(SITE);
    expect(answer.headers.get('vary')).toContain('Origin');
    expect((await collect(project, view, { from: '203.0.113.7' })).status).toBe(202);
    expect((await collect(project, { ...view, url: `${SITE}/gone`, notFound: true })).status).toBe(202);

    let seen;
    do {
      await sleep(100);
      seen = (await api.call(`/v1/analytics/${project}/visitors`)).json;
    } while (seen.totals.human === 0 && performance.now() - answeredAt < 10_000);
    expect(performance.now() - answeredAt).toBeLessThan(5_000);
    expect(seen).toMatchObject({ visitors: [{ path: '/guide', human: 1, ai: 0, total: 1 }] });
    await analytics.ingestor.flush();
    expect((await viewsOf(project)).totals).toEqual({ human: 2, ai: 0, total: 2 });
    expect((await api.call(`/v1/analytics/${project}/referrers`)).text).toContain('news.example.net');
    expect((await api.call(`/v1/analytics/${project}/not-found`)).text).toContain('/gone');
    expect(api.logged()).not.toContain('203.0.113.7');
  });

  test('counts whatever the request says about tracking: the script asks the reader, the server does not', async () => {
    const project = await projectOfSite();
    const headers = { dnt: '1', 'sec-gpc': '1' };
    expect((await collect(project, { url: `${SITE}/` }, { headers })).status).toBe(202);
    await analytics.ingestor.flush();
    expect((await viewsOf(project)).totals.human).toBe(1);
  });

  test('needs no CORS preflight, and other methods are not allowed', async () => {
    const project = await projectOfSite();
    const options = await api.call(`/${project}/collect`, { token: null, method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      expect((await api.call(`/${project}/collect`, { token: null, method })).status).toBe(405);
    }
  });
});

describe('refusals', () => {
  test('views of other sites, without a site, of localhost and of previews', async () => {
    const project = await projectOfSite();
    for (const origin of ['https://evil.example.net', 'http://localhost:3000', 'null', null]) {
      const answer = await collect(project, { url: `${origin}/` }, { origin });
      expect([origin, answer.status, answer.json.code]).toEqual([origin, 403, 'forbidden_origin']);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
    const open = await projectOfSite(null);
    expect((await collect(open, { url: `${SITE}/` })).status).toBe(202);
    const preview = 'https://docs-git-main-acme.vercel.app';
    expect((await collect(open, { url: `${preview}/` }, { origin: preview })).status).toBe(403);
    const listed = await projectOfSite(['docs-git-main-acme.vercel.app', 'http://localhost:3000']);
    expect((await collect(listed, { url: `${preview}/` }, { origin: preview })).status).toBe(202);
    expect((await collect(listed, { url: `${SITE}/` })).status).toBe(403);
    await analytics.ingestor.flush();
    expect((await viewsOf(project)).totals.total).toBe(0);
  });

  test('junk, a page of another site, too large bodies, and invalid text', async () => {
    const project = await projectOfSite();
    const junk = [
      '',
      '{',
      'null',
      '[]',
      '"x"',
      '{}',
      '{"url":7}',
      '\0\0',
      JSON.stringify({ url: 'https://else.example/' }),
    ];
    for (const body of [...junk, JSON.stringify({ url: `${SITE}/${'a'.repeat(3_000)}` })]) {
      const answer = await collect(project, body);
      expect([body.slice(0, 30), answer.status, answer.json.code]).toEqual([body.slice(0, 30), 400, 'bad_request']);
    }
    const large = await collect(project, JSON.stringify({ url: `${SITE}/`, more: 'x'.repeat(5_000) }));
    expect([large.status, large.json.code]).toEqual([413, 'body_too_large']);
    const json = await collect(project, { url: `${SITE}/` }, { headers: { 'content-type': 'application/json' } });
    expect(json.status).toBe(415);
    await analytics.ingestor.flush();
    expect((await viewsOf(project)).totals.total).toBe(0);
  });

  test('an allow-list that holds something else than sites', async () => {
    const project = await api.addProject();
    for (const entry of ['https://docs.example.com/path', '*', 'a b', '']) {
      const answer = await api.call(`/v1/projects/${project}`, {
        method: 'PATCH',
        body: { settings: { analyticsOrigins: [entry] } },
      });
      expect([entry, answer.status]).toEqual([entry, 400]);
    }
  });

  test('more views of one address than the limit, while other readers continue', async () => {
    const project = await projectOfSite();
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => collect(project, { url: `${SITE}/` }, { from: '203.0.113.99' })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    // 20, and one more every three seconds.
    expect(answers.filter(({ status }) => status === 202).length).toBeGreaterThanOrEqual(20);
    expect(new Set(refused.map(({ json }) => json.code))).toEqual(new Set(['rate_limited']));
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await collect(project, { url: `${SITE}/` })).status).toBe(202);
  });

  test('made-up pages beyond the hour’s limit, while pages that were counted before continue', async () => {
    const project = await projectOfSite();
    const event = { timestamp: Date.now(), path: '/known', visitorId: 'a', userAgent: BROWSER };
    expect((await api.call(`/v1/analytics/${project}/events`, { body: { events: [event] } })).status).toBe(202);
    await analytics.ingestor.flush();
    const statuses: number[] = [];
    for (let no = 1; no <= 6; no += 1) statuses.push((await collect(project, { url: `${SITE}/made-up-${no}` })).status);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
    expect((await collect(project, { url: `${SITE}/known` })).status).toBe(202);
    expect((await collect(project, { url: `${SITE}/made-up-1` })).status).toBe(202);
    const broken = { url: `${SITE}/gone`, notFound: true };
    expect((await collect(project, broken)).status).toBe(202);
  });
});
