import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readEvent, type ReadEvent } from '../../../src/analytics/events/read-event.ts';

const DOCS = resolve(import.meta.dirname, '../../../docs/analytics');
const KEY = 'docent_test';
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';

let folder: string;
let docent: Server;
let docentUrl: string;
let site: Server;
let siteUrl: string;
let taken: ReadEvent[] = [];

/** What the real endpoint does with a batch: the key, the path, and each event read by the real reader. */
const receive = async (request: IncomingMessage, response: ServerResponse) => {
  if (request.headers.authorization !== `Bearer ${KEY}`) return response.writeHead(401).end('no key');
  if (request.method !== 'POST' || request.url !== '/v1/analytics/docs/events') return response.writeHead(404).end();
  const { events } = JSON.parse(await text(request)) as { events: unknown[] };
  taken.push(...events.map((event) => readEvent(event, { now: Date.now(), floorDay: null })));
  return response
    .writeHead(202, { 'Content-Type': 'application/json' })
    .end('{"accepted":1,"duplicates":0,"rejected":[]}');
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-edge-'));
  docent = createServer((request, response) => void receive(request, response));
  docentUrl = await listen(docent);
  site = createServer(servePage);
  siteUrl = await listen(site);
});
afterAll(async () => {
  docent.close();
  site.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  taken = [];
});

const servePage: RequestListener = (request, response) => {
  const path = request.url ?? '/';
  if (path.startsWith('/gone')) response.writeHead(404).end('gone');
  else if (path.startsWith('/moved')) response.writeHead(301, { Location: '/guide' }).end();
  else if (path.startsWith('/broken')) response.writeHead(500).end();
  else
    response
      .writeHead(200, { 'Content-Type': path.includes('.md') ? 'text/markdown; charset=utf-8' : 'text/html' })
      .end('page');
};

async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The code block of a page with this title, as a module, and how many lines it has. */
async function snippet(page: string, title: string): Promise<{ module: { default: never }; lines: number }> {
  const source = await readFile(join(DOCS, page), 'utf8');
  const code = new RegExp(`\`\`\`js ${title.replaceAll('.', '\\.')}\\n([\\s\\S]*?)\`\`\``).exec(source)?.[1];
  if (code === undefined) throw new Error(`There is no block ${title} in ${page}.`);
  const file = join(folder, `${title.replaceAll('/', '-')}.mjs`);
  await writeFile(file, code);
  return {
    module: (await import(pathToFileURL(file).href)) as { default: never },
    lines: code.trim().split('\n').length,
  };
}

/** A visitor's request. Made of its parts, since a real `Request` may not name the headers that browsers and edges set. */
function requestOf(path: string, headers: Record<string, string> = {}, method = 'GET'): Request {
  const request = new Request(`${siteUrl}${path}`, { method, redirect: 'manual' });
  const all = new Headers({ 'User-Agent': CHROME, ...headers });
  Object.defineProperty(request, 'headers', { value: all });
  return request;
}

interface Edge {
  visit: (path: string, headers?: Record<string, string>, method?: string) => Promise<Response | undefined>;
  seesAnswers: boolean;
  lines: number;
}

/** A host's `waitUntil`, and a way to wait for what was given to it. */
const later = () => {
  const waiting: Promise<unknown>[] = [];
  return {
    context: { waitUntil: (work: Promise<unknown>) => void waiting.push(work) },
    done: () => Promise.allSettled(waiting),
  };
};

/** Runs each snippet as its host does: with its arguments, its settings and its `waitUntil`. */
async function edges(url: string): Promise<Record<string, Edge>> {
  const settings: Record<string, string> = { DOCENT_URL: url, DOCENT_PROJECT: 'docs', DOCENT_KEY: KEY };
  const worker = await snippet('cloudflare-worker.mdx', 'docent-worker.js');
  const middleware = await snippet('edge-middleware.mdx', 'middleware.js');
  const netlify = await snippet('edge-middleware.mdx', 'netlify/edge-functions/docent.js');
  return {
    'Cloudflare Worker': {
      seesAnswers: true,
      lines: worker.lines,
      visit: async (path, headers, method) => {
        const { context, done } = later();
        const handler = worker.module.default as { fetch: (...args: unknown[]) => Promise<Response> };
        const answer = await handler.fetch(
          requestOf(path, { 'CF-Connecting-IP': '203.0.113.7', ...headers }, method),
          settings,
          context,
        );
        await done();
        return answer;
      },
    },
    'Next.js and Vercel': {
      seesAnswers: false,
      lines: middleware.lines,
      visit: async (path, headers, method) => {
        const { context, done } = later();
        for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
        const handler = middleware.module.default as (...args: unknown[]) => undefined;
        const answer = handler(requestOf(path, { 'X-Real-IP': '203.0.113.7', ...headers }, method), context);
        await done();
        vi.unstubAllEnvs();
        return answer;
      },
    },
    Netlify: {
      seesAnswers: true,
      lines: netlify.lines,
      visit: async (path, headers, method) => {
        const { context, done } = later();
        vi.stubGlobal('Netlify', { env: { get: (name: string) => settings[name] } });
        const request = requestOf(path, headers, method);
        const handler = netlify.module.default as (...args: unknown[]) => Promise<Response>;
        const answer = await handler(request, { ...context, ip: '203.0.113.7', next: () => fetch(request) });
        await done();
        vi.unstubAllGlobals();
        return answer;
      },
    },
  };
}

describe.each(['Cloudflare Worker', 'Next.js and Vercel', 'Netlify'])('%s', (name) => {
  const edge = async (url = docentUrl) => (await edges(url))[name]!;

  test('is some 30 lines', async () => {
    expect((await edge()).lines).toBeLessThanOrEqual(36);
  });

  test('counts a page for a browser and for an agent', async () => {
    const { visit } = await edge();
    const answer = await visit('/guide/?token=secret', {
      'Sec-Fetch-Dest': 'document',
      Referer: 'https://news.example.net/item',
    });
    expect(await answer?.text()).toBe((await edge()).seesAnswers ? 'page' : undefined);
    await visit('/guide.md', { 'User-Agent': 'Claude-User (claude-code/2.1.83)' });
    await visit('/llms.txt', { 'User-Agent': 'curl/8.7.1', Accept: 'text/markdown' });
    expect(taken.map(({ event }) => [event.path, event.class, event.agent, event.format, event.referrer])).toEqual([
      ['/guide', 'human', null, 'html', 'news.example.net'],
      ['/guide', 'assistant', 'Claude-Code', 'md', null],
      ['/llms.txt', 'assistant', null, 'md', null],
    ]);
    expect(taken[0]!.source).toEqual({ ip: '203.0.113.7', userAgent: CHROME });
    expect(new Set(taken.map(({ id }) => id)).size).toBe(3);
    expect(JSON.stringify(taken[0]!.event)).not.toContain('secret');
  });

  test('leaves out files, other methods, parts of pages, and errors', async () => {
    const { visit, seesAnswers } = await edge();
    for (const path of ['/app.js', '/logo.svg', '/sitemap.xml', '/_next/data/x']) await visit(path);
    await visit('/guide', {}, 'HEAD');
    await visit('/guide', { 'Sec-Fetch-Dest': 'empty' });
    if (seesAnswers) for (const path of ['/moved', '/broken']) await visit(path);
    expect(taken).toEqual([]);
  });

  test('tells a missing page, where it can', async () => {
    const { visit, seesAnswers } = await edge();
    const answer = await visit('/gone');
    if (seesAnswers) expect(answer?.status).toBe(404);
    expect(taken.map(({ event }) => [event.path, event.notFound])).toEqual([['/gone', seesAnswers]]);
  });

  test('the reader is served when Docent is down, or refuses the key', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    for (const url of ['http://127.0.0.1:1', `${docentUrl}/elsewhere`]) {
      const { visit, seesAnswers } = await edge(url);
      const answer = await visit('/guide');
      if (seesAnswers) expect(answer?.status).toBe(200);
    }
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
    expect(taken).toEqual([]);
  });
});
