import { afterEach, describe, expect, test } from 'vitest';
import { askLinks, type AskLinksOptions } from '@docent/docs-check/cli/external/ask-links';
import { VERSION } from '../../src/platform/version.ts';
import { redirect, WebServer } from '../support/web-server.ts';

let web: WebServer;
afterEach(() => web.stop());

async function serve(pages: Parameters<typeof WebServer.start>[0]) {
  web = await WebServer.start(pages);
}

/** The answers for these addresses, in their order. */
async function answers(addresses: string[], options: Partial<AskLinksOptions> = {}) {
  const found = await askLinks(addresses, {
    fetch: web.fetch,
    acceptStatus: [],
    timeoutMs: 2_000,
    totalMs: 20_000,
    pauseMs: 0,
    retryMs: [5, 5],
    ...options,
  });
  return addresses.map((address) => found.get(address));
}

describe('a page', () => {
  test("that works is requested once, with Docent's name, and its body is not read", async () => {
    let sent = 0;
    await serve({
      '/large': (request, response) => {
        if (request.method === 'HEAD') return void response.writeHead(405).end();
        response.writeHead(200);
        const more = () => {
          while (!response.destroyed && sent < 50_000_000 && response.write(Buffer.alloc(65_536))) sent += 65_536;
        };
        response.on('drain', more);
        more();
      },
      '/there': 200,
    });
    expect(await answers([web.at('/there'), web.at('/large')])).toEqual([{ kind: 'fine' }, { kind: 'fine' }]);
    expect(web.lines.toSorted()).toEqual(['GET /large', 'HEAD /large', 'HEAD /there']);
    expect(web.asked[0]!.headers['user-agent']).toContain(`Docent/${VERSION}`);
    expect(web.asked[0]!.headers).not.toHaveProperty('cookie');
    expect(sent).toBeLessThan(20_000_000);
  });

  test.each([403, 404, 405, 501, 500])(
    'that is there, though HEAD is answered %i, is not a dead one',
    async (status) => {
      await serve({ '/a': ({ method }, response) => void response.writeHead(method === 'HEAD' ? status : 200).end() });
      expect(await answers([web.at('/a')])).toEqual([{ kind: 'fine' }]);
    },
  );

  test('that is gone, or whose server is, is dead', async () => {
    await serve({ '/410': 410, '/there': 200 });
    expect(await answers([web.at('/404'), web.at('/410'), web.at('/x', 'gone.dev'), web.at('/there')])).toEqual([
      { kind: 'dead', why: 'the server returned 404', by: 'status' },
      { kind: 'dead', why: 'the server returned 410', by: 'status' },
      { kind: 'dead', why: 'the server gone.dev does not exist', by: 'name' },
      { kind: 'fine' },
    ]);
  });

  test('is not reported as dead without a network', async () => {
    await serve({});
    expect(await answers([web.at('/x', 'gone.dev'), web.at('/x', 'gone-too.dev')])).toEqual([
      { kind: 'unknown', why: expect.stringContaining('Check your network connection') },
      { kind: 'unknown', why: expect.stringContaining('Check your network connection') },
    ]);
  });

  test('behind a wall, broken or slow is unknown, and a status can be taken for fine', async () => {
    await serve({
      '/403': 403,
      '/500': 500,
      '/999': (_request, response) => void response.writeHead(999).end(),
      '/slow': () => undefined,
    });
    const [wall, broken, slow] = await answers([web.at('/403'), web.at('/500'), web.at('/slow')], { timeoutMs: 1_000 });
    expect(wall).toMatchObject({ kind: 'unknown', why: 'returned 403' });
    expect(broken).toMatchObject({ kind: 'unknown', why: 'returned 500' });
    expect(slow).toMatchObject({ kind: 'unknown', why: 'did not respond within 1 second' });
    expect(web.lines.filter((line) => line.endsWith('/500'))).toHaveLength(6);
    expect(web.lines.filter((line) => line.endsWith('/slow'))).toHaveLength(2);
    expect(await answers([web.at('/403'), web.at('/999')], { acceptStatus: [403, 999] })).toEqual([
      { kind: 'fine' },
      { kind: 'fine' },
    ]);
  });
});

describe('a redirect', () => {
  test('that is permanent leads to the new address, a temporary one to nothing new', async () => {
    await serve({
      '/old': redirect(301, '/older?x=1'),
      '/older?x=1': redirect(308, '/new'),
      '/new': 200,
      '/now': redirect(302, '/new'),
      '/both': redirect(301, '/now'),
      '/home': redirect(301, '/'),
      '/': 200,
      '/door': redirect(301, '/login?next=/door'),
      '/login?next=/door': 200,
      '/dead': redirect(301, '/nowhere'),
    });
    const pages = ['/old', '/now', '/both', '/home', '/door', '/dead'];
    expect(await answers(pages.map((page) => web.at(page)))).toEqual([
      { kind: 'moved', to: web.at('/new'), end: web.at('/new') },
      { kind: 'fine' },
      { kind: 'moved', to: web.at('/now'), end: web.at('/new') },
      { kind: 'moved', to: null, end: web.at('/') },
      { kind: 'moved', to: null, end: web.at('/login?next=/door') },
      { kind: 'dead', why: 'the server returned 404', by: 'status' },
    ]);
  });

  test('in a circle, without end, or to something other than a page, is not followed forever', async () => {
    await serve({
      '/a': redirect(302, '/b'),
      '/b': redirect(302, '/a'),
      '/file': redirect(302, 'file:///etc/passwd'),
      '/secret': redirect(302, 'http://user:word@docs.acme.dev/'),
      ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`/${i}`, redirect(302, `/${i + 1}`)])),
    });
    expect(await answers(['/a', '/0', '/file', '/secret'].map((page) => web.at(page)))).toMatchObject([
      { kind: 'unknown', why: 'redirects in a loop' },
      { kind: 'unknown', why: 'redirects more than 10 times' },
      { kind: 'unknown', why: 'redirects to an address that is not http or https' },
      { kind: 'unknown', why: 'redirects to an address with a password' },
    ]);
    expect(web.lines).toContain('HEAD /10');
    expect(web.lines).not.toContain('HEAD /11');
  });

  test('into a private network sends nothing there', async () => {
    await serve({
      '/in': redirect(302, `http://inside.acme.dev/`),
      '/ip': redirect(302, 'http://169.254.169.254/latest'),
    });
    expect(await answers([web.at('/in'), web.at('/ip'), 'http://inside.acme.dev/x', 'http://10.0.0.1/'])).toMatchObject(
      [
        { kind: 'unknown', why: 'is in a private network' },
        { kind: 'unknown', why: 'is in a private network' },
        { kind: 'unknown', why: 'is in a private network' },
        { kind: 'unknown', isPrivate: true },
      ],
    );
    expect(web.asked).toHaveLength(2);
  });
});

const after60ms: Parameters<typeof WebServer.start>[0][string] = (_request, response) =>
  void setTimeout(() => response.writeHead(200).end(), 60);

describe('a server', () => {
  test('that asks to wait is retried after that time, and no wait is endless', async () => {
    let at = 0;
    await serve({
      '/busy': (_request, response) => {
        const isFirst = at === 0;
        at ||= performance.now();
        response.writeHead(isFirst ? 429 : 200, { 'retry-after': '1' }).end();
      },
      '/closed': (_request, response) => void response.writeHead(429, { 'retry-after': '3600' }).end(),
    });
    const start = performance.now();
    expect(await answers([web.at('/busy'), web.at('/closed', 'b.acme.dev')])).toMatchObject([
      { kind: 'fine' },
      { kind: 'unknown', why: 'returned 429' },
    ]);
    const busy = web.asked.filter(({ path }) => path === '/busy');
    expect(busy).toHaveLength(2);
    expect(busy[1]!.at - at).toBeGreaterThan(990);
    expect(web.lines.filter((line) => line.endsWith('/closed'))).toHaveLength(1);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test('gets at most two parallel requests, while sixteen run in total', async () => {
    await serve(Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`/${i}`, after60ms])));
    const hosts = Array.from({ length: 12 }, (_, i) => `h${i}.acme.dev`);
    const all = hosts.flatMap((host) => Array.from({ length: 8 }, (_, i) => web.at(`/${i}`, host)));
    await answers(all);
    expect(web.asked).toHaveLength(96);
    expect(web.atOnce.get('')).toBeLessThanOrEqual(16);
    for (const host of hosts) {
      expect(web.atOnce.get(host)).toBeLessThanOrEqual(2);
    }
  });

  test('has a pause between any two requests: for another page, another method or a redirect', async () => {
    await serve({
      '/a': ({ method }, response) => void response.writeHead(method === 'HEAD' ? 405 : 200).end(),
      '/b': redirect(302, '/c'),
      '/c': 200,
    });
    await answers([web.at('/a'), web.at('/b'), web.at('/c')], { pauseMs: 150 });
    expect(web.asked).toHaveLength(5);
    expect(web.asked.at(-1)!.at - web.asked[0]!.at).toBeGreaterThan(4 * 150 - 50);
  });

  test('that never answers is given up, regardless of other requests', async () => {
    await serve({});
    const slow = web.fetch;
    await web.stop();
    await serve(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`/${i}`, () => undefined])));
    const found = await answers(
      Array.from({ length: 40 }, (_, i) => web.at(`/${i}`)),
      { fetch: slow, timeoutMs: 100 },
    );
    expect(found.every((answer) => answer?.kind === 'unknown')).toBe(true);
    expect(web.asked.length).toBeLessThan(12);
  });

  test('is not awaited after the time limit: unrequested links have no answer', async () => {
    await serve({ '/slow': () => undefined, '/there': 200 });
    const start = performance.now();
    const found = await answers([web.at('/there', 'a.acme.dev'), web.at('/slow')], {
      totalMs: 2_000,
      timeoutMs: 30_000,
    });
    expect(found).toEqual([{ kind: 'fine' }, undefined]);
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});
