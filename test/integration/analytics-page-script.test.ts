import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Window } from 'happy-dom';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pageScriptModule } from '../../scripts/generate/page-script.ts';
import { PAGE_SCRIPT } from '../../src/analytics/ingest/script/generated/page-script.ts';
import { readCollectedView } from '../../src/analytics/ingest/script/collected-view.ts';

interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

let docent: Server;
let base: string;
let received: Received[] = [];
const pages: Window[] = [];
const sending: Promise<Response>[] = [];

beforeAll(async () => {
  docent = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      received.push({ method: request.method!, url: request.url!, headers: request.headers, body });
      response.writeHead(202).end();
    });
  });
  await new Promise<void>((resolve) => docent.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(docent.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => docent.close(resolve)));
beforeEach(() => {
  received = [];
});
afterEach(async () => {
  for (const page of pages.splice(0)) await page.happyDOM.close();
});

/**
 * Opens a page and runs the script in it as the script element `<script src="…/docs/script.js">` would. Its
 * requests are real.
 */
async function openPage(
  url: string,
  {
    head = '',
    notFoundTitle,
    prepare,
  }: { head?: string; notFoundTitle?: string; prepare?: (window: Window) => void } = {},
): Promise<Window> {
  const window = new Window({
    url,
    settings: { enableJavaScriptEvaluation: true, suppressInsecureJavaScriptEnvironmentWarning: true },
  });
  pages.push(window);
  window.document.head.innerHTML = head;
  const dataset = notFoundTitle === undefined ? {} : { notFoundTitle };
  set(window.document, 'currentScript', { src: `${base}/docs/script.js`, dataset });
  set(window, 'fetch', (target: string, init: RequestInit) => {
    const sent = fetch(target, init);
    sending.push(sent);
    return sent;
  });
  prepare?.(window);
  window.eval(PAGE_SCRIPT);
  await settled(window);
  return window;
}

/** After the page's timers have run and what they sent has arrived. */
async function settled(window: Window): Promise<void> {
  await window.happyDOM.waitUntilComplete();
  await Promise.allSettled(sending.splice(0));
}

const set = (target: object, name: string, value: unknown) =>
  Object.defineProperty(target, name, { value, configurable: true });
const views = () => received.map(({ body }) => readCollectedView(body, 'https://docs.example.com'));
const paths = () => views().map((view) => view && new URL(view.url).pathname);

const again = (window: Window) => window.eval(PAGE_SCRIPT);

describe('the page script', () => {
  test('matches its source, in at most one kilobyte', async () => {
    expect(await pageScriptModule()).toContain(JSON.stringify(PAGE_SCRIPT));
    expect(gzipSync(PAGE_SCRIPT).length).toBeLessThanOrEqual(1_024);
    expect(PAGE_SCRIPT).not.toMatch(/cookie|localStorage|sessionStorage|indexedDB/i);
  });

  test('sends the page without its query, and the referring origin without its path', async () => {
    await openPage('https://docs.example.com/guide?token=secret#part', {
      prepare: ({ document }) => set(document, 'referrer', 'https://news.example.net/item?id=42'),
    });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ method: 'POST', url: '/docs/collect' });
    expect(received[0]!.headers.cookie).toBeUndefined();
    expect(received[0]!.headers['content-type']).toMatch(/^text\/plain/);
    expect(received[0]!.body).not.toMatch(/secret|item/);
    expect(views()).toEqual([
      { url: 'https://docs.example.com/guide', referrer: 'https://news.example.net', notFound: false },
    ]);
  });

  test.each<[string, (window: Window) => void]>([
    ['Do Not Track', ({ navigator }) => set(navigator, 'doNotTrack', '1')],
    ['Do Not Track, as Safari had it', (window) => set(window, 'doNotTrack', '1')],
    ['Global Privacy Control', ({ navigator }) => set(navigator, 'globalPrivacyControl', true)],
  ])('says nothing of a reader who objects: %s', async (_name, prepare) => {
    const window = await openPage('https://docs.example.com/guide', { prepare });
    window.history.pushState(null, '', '/other');
    await settled(window);
    expect(received).toEqual([]);
  });

  test('a reader who allows tracking is counted', async () => {
    await openPage('https://docs.example.com/guide', { prepare: ({ navigator }) => set(navigator, 'doNotTrack', '0') });
    expect(paths()).toEqual(['/guide']);
  });

  test('follows a single-page site: forward, back, and no step twice', async () => {
    const window = await openPage('https://docs.example.com/a', {
      prepare: ({ document }) => set(document, 'referrer', 'https://news.example.net/'),
    });
    window.history.pushState({ n: 1 }, '', '/b?tab=2');
    await settled(window);
    expect(window.history.state).toEqual({ n: 1 });
    window.history.replaceState(null, '', '/b?tab=3');
    window.history.replaceState(null, '', '/b#section');
    await settled(window);
    expect(paths()).toEqual(['/a', '/b']);
    window.history.replaceState(null, '', '/a');
    window.dispatchEvent(new window.PopStateEvent('popstate'));
    await settled(window);
    expect(paths()).toEqual(['/a', '/b', '/a']);
    expect(views().map((view) => view?.referrer)).toEqual(['https://news.example.net', null, null]);
  });

  test('a page that redirects immediately is not a view; its target is', async () => {
    const window = await openPage('https://docs.example.com/a');
    window.history.pushState(null, '', '/old');
    window.history.replaceState(null, '', '/new');
    await settled(window);
    expect(paths()).toEqual(['/a', '/new']);
  });

  test('counts a page once, however often the script runs in it', async () => {
    const window = await openPage('https://docs.example.com/a', { prepare: again });
    for (const path of ['/b', '/c']) {
      window.history.pushState(null, '', path);
      again(window);
      await settled(window);
    }
    expect(paths()).toEqual(['/a', '/b', '/c']);
  });

  test('does not count a page that redirects as soon as it is there', async () => {
    await openPage('https://docs.example.com/old', {
      prepare: (window) => window.setTimeout(() => window.history.replaceState(null, '', '/new'), 20),
    });
    expect(paths()).toEqual(['/new']);
  });

  test('counts /a and /a/ as one page', async () => {
    const window = await openPage('https://docs.example.com/a');
    window.history.replaceState(null, '', '/a/');
    await settled(window);
    expect(paths()).toEqual(['/a']);
  });

  test('does not count a frame inside a page of the same site', async () => {
    const parent = { location: { origin: 'https://docs.example.com' } };
    await openPage('https://docs.example.com/a', { prepare: (window) => set(window, 'parent', parent) });
    expect(paths()).toEqual([]);
  });

  test('a page that comes back from memory is seen again', async () => {
    const window = await openPage('https://docs.example.com/a');
    const back = new window.Event('pageshow');
    set(back, 'persisted', true);
    window.dispatchEvent(back);
    await settled(window);
    window.dispatchEvent(new window.Event('pageshow'));
    await settled(window);
    expect(paths()).toEqual(['/a', '/a']);
  });

  test('a page that is loaded ahead counts when it is shown, if ever', async () => {
    const window = await openPage('https://docs.example.com/a', {
      prepare: ({ document }) => set(document, 'prerendering', true),
    });
    expect(received).toEqual([]);
    set(window.document, 'prerendering', false);
    window.document.dispatchEvent(new window.Event('prerenderingchange'));
    await settled(window);
    expect(paths()).toEqual(['/a']);
  });

  test('a missing page is recognized by its meta tag, or by a title that the site names', async () => {
    await openPage('https://docs.example.com/gone', { head: '<meta name="docent:status" content="404">' });
    await openPage('https://docs.example.com/lost', {
      head: '<title>Page not found – Acme</title>',
      notFoundTitle: 'Page not found',
    });
    await openPage('https://docs.example.com/http-404', { head: '<title>404 Not Found explained</title>' });
    expect(views().map((view) => view?.notFound)).toEqual([true, true, false]);
  });

  test('a missing page of a single-page site is reported by the title that it has by then', async () => {
    const window = await openPage('https://docs.example.com/a', {
      notFoundTitle: 'Page not found',
    });
    window.history.pushState(null, '', '/lost');
    window.document.title = 'Page not found – Acme';
    await settled(window);
    expect(views()).toMatchObject([{ notFound: false }, { notFound: true, url: 'https://docs.example.com/lost' }]);
  });

  test('a browser without fetch sends a beacon, and one without both causes no error', async () => {
    const beacons: string[][] = [];
    await openPage('https://docs.example.com/a', {
      prepare: (window) => {
        set(window, 'fetch', undefined);
        set(window.navigator, 'sendBeacon', (url: string, body: string) => beacons.push([url, body]));
      },
    });
    await openPage('https://docs.example.com/b', {
      prepare: (window) => {
        set(window, 'fetch', undefined);
        set(window.navigator, 'sendBeacon', undefined);
      },
    });
    expect(beacons).toEqual([[`${base}/docs/collect`, expect.stringContaining('"url":"https://docs.example.com/a"')]]);
  });
});

interface Docent {
  feedback: (helpful?: boolean, more?: object) => Promise<boolean>;
  search: (query: string, clicked?: string) => Promise<boolean>;
}
const docentOf = (window: Window) => (window as unknown as { docent: Docent }).docent;
const said = () =>
  received.filter(({ url }) => !url.endsWith('/collect')).map(({ url, body }) => [url, JSON.parse(body)]);
const objecting = (window: Window) => set(window.navigator, 'doNotTrack', '1');

describe('reports of a page about its reader', () => {
  const url = 'https://docs.example.com/guides/start';

  test('is sent like views, and the page learns whether it was accepted', async () => {
    const { feedback, search } = docentOf(await openPage(`${url}?x=1#y`));
    expect(await feedback(false, { comment: 'No.' })).toBe(true);
    expect(await search('domain', '/guides/domains')).toBe(true);
    expect(said()).toEqual([
      ['/docs/feedback', { url, anonymous: false, helpful: false, comment: 'No.' }],
      ['/docs/search', { url, anonymous: false, query: 'domain', clicked: '/guides/domains' }],
    ]);
  });

  test('from readers who opted out has only their own text, without a visitor', async () => {
    const { feedback, search } = docentOf(await openPage(url, { prepare: objecting }));
    expect([await search('domain'), await feedback(true)]).toEqual([false, true]);
    expect(said()).toEqual([['/docs/feedback', { url, anonymous: true, helpful: true }]]);
    expect(received).toHaveLength(1);
  });
});
