import { HostProblem } from './host-problem.ts';
import { AddressRefused } from '@docent/base/net/address-guard';
import type { GuardedFetch } from '@docent/base/net/guarded-fetch';
import { networkReason } from '@docent/base/net/network-reason';

/**
 * A `fetch` for the API of one code host that throws HostProblem if there is no answer: `host_unavailable`,
 * or `address_refused`. Reads follow redirects (of renamed repositories). Writes do not: a redirect means
 * that the repository was renamed in the meantime, and must be requested again.
 */
export function createHostFetch(apiUrl: string, guarded: GuardedFetch): GuardedFetch {
  const { host } = new URL(apiUrl);

  return async function hostFetch(input, init) {
    const method = (init?.method ?? 'GET').toUpperCase();
    try {
      const looks = ['GET', 'HEAD'].includes(method);
      const answer = await guarded(input, looks ? init : { ...init, redirect: 'manual' });
      const { status, statusText, headers, url } = answer;
      if (!looks && status >= 300 && status <= 399) {
        await answer.body?.cancel();
        throw sentOn(headers.get('location'), url);
      }
      // Read here, to distinguish an answer that breaks off from one that a client cannot parse.
      const body = answer.body === null ? null : await answer.text();
      if (answer.ok && body !== null && body !== '')
        assertExpectedBody(body, { url, headers, accept: acceptOf(input, init) });
      const whole = new Response(body, { status, statusText, headers });
      return Object.defineProperty(whole, 'url', { value: url });
    } catch (err) {
      throw problemOf(err, host);
    }
  };
}

/** Reads a plain text, such as a log. Null if it is missing or not accessible. @throws HostProblem */
export type ReadText = (url: string, headers?: Record<string, string>) => Promise<string | null>;

export function createReadText(guarded: GuardedFetch): ReadText {
  return async (url, headers = {}) => {
    try {
      const answer = await guarded(url, { headers });
      if (answer.ok) return await answer.text();
      await answer.body?.cancel();
      return null;
    } catch (err) {
      throw problemOf(err, new URL(url).host);
    }
  };
}

function problemOf(err: unknown, host: string): HostProblem {
  if (err instanceof HostProblem) return err;
  if (err instanceof AddressRefused) return new HostProblem(err.code, err.message);
  return new HostProblem('host_unavailable', `${host} could not be reached (${reasonOf(err)}).`);
}

function acceptOf(...[input, init]: Parameters<GuardedFetch>): string {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  return headers.get('accept') ?? '';
}

/** Clients turn a proxy's page into null, text or their own errors. Diffs are requested by `Accept`. */
function assertExpectedBody(
  body: string,
  { url, headers, accept }: { url: string; headers: Headers; accept: string },
): void {
  const isDiff = /\bdiff\b|^text\/plain/.test(accept);
  const wanted = isDiff ? 'a diff' : 'JSON';
  if (isDiff ? !/html|json/i.test(headers.get('content-type') ?? '') : isJson(body)) return;
  const { host, pathname } = new URL(url);
  throw new HostProblem(
    'host_unavailable',
    `${host} returned something other than ${wanted} at ${pathname}, as proxies and sign-in pages do. Check the address of its API.`,
  );
}

function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

function sentOn(location: string | null, from: string): HostProblem {
  const { origin, host } = new URL(from);
  const next = location !== null && URL.canParse(location, from) ? new URL(location, from) : null;
  if (next?.origin === origin) {
    return new HostProblem(
      'host_unavailable',
      `${host} redirects to another address, because it was moved or renamed.`,
    );
  }
  const where = next === null ? 'to no address' : `on to ${next.origin}`;
  return new HostProblem('address_refused', `${origin} redirects Docent ${where}. Use its actual address.`);
}

function reasonOf(err: unknown): string {
  if (err instanceof Error && err.name === 'TimeoutError') return 'no answer in time';
  return networkReason(err);
}
