import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type AgentKey, agentKeys } from '@docent/access-log/agents/signatures';
import { startAnalyticsApi, type AnalyticsApi } from '../support/analytics-api.ts';
import { signedHeaders } from '../support/sign-request.ts';

const PAGE = path.resolve(import.meta.dirname, '../../docs/analytics/edge.mdx');
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';

let docent: AnalyticsApi;
let folder: string;
let site: Server;
let siteUrl: string;

beforeAll(async () => {
  docent = await startAnalyticsApi();
  folder = await mkdtemp(path.join(tmpdir(), 'docent-edge-'));
  site = createServer(servePage);
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(async () => {
  site.close();
  await rm(folder, { recursive: true, force: true });
  await docent.close();
});

const servePage: RequestListener = (request, response) => {
  const pathname = request.url ?? '/';
  if (pathname === '/gone-for-good') response.writeHead(410).end('gone');
  else if (pathname.startsWith('/gone')) response.writeHead(404).end('gone');
  else if (pathname.startsWith('/moved')) response.writeHead(301, { Location: '/guide' }).end();
  else if (pathname.startsWith('/broken')) response.writeHead(500).end();
  else
    response
      .writeHead(200, { 'Content-Type': pathname.includes('.md') ? 'text/markdown; charset=utf-8' : 'text/html' })
      .end('page');
};

/**
 * A visitor's request. A plain object, since a real `Request` may not have the headers that browsers and
 * edges set.
 */
function requestOf(pathname: string, headers: Record<string, string> = {}, method = 'GET'): Request {
  const request = new Request(`${siteUrl}${pathname}`, { method, redirect: 'manual' });
  Object.defineProperty(request, 'headers', { value: new Headers({ 'User-Agent': CHROME, ...headers }) });
  return request;
}

type Settings = Record<'DOCENT_URL' | 'DOCENT_PROJECT' | 'DOCENT_KEY', string>;
type Context = { waitUntil: (work: Promise<unknown>) => void };

/** Calls the code of a page as its platform does: with its arguments, its settings and its `waitUntil`. */
interface Edge {
  title: string;
  seesAnswers: boolean;
  addressHeader: string;
  run: (handler: never, request: Request, settings: Settings, context: Context) => Promise<Response> | undefined;
}

const EDGES: Record<string, Edge> = {
  'Cloudflare Worker': {
    title: 'docent-worker.js',
    seesAnswers: true,
    addressHeader: 'CF-Connecting-IP',
    run: (handler: { fetch: (...args: unknown[]) => Promise<Response> }, request, settings, context) =>
      handler.fetch(request, settings, context),
  },
  'Next.js and Vercel': {
    title: 'middleware.js',
    seesAnswers: false,
    addressHeader: 'X-Real-IP',
    run: (handler: (...args: unknown[]) => undefined, request, settings, context) => {
      for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
      return handler(request, context);
    },
  },
  Netlify: {
    title: 'netlify/edge-functions/docent.js',
    seesAnswers: true,
    addressHeader: 'X-Test-Address',
    run: (handler: (...args: unknown[]) => Promise<Response>, request, settings, context) => {
      vi.stubGlobal('Netlify', { env: { get: (name: keyof Settings) => settings[name] } });
      return handler(request, { ...context, ip: request.headers.get('X-Test-Address'), next: () => fetch(request) });
    },
  },
};

describe.each(Object.keys(EDGES))('the code of the docs for %s', (name) => {
  const { title, seesAnswers, addressHeader, run } = EDGES[name]!;
  let code: string;
  let handler: never;

  beforeAll(async () => {
    const source = await readFile(PAGE, 'utf8');
    code = new RegExp(`\`\`\`js ${title.replaceAll('.', '\\.')}\\n([\\s\\S]*?)\`\`\``).exec(source)![1]!;
    const file = path.join(folder, `${title.replaceAll('/', '-')}.mjs`);
    await writeFile(file, code);
    handler = ((await import(pathToFileURL(file).href)) as { default: never }).default;
  });

  /** A project with a key that can only send events. */
  async function edge(changes: Partial<Settings> = {}) {
    const { api, analytics } = docent;
    const project = await api.addProject();
    const key = await api.addKey({ projectIds: [project], scopes: ['events'] });
    const settings = { DOCENT_URL: api.url, DOCENT_PROJECT: project, DOCENT_KEY: key, ...changes };
    return {
      async visit(pathname: string, headers: Record<string, string> = {}, method?: string) {
        const waiting: Promise<unknown>[] = [];
        const request = requestOf(pathname, { [addressHeader]: '203.0.113.7', ...headers }, method);
        try {
          return await run(handler, request, settings, { waitUntil: (work) => void waiting.push(work) });
        } finally {
          await Promise.allSettled(waiting);
          vi.unstubAllEnvs();
          vi.unstubAllGlobals();
        }
      },
      async counted(report: string) {
        await analytics.ingestor.flush();
        return (await api.call(`/v1/analytics/${project}/${report}`)).json;
      },
    };
  }

  test('is about 30 lines', () => {
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(44);
  });

  test('counts pages for people by their addresses, and for agents', async () => {
    const { visit, counted } = await edge();
    const headers = { 'Sec-Fetch-Dest': 'document', Referer: 'https://news.example.net/item' };
    const answer = await visit('/guide/?token=secret', headers);
    expect(await answer?.text()).toBe(seesAnswers ? 'page' : undefined);
    await visit('/guide');
    await visit('/guide?token=secret&utm_source=chatgpt.com', { [addressHeader]: '203.0.113.8' });
    await visit('/guide.md', { 'User-Agent': 'Claude-User (claude-code/2.1.83)' });
    await visit('/llms.txt', { 'User-Agent': 'curl/8.7.1', Accept: 'text/markdown' });
    await visit('/mcp', { 'User-Agent': 'node' }, 'POST');
    await visit('/guide', {}, 'POST');
    expect(await counted('visitors')).toMatchObject({
      visitors: [
        { path: '/guide', human: 2, ai: 1, total: 3 },
        { path: '/llms.txt', human: 0, ai: 1, total: 1 },
        { path: '/mcp', human: 0, ai: 1, total: 1 },
      ],
      hasMore: false,
    });
    expect(await counted('views')).toMatchObject({ totals: { human: 3, ai: 3, total: 6 } });
    expect((await counted('agents')).agents).toMatchObject([{ agent: 'Claude-Code' }]);
    expect((await counted('referrers')).referrers).toMatchObject([
      { host: null, channel: 'direct', visitors: 3 },
      { host: 'chatgpt.com', channel: 'ai-assistant', visitors: 1 },
      { host: 'news.example.net', channel: 'other', visitors: 1 },
    ]);
  });

  test('sends the signature of an agent that looks like a person', async () => {
    const keys = generateKeyPairSync('ed25519');
    const publicKey = keys.publicKey.export({ format: 'jwk' }) as AgentKey;
    const { visit, counted } = await edge();
    await visit('/guide');
    agentKeys.use((url) => (url.startsWith('https://chatgpt.com/') ? { keys: [publicKey], readAt: new Date() } : null));
    const request = { authority: new URL(siteUrl).host, path: '/guide', at: Date.now() };
    const headers = signedHeaders(request, { publicKey, privateKey: keys.privateKey });
    await visit('/guide?utm_source=x', headers);
    await visit('/other', headers);
    const one = { visitors: 1, views: 1 };
    expect((await counted('agents')).agents).toMatchObject([{ agent: 'ChatGPT Agent', ...one, verified: one }]);
  });

  test('leaves out files, other methods, parts of pages, and errors', async () => {
    const { visit, counted } = await edge();
    for (const file of ['/app.js', '/logo.svg', '/sitemap.xml', '/_next/data/x', '/a.tar.gz', '/openapi.yaml'])
      await visit(file);
    await visit('/guide', {}, 'HEAD');
    await visit('/guide', { 'Sec-Purpose': 'prefetch;prerender' });
    await visit('/guide', { Purpose: 'prefetch' });
    await visit('/guide', { 'Sec-Fetch-Dest': 'empty' });
    if (seesAnswers) for (const failing of ['/moved', '/broken']) await visit(failing);
    expect(await counted('views')).toMatchObject({ totals: { total: 0 } });
    expect(await counted('not-found')).toMatchObject({ notFound: [] });
  });

  test('reports a missing page if possible', async () => {
    const { visit, counted } = await edge();
    await visit('/gone-for-good');
    const answer = await visit('/gone');
    if (seesAnswers) expect(answer?.status).toBe(404);
    expect((await counted('not-found')).notFound).toMatchObject(
      seesAnswers ? [{ path: '/gone' }, { path: '/gone-for-good' }] : [],
    );
    expect(await counted('views')).toMatchObject({ totals: { human: seesAnswers ? 0 : 2 } });
  });

  test('serves the reader when Docent is down, or refuses the key', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    try {
      for (const changes of [{ DOCENT_URL: 'http://127.0.0.1:1' }, { DOCENT_KEY: 'docent_none' }]) {
        const { visit, counted } = await edge(changes);
        const answer = await visit('/guide');
        if (seesAnswers) expect(answer?.status).toBe(200);
        expect(await counted('views')).toMatchObject({ totals: { total: 0 } });
      }
      expect(logged).toHaveBeenCalledTimes(1);
    } finally {
      logged.mockRestore();
    }
  });
});
