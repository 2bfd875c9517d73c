import { createServer, type RequestListener, type Server } from 'node:http';
import type { LookupAddress } from 'node:dns';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { AddressRefused } from '@docent/base/net/address-guard';
import { createGuardedFetch } from '@docent/base/net/guarded-fetch';
import { fetchPage } from '../../src/activities/step/fetch-page.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server on an address of this machine, and its requests. */
async function serve(address: string, answer: RequestListener): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim());
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return { port: (server.address() as AddressInfo).port, asked };
}

/** A resolver of one's own: its answers in turn, the last one forever. */
function resolving(...answers: string[][]) {
  let asked = 0;
  return (_hostname: string, callback: (err: null, addresses: LookupAddress[]) => void) => {
    const answer = answers[Math.min(asked++, answers.length - 1)] ?? [];
    callback(
      null,
      answer.map((address) => ({ address, family: 4 })),
    );
  };
}

function redirectTo(status: number, location: string): RequestListener {
  return (request, response) => {
    if (request.url === '/') response.writeHead(status, { location }).end();
    else response.end(`at ${request.url}`);
  };
}

describe('an address in the URL', () => {
  test.each([
    'http://127.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://127.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://017700000001:PORT/',
    'http://0x7f000001:PORT/',
    'http://0x7f.0.0.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://0X7F.1:PORT/',
    'http://127.0.0.1.:PORT/',
    'http://①②⑦.⓪.⓪.①:PORT/',
    'http://%31%32%37.0.0.1:PORT/',
    'http://0:PORT/',
    'http://0.0.0.0:PORT/',
    'http://[::1]:PORT/',
    'http://[::]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/',
    'http://[64:ff9b::127.0.0.1]:PORT/',
    'http://localhost:PORT/',
    'http://LOCALHOST:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0xA9FEA9FE/latest/meta-data/',
  ])('is not asked in any spelling: %s', async (spelling) => {
    const { port, asked } = await serve('127.0.0.1', (_request, response) => response.end('secret'));
    const fetch = createGuardedFetch({ allowed: [] });
    await expect(fetch(spelling.replace('PORT', String(port)))).rejects.toThrow(AddressRefused);
    expect(asked).toEqual([]);
  });

  test('is asked once the operator allows it', async () => {
    const { port } = await serve('127.0.0.1', (_request, response) => response.end('hello'));
    for (const allowed of [['127.0.0.1'], ['127.0.0.0/8'], [`127.0.0.1:${port}`]]) {
      const answer = await createGuardedFetch({ allowed })(`http://127.1:${port}/`);
      expect(await answer.text()).toBe('hello');
    }
  });

  test('with user info is refused without showing it', async () => {
    const asking = createGuardedFetch({ allowed: [] })('http://me:sesame@github.com/');
    await expect(asking).rejects.toThrow(AddressRefused);
    await expect(asking).rejects.not.toThrow(/sesame/);
  });

  test('is not asked in another scheme', async () => {
    for (const url of ['file:///etc/passwd', 'data:text/plain,hello', 'ftp://example.com/']) {
      await expect(createGuardedFetch({ allowed: [] })(url)).rejects.toThrow(AddressRefused);
    }
  });
});

describe('a name', () => {
  test('is refused when it points into the private network', async () => {
    const { port, asked } = await serve('127.0.0.1', (_request, response) => response.end('secret'));
    const fetch = createGuardedFetch({ allowed: [], resolve: resolving(['127.0.0.1']) });
    await expect(fetch(`http://docs.example:${port}/`)).rejects.toThrow(
      /docs\.example points to .*DOCENT_PRIVATE_HOSTS/,
    );
    expect(asked).toEqual([]);
  });

  test('is refused if any of its addresses is private', async () => {
    const { port, asked } = await serve('127.0.0.1', (_request, response) => response.end('secret'));
    const fetch = createGuardedFetch({ allowed: [], resolve: resolving(['203.0.114.1', '127.0.0.1']) });
    await expect(fetch(`http://docs.example:${port}/`)).rejects.toThrow(AddressRefused);
    expect(asked).toEqual([]);
  });

  test('is checked at each connection: a name that is rebound after the first answer gets nothing', async () => {
    const outside = await serve('127.0.0.2', (_request, response) => {
      response.writeHead(200, { connection: 'close' }).end('outside');
    });
    const inside = createServer((_request, response) => response.end('secret'));
    servers.push(inside);
    await new Promise<void>((resolve) => inside.listen(outside.port, '127.0.0.1', resolve));
    const fetch = createGuardedFetch({ allowed: ['127.0.0.2'], resolve: resolving(['127.0.0.2'], ['127.0.0.1']) });
    expect(await (await fetch(`http://docs.example:${outside.port}/`)).text()).toBe('outside');
    await expect(fetch(`http://docs.example:${outside.port}/`)).rejects.toThrow(AddressRefused);
  });

  test('that is unknown is a network error, not a refusal', async () => {
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    const asking = createGuardedFetch({ allowed: [], resolve: (_name, callback) => callback(unknown, []) })(
      'http://nowhere.example/',
    );
    await expect(asking).rejects.toMatchObject({ cause: { code: 'ENOTFOUND' } });
  });
});

describe('a redirect', () => {
  test('to another server is not followed, so that credentials stay', async () => {
    const inside = await serve('127.0.0.2', (_request, response) => response.end('secret'));
    const { port } = await serve('127.0.0.1', redirectTo(302, `http://127.0.0.2:${inside.port}/`));
    const fetch = createGuardedFetch({ allowed: ['127.0.0.0/8'] });
    const asking = fetch(`http://127.0.0.1:${port}/`, { headers: { authorization: 'Bearer sesame' } });
    await expect(asking).rejects.toThrow(AddressRefused);
    expect(inside.asked).toEqual([]);
  });

  test.each(['file:///etc/passwd', 'http://[', 'https://127.0.0.1/'])('to %s is not followed', async (location) => {
    const { port } = await serve('127.0.0.1', redirectTo(301, location));
    await expect(createGuardedFetch({ allowed: ['127.0.0.1'] })(`http://127.0.0.1:${port}/`)).rejects.toThrow(
      AddressRefused,
    );
  });

  test('on the same server is followed, with method and body as the status requires', async () => {
    const { port, asked } = await serve('127.0.0.1', redirectTo(307, '/new'));
    const fetch = createGuardedFetch({ allowed: ['127.0.0.1'] });
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x' });
    expect(await answer.text()).toBe('at /new');
    expect(answer.url).toBe(`http://127.0.0.1:${port}/new`);
    expect(asked).toEqual(['POST /', 'POST /new']);
  });

  test('that turns a change into a read is not followed: the change would be lost', async () => {
    const { port, asked } = await serve('127.0.0.1', redirectTo(302, '/new'));
    const fetch = createGuardedFetch({ allowed: ['127.0.0.1'] });
    await expect(fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x' })).rejects.toThrow(AddressRefused);
    expect(asked).toEqual(['POST /']);
  });

  test('in a circle ends', async () => {
    const { port, asked } = await serve('127.0.0.1', redirectTo(302, '/'));
    await expect(createGuardedFetch({ allowed: ['127.0.0.1'] })(`http://127.0.0.1:${port}/`)).rejects.toThrow(
      AddressRefused,
    );
    expect(asked).toHaveLength(4);
  });
});

describe('an answer', () => {
  test('without end is cut off', async () => {
    const { port } = await serve('127.0.0.1', (_request, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', more);
      more();
    });
    const fetch = createGuardedFetch({ allowed: ['127.0.0.1'], maxBytes: 1_048_576 });
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    await expect(answer.arrayBuffer()).rejects.toThrow('sent more than 1 MB');
  });

  test('that grows too much when unpacked is refused', async () => {
    const { port } = await serve('127.0.0.1', (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000)));
    });
    const fetch = createGuardedFetch({ allowed: ['127.0.0.1'], maxBytes: 1_048_576 });
    await expect((await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer()).rejects.toThrow('sent more than 1 MB');
  });

  test('that does not come, or stops coming, ends at the time limit', async () => {
    const silent = await serve('127.0.0.1', () => {});
    const stuck = await serve('127.0.0.1', (_request, response) => void response.write('{'));
    const fetch = createGuardedFetch({ allowed: ['127.0.0.1'], timeoutMs: 200 });
    await expect(fetch(`http://127.0.0.1:${silent.port}/`)).rejects.toThrow(/timeout/);
    const answer = await fetch(`http://127.0.0.1:${stuck.port}/`);
    await expect(answer.text()).rejects.toThrow(/timeout/);
  });
});

test('sends no request through a proxy of the environment', async () => {
  const proxy = await serve('127.0.0.1', (_request, response) => response.end('proxied'));
  const before = process.env.HTTP_PROXY;
  process.env.HTTP_PROXY = `http://127.0.0.1:${proxy.port}`;
  try {
    const fetch = createGuardedFetch({ allowed: [], resolve: resolving(['127.0.0.1']) });
    await expect(fetch('http://docs.example/')).rejects.toThrow(AddressRefused);
    expect(proxy.asked).toEqual([]);
  } finally {
    if (before === undefined) delete process.env.HTTP_PROXY;
    else process.env.HTTP_PROXY = before;
  }
});

test('accepts a Request like the global fetch', async () => {
  const { port, asked } = await serve('127.0.0.1', (request, response) => request.pipe(response));
  const fetch = createGuardedFetch({ allowed: ['127.0.0.1'] });
  const answer = await fetch(new Request(`http://127.0.0.1:${port}/x`, { method: 'PUT', body: 'text' }));
  expect(await answer.text()).toBe('text');
  expect(asked).toEqual(['PUT /x']);
});

/** The limits of web pages, but for the time. */
const guarded = (port: number, timeoutMs = 10_000) =>
  createGuardedFetch({ allowed: [`127.0.0.1:${port}`], maxBytes: 1_048_576, timeoutMs });
const ask = (port: number, path: string, patterns = [`http://127.0.0.1:${port}/*`], timeoutMs?: number) =>
  fetchPage(
    guarded(port, timeoutMs),
    { asked: `http://127.0.0.1:${port}${path}`, patterns },
    new AbortController().signal,
  );

describe('a web page that a project lists', () => {
  const html = { 'content-type': 'text/html; charset=iso-8859-1' };
  test('is read with its redirects, without a query, in its own characters', async () => {
    const { port, asked } = await serve('127.0.0.1', (request, response) => {
      if (request.url === '/old') response.writeHead(301, { location: '/new#top' }).end();
      else response.writeHead(200, html).end(Buffer.from('<p>caf\xe9</p>', 'latin1'));
    });
    expect(await ask(port, '/old#part')).toEqual({
      url: `http://127.0.0.1:${port}/new`,
      isHtml: true,
      body: '<p>café</p>',
    });
    expect(asked).toEqual(['GET /old', 'GET /new']);
  });

  test.each([
    ['another path', (port: number) => `http://127.0.0.1:${port}/private`, 'not among the web pages'],
    ['another host', (port: number) => `http://localhost:${port}/docs/a`, 'not among the web pages'],
    ['a query', () => '/docs/b?secret=1', 'not a plain page'],
    ['another scheme', () => 'file:///etc/passwd', 'not a plain page'],
    ['itself, forever', () => '/docs/a', 'more than 3 times'],
  ])('is refused where it redirects to %s', async (_, target, problem) => {
    const { port, asked } = await serve('127.0.0.1', (_request, response) => {
      response.writeHead(302, { location: target(port) }).end('secret');
    });
    const answer = await ask(port, '/docs/a', [`http://127.0.0.1:${port}/docs/*`]);
    expect(answer).toEqual({ problem: expect.stringContaining(problem) as string });
    expect(asked.filter((line) => !line.startsWith('GET /docs/a'))).toEqual([]);
  });

  test.each<[string, RequestListener, string]>([
    ['a huge body', (_, response) => response.writeHead(200, html).end('x'.repeat(1_200_000)), 'could not be read'],
    [
      'a packed huge body',
      (_, response) =>
        response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(9_000_000))),
      'could not be read',
    ],
    ['a slow body', (_, response) => void response.writeHead(200, html).write('<p>'), 'could not be read'],
    ['no answer', () => {}, 'could not be read'],
    [
      'a program',
      (_, response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF'),
      'not a page of text',
    ],
    ['no type', (_, response) => response.writeHead(200).end('text'), 'not a page of text'],
    ['an error', (_, response) => response.writeHead(503, html).end('busy'), 'status 503'],
    ['a broken answer', (_, response) => void response.socket?.destroy(), 'could not be read'],
  ])('is refused where its server sends %s', async (what, answer, problem) => {
    const { port } = await serve('127.0.0.1', answer);
    const timeoutMs = /slow|no answer/.test(what) ? 1_000 : undefined;
    expect(await ask(port, '/a', undefined, timeoutMs)).toEqual({
      problem: expect.stringContaining(problem) as string,
    });
  });

  test('is never asked for at a private address, or off the list', async () => {
    const { port, asked } = await serve('127.0.0.1', (_, response) => response.writeHead(200, html).end('secret'));
    const patterns = [`http://127.0.0.1:${port}/*`];
    const request = { asked: `http://127.0.0.1:${port}/a`, patterns };
    const { signal } = new AbortController();
    expect(await fetchPage(createGuardedFetch({ allowed: [] }), request, signal)).toHaveProperty('problem');
    expect(await ask(port, '/a', ['https://docs.example.com/*'])).toHaveProperty('problem');
    expect(await ask(port, '/a', [])).toHaveProperty('problem');
    expect(asked).toEqual([]);
  });
});
