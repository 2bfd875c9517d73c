import { describe, expect, test } from 'vitest';
import { createConditionalFetch } from '@docent/code-hosts/conditional-fetch';
import type { GuardedFetch } from '@docent/base/net/guarded-fetch';

const URL = 'https://git.example.org/api/pulls/1';
const ASKS = { headers: { authorization: 'Bearer one' } };

/** A host with one answer, which says how often it was asked and what for. */
function startHost(answer: { body: string; headers?: Record<string, string>; status?: number }) {
  const now = { headers: {}, status: 200, etag: 'W/"1"' as string | null, ...answer };
  const asked: { ifNoneMatch: string | null; method: string }[] = [];
  let left = 60;
  const fetch: GuardedFetch = async (_input, init) => {
    const ifNoneMatch = new Headers(init?.headers).get('if-none-match');
    asked.push({ ifNoneMatch, method: init?.method ?? 'GET' });
    const isKnown = now.etag !== null && ifNoneMatch === now.etag;
    if (!isKnown) left -= 1;
    const headers = { ...now.headers, 'x-ratelimit-remaining': String(left), ...(now.etag ? { etag: now.etag } : {}) };
    return isKnown
      ? new Response(null, { status: 304, headers })
      : new Response(now.body, { status: now.status, headers });
  };
  return { now, asked, fetch };
}

async function shown(answer: Promise<Response>) {
  const { status, headers } = await answer;
  return {
    status,
    left: headers.get('x-ratelimit-remaining'),
    link: headers.get('link'),
    body: await (await answer).text(),
  };
}

describe('earlier answers of a host', () => {
  test('does not use the rate limit while it is unchanged, and is seen once it changes', async () => {
    const { fetch, now, asked } = startHost({ body: '{"a":1}', headers: { link: '<next>' } });
    const ask = createConditionalFetch(fetch);
    const first = { status: 200, left: '59', link: '<next>', body: '{"a":1}' };
    expect(await shown(ask(URL, ASKS))).toEqual(first);
    expect(await shown(ask(URL, ASKS))).toEqual(first);
    expect(await shown(ask(new Request(URL, ASKS)))).toEqual(first);
    Object.assign(now, { body: '{"a":2}', etag: 'W/"2"' });
    expect(await shown(ask(URL, ASKS))).toEqual({ ...first, left: '58', body: '{"a":2}' });
    expect(asked.map(({ ifNoneMatch }) => ifNoneMatch)).toEqual([null, 'W/"1"', 'W/"1"', 'W/"1"']);
  });

  test('shows the newer headers of a 304', async () => {
    const { fetch, now } = startHost({ body: '{}' });
    const ask = createConditionalFetch(fetch);
    await ask(URL, ASKS);
    now.headers = { link: '<other>' };
    expect((await ask(URL, ASKS)).headers.get('link')).toBe('<other>');
  });

  test('belongs to another entry for another credential, address or form', async () => {
    const { fetch, asked } = startHost({ body: '{}' });
    const ask = createConditionalFetch(fetch);
    await ask(URL, ASKS);
    await ask(URL, { headers: { authorization: 'Bearer two' } });
    await ask(URL, { headers: { 'private-token': 'one' } });
    await ask(URL, { headers: { ...ASKS.headers, accept: 'text/html' } });
    await ask(`${URL}?page=2`, ASKS);
    expect(asked.map(({ ifNoneMatch }) => ifNoneMatch)).toEqual([null, null, null, null, null]);
  });

  test('is forgotten if it has gone, is refused, or no longer has a tag', async () => {
    const { fetch, now, asked } = startHost({ body: '{}' });
    const ask = createConditionalFetch(fetch);
    await ask(URL, ASKS);
    Object.assign(now, { status: 404, etag: null });
    expect((await ask(URL, ASKS)).status).toBe(404);
    now.status = 200;
    await ask(URL, ASKS);
    await ask(URL, ASKS);
    expect(asked.map(({ ifNoneMatch }) => ifNoneMatch)).toEqual([null, 'W/"1"', null, null]);
  });

  test('is not what a change is sent with, nor what it is answered with', async () => {
    const { fetch, asked } = startHost({ body: '{}' });
    const ask = createConditionalFetch(fetch);
    await ask(URL, ASKS);
    await ask(URL, { ...ASKS, method: 'PATCH', body: '{}' });
    await ask(URL, { ...ASKS, method: 'POST', body: '{}' });
    expect(asked.slice(1)).toEqual([
      { method: 'PATCH', ifNoneMatch: null },
      { method: 'POST', ifNoneMatch: null },
    ]);
  });
});

test('no more is kept than there is room for: the longest unused goes first', async () => {
  const { fetch, asked } = startHost({ body: 'x'.repeat(4_000) });
  const ask = createConditionalFetch(fetch, { maxKept: 10_000 });
  const knows = async (page: number) => {
    await ask(`${URL}?page=${page}`, ASKS);
    return asked.at(-1)?.ifNoneMatch !== null;
  };
  expect([await knows(1), await knows(2), await knows(1), await knows(3)]).toEqual([false, false, true, false]);
  expect([await knows(1), await knows(3), await knows(2)]).toEqual([true, true, false]);
});
