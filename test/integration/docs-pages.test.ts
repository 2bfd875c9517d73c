import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { Parser } from 'htmlparser2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { plainRequest } from '../support/plain-request.ts';

const DOCS = path.join(import.meta.dirname, '../../docs');

interface SeenPage {
  status: number;
  headers: Headers;
  text: string;
  ids: Set<string>;
  repeatedIds: string[];
  /** The targets of its links and resources. */
  links: string[];
  /** Inline scripts and styles. */
  inline: string[];
}

let api: TestApi;
let pages: string[];
const seen = new Map<string, Promise<SeenPage>>();

beforeAll(async () => {
  api = await startTestApi();
  const { navigation } = JSON.parse(await readFile(path.join(DOCS, 'docs.json'), 'utf8')) as {
    navigation: { groups: { pages: string[] }[] };
  };
  pages = navigation.groups
    .flatMap((group) => group.pages)
    .map((name) => (name === 'index' ? '/docs' : `/docs/${name}`));
});
afterAll(() => api.close());

const HTML = { accept: 'text/html' };

function look(address: string): Promise<SeenPage> {
  const before = seen.get(address);
  if (before) return before;
  const page = read(address);
  seen.set(address, page);
  return page;
}

async function read(address: string): Promise<SeenPage> {
  const { status, headers, text } = await api.call(address, { token: null, headers: HTML });
  const page: SeenPage = { status, headers, text, ids: new Set(), repeatedIds: [], links: [], inline: [] };
  if (!headers.get('content-type')?.startsWith('text/html')) return page;
  const parser = new Parser({
    onopentag(name, attributes) {
      const { id, href, src } = attributes;
      if (id !== undefined && page.ids.has(id)) page.repeatedIds.push(id);
      if (id !== undefined) page.ids.add(id);
      page.links.push(...[href, src].filter((link) => link !== undefined));
      if (name === 'style' || (name === 'script' && src === undefined)) page.inline.push(name);
      page.inline.push(...Object.keys(attributes).filter((attribute) => /^on|^style$/.test(attribute)));
    },
  });
  parser.end(text);
  return page;
}

// Some fifty pages, each with all the files that it loads.
const ALL_PAGES_MS = 180_000;

test(
  'every page of the docs can be read at the server itself, and nothing in it runs that the server did not send as a file',
  { timeout: ALL_PAGES_MS },
  async () => {
    for (const address of pages) {
      const page = await look(address);
      expect(page, address).toMatchObject({ status: 200, inline: [], repeatedIds: [] });
      expect(page.headers.get('content-security-policy'), address).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self';/,
      );
      expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
      expect(page.text, address).toContain('aria-current="page"');
      expect(page.text.match(/<h1/g), address).toHaveLength(1);
    }
  },
);

test('every link of the docs leads to an existing page and anchor', async () => {
  const broken: string[] = [];
  for (const address of [...pages, '/docs/api', '/docs/no-such-page']) {
    for (const link of (await look(address)).links) {
      const url = new URL(link, api.url + address);
      // The dashboard is another matter.
      if (url.origin !== api.url || url.pathname === '/') continue;
      const isOwn = url.pathname === address;
      const target = await look(url.pathname + url.search);
      const anchor = decodeURIComponent(url.hash.slice(1));
      if ((target.status !== 200 && !isOwn) || (anchor !== '' && !target.ids.has(anchor)))
        broken.push(`${address}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
});

test("an error links to its code's section in these docs", async () => {
  const { json } = await api.call('/v1/projects/none');
  const [address = '', anchor = ''] = json.docs.split('#');
  const page = await look(address);
  expect([page.status, anchor, page.ids.has(anchor)]).toEqual([200, 'project_not_found', true]);
});

test('behind a proxy with a prefix, every link stays behind it', async () => {
  const behind = await startTestApi({ deps: { publicUrl: () => 'http://127.0.0.1/tools/docent' } });
  try {
    const { text } = await behind.call('/docs/concepts/jobs', { token: null, headers: HTML });
    const links = [...text.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, link]) => link);
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter((link) => !link?.startsWith('/tools/docent/'))).toEqual([]);
    expect(text).toContain('href="/tools/docent/docs/reference/errors#why-a-job-fails"');
    const { json } = await behind.call('/v1/projects/none');
    expect(json.docs).toBe('/tools/docent/docs/reference/errors#project_not_found');
  } finally {
    await behind.close();
  }
});

test('an address without a page is 404: with the list of pages for people, as an error for programs', async () => {
  const page = await look('/docs/no-such-page');
  expect(page.status).toBe(404);
  expect(page.text).toContain('/docs/quickstart');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const answer = await api.call('/docs/no-such-page', { token: null });
  expect(answer).toMatchObject({ status: 404, json: { code: 'not_found' } });
  expect((await api.call('/docs/quickstart', { method: 'POST', body: {} })).status).toBe(404);
});

test.each([
  '/docs/..%2f..%2fpackage.json',
  '/docs/%2e%2e/%2e%2e/package.json',
  '/docs/../../package.json',
  '/docs/..%2f..%2fpackage.json.md',
  '/docs/images/..%2fdocs.json',
  '/docs/images/..%2f..%2fpackage.json',
  '/docs/assets/..%2f..%2fpackage.json',
  '/docs/assets/constructor',
  '/docs/assets/__proto__',
  '/docs/docs.json',
  '/docs/%00',
  '/docs/quickstart%00.md',
  '/docs//etc/passwd',
  '/docs/<script>alert(1)</script>',
])('%s gets at nothing', async (address) => {
  const { status, text } = await asWritten(address);
  expect(status).toBe(404);
  expect(text).not.toMatch(/"devDependencies"|"navigation"|root:|<script>alert/);
});

test('a screenshot is a PNG, with another one for dark screens', async () => {
  const page = await api.call('/docs/guides/dashboard', { token: null });
  const [, dark = ''] =
    /<picture><source srcset="([^"]+-dark\.png)" media="\(prefers-color-scheme: dark\)">/.exec(page.text) ?? [];
  const light = dark.replace('-dark.png', '-light.png');
  expect(page.text).toContain(`<img src="${light}"`);
  for (const address of [dark, light]) {
    const image = await api.call(address, { token: null });
    expect([image.status, image.headers.get('content-type')], address).toEqual([200, 'image/png']);
  }
});

test('unchanged pages are not sent again, and a HEAD has the same headers', async () => {
  for (const address of [
    '/docs',
    '/docs/llms.txt',
    '/docs/search.json',
    '/docs/quickstart.md',
    '/docs/images/flow.svg',
  ]) {
    const first = await api.call(address, { token: null });
    const tag = first.headers.get('etag') ?? '';
    expect(tag, address).not.toBe('');
    const again = await api.call(address, { token: null, headers: { 'if-none-match': tag } });
    expect([again.status, again.text], address).toEqual([304, '']);
    const head = await api.call(address, { token: null, method: 'HEAD' });
    expect([head.status, head.text, head.headers.get('etag')], address).toEqual([200, '', tag]);
  }
});

test('agents get a page as Markdown, with links to Markdown, and a list of all pages', async () => {
  const listing = await api.call('/docs/llms.txt', { token: null });
  const listed = [...listing.text.matchAll(/\]\((\/docs\/[^)]+\.md)\)/g)].map(([, address]) => address!);
  expect(listed).toHaveLength(pages.length);
  for (const address of listed) {
    const { status, headers, text } = await api.call(address, { token: null });
    expect([status, headers.get('content-type')], address).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(text).toMatch(/^---\ntitle: /);
    for (const [, link] of text.matchAll(/\]\((\/[^)#]*)/g))
      expect((await look(link!)).status, `${address}: ${link}`).toBe(200);
  }
});

test('renamed pages redirect to their new address', async () => {
  const response = await fetch(`${api.url}/docs/getting-started`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([308, '/docs/quickstart']);
  const first = await fetch(`${api.url}/docs/`, { redirect: 'manual' });
  expect([first.status, first.headers.get('location')]).toEqual([308, '/docs']);
});

test('each address in the search exists', async () => {
  const { json } = await api.call('/docs/search.json', { token: null });
  const sections = json as { url: string; page: string; heading: string; text: string }[];
  expect(sections.length).toBeGreaterThan(200);
  for (const { url } of sections) {
    const [address = '', anchor] = url.split('#');
    const page = await look(address);
    expect(anchor === undefined || page.ids.has(anchor), url).toBe(true);
  }
});

test('the first view of a page costs a reader at most 100 kB', async () => {
  const page = await look('/docs/reference/cli');
  const loaded = page.links.filter((link) => /\/assets\/|mark\.svg/.test(link));
  let bytes = 0;
  for (const address of ['/docs/reference/cli', ...new Set(loaded)]) {
    const answer = await plainRequest(api.url + address, { headers: { accept: 'text/html', 'accept-encoding': 'br' } });
    bytes += answer.bytes.length;
  }
  expect(loaded.length).toBeGreaterThan(2);
  expect(bytes).toBeLessThan(100_000);
});

test('assets are cached forever under content-based addresses', async () => {
  const links = (await look('/docs/api')).links.filter((link) => link.includes('/assets/'));
  expect(links).toHaveLength(6);
  for (const link of links) {
    const { status, headers } = await api.call(link, { token: null });
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  }
  const old = await api.call('/docs/assets/docs.css?v=old', { token: null });
  expect([old.status, old.headers.get('cache-control')]).toEqual([200, 'no-cache']);
});

/** The path goes out as it is: a `URL` would resolve its dots. */
function asWritten(address: string): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(api.url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path: address, headers: HTML, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end();
  });
}
