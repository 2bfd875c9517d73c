import { createHash } from 'node:crypto';
import type { GuardedFetch } from '@docent/base/net/guarded-fetch';

interface KeptAnswer {
  etag: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** For all cached answers together, in characters. */
const MAX_KEPT = 8 * 1024 * 1024;
/** A larger body is not kept. */
const MAX_BODY = 1024 * 1024;

/**
 * A `fetch` for the API of one code host that uses `If-None-Match` for known answers, so that polling costs
 * little: GitHub does not count 304 answers
 * (https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate).
 * Callers never see a 304: they get the cached answer with the newer headers. Only answers with an `ETag` are
 * cached, in memory, the least recently used ones dropped first. Credentials share no answers.
 */
export function createConditionalFetch(fetch: GuardedFetch, { maxKept = MAX_KEPT } = {}): GuardedFetch {
  const kept = new Map<string, KeptAnswer>();
  let size = 0;

  function forget(key: string): void {
    const known = kept.get(key);
    if (known) size -= sizeOf(known);
    kept.delete(key);
  }

  function keep(key: string, answer: KeptAnswer): void {
    forget(key);
    kept.set(key, answer);
    size += sizeOf(answer);
    for (const oldest of kept.keys()) {
      if (size <= maxKept) break;
      forget(oldest);
    }
  }

  return async (input, init) => {
    const request = input instanceof Request ? input : null;
    if ((init?.method ?? request?.method ?? 'GET').toUpperCase() !== 'GET') return fetch(input, init);
    const headers = new Headers(init?.headers ?? request?.headers);
    const key = keyOf(request?.url ?? String(input), headers);
    const known = kept.get(key);
    if (known) headers.set('if-none-match', known.etag);
    const answer = await fetch(input, { ...init, headers });
    if (answer.status === 304 && known) {
      const still = { ...known, headers: { ...known.headers, ...headersOf(answer) } };
      keep(key, still);
      return responseOf(still);
    }
    const etag = answer.headers.get('etag');
    if (answer.status !== 200 || etag === null) {
      forget(key);
      return answer;
    }
    const found = { etag, url: answer.url, headers: headersOf(answer), body: await answer.text() };
    if (found.body.length <= MAX_BODY) keep(key, found);
    else forget(key);
    return responseOf(found);
  };
}

/** The caller, the URL and the form of the request: no secret can be read from it. */
function keyOf(url: string, headers: Headers): string {
  const asks = ['accept', 'authorization', 'private-token'].map((name) => headers.get(name));
  return createHash('sha256')
    .update(JSON.stringify([url, ...asks]))
    .digest('base64');
}

/** An empty answer takes room as well. */
function sizeOf({ url, headers, body }: KeptAnswer): number {
  return url.length + JSON.stringify(headers).length + body.length;
}

/** Without headers about the encoding of the body. */
function headersOf({ headers }: Response): Record<string, string> {
  const { 'content-encoding': _encoding, 'content-length': _length, ...rest } = Object.fromEntries(headers);
  return rest;
}

function responseOf({ headers, body, url }: KeptAnswer): Response {
  return Object.defineProperty(new Response(body, { headers }), 'url', { value: url });
}
