import { AddressRefused } from '@docent/base/net/address-guard';
import type { GuardedFetch } from '@docent/base/net/guarded-fetch';
import { isIpAddress } from '@docent/base/net/ip-address';
import { networkReason } from '@docent/base/net/network-reason';
import { retryAfterMs } from '@docent/base/net/retry-after';
import { plural } from '@docent/base/plural';
import { VERSION } from '../../version.ts';
import type { Answer, Unknown } from './answer.ts';

export interface AskOptions {
  fetch: GuardedFetch;
  /** Statuses besides 2xx that are fine. */
  acceptStatus: readonly number[];
  timeoutMs: number;
  signal: AbortSignal;
  /** Called before each request except the first: waits until its server may be contacted again. */
  pause: (host: string) => Promise<void>;
}

const MAX_REDIRECTS = 10;
const HEADERS = { 'user-agent': `Docent/${VERSION} (docent check --external)`, accept: '*/*' };
const IS_REDIRECT: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const IS_PERMANENT: ReadonlySet<number> = new Set([301, 308]);
const SIGN_IN = /(?:^|[/._-])(?:log-?in|sign-?in|sso|saml|oauth2?|auth|authorize)(?:[/._-]|$)/i;

/**
 * Requests an address once: `HEAD`, and `GET` if that is refused, without reading its body. Follows redirects
 * to addresses that the guard allows. Never rejects, except when the signal is aborted.
 */
export async function askLink(address: string, options: AskOptions): Promise<Answer> {
  const start = new URL(address);
  const seen = new Set<string>();
  let at = start;
  let moved: URL | null = null;
  let isMoving = true;
  for (let hop = 0; ; hop++) {
    if (hop > MAX_REDIRECTS) return unknown(`redirects more than ${MAX_REDIRECTS} times`);
    if (seen.has(at.href)) return unknown('redirects in a loop');
    seen.add(at.href);
    if (hop > 0) await options.pause(at.host);
    const response = await headOrGet(at, options);
    if ('kind' in response) return response;
    const { status, location } = response;
    if (!IS_REDIRECT.has(status) || location === null) {
      return judged(response, options.acceptStatus) ?? (moved ? movedTo(start, moved, at) : { kind: 'fine' });
    }
    const next = URL.canParse(location, at) ? new URL(location, at) : null;
    if (!next || !/^https?:$/.test(next.protocol)) return unknown('redirects to an address that is not http or https');
    if (next.username !== '' || next.password !== '') return unknown('redirects to an address with a password');
    next.hash ||= at.hash;
    isMoving &&= IS_PERMANENT.has(status);
    if (isMoving) moved = next;
    at = next;
  }
}

interface Head {
  status: number;
  location: string | null;
  retryAfter: string | null;
}

async function headOrGet(url: URL, options: AskOptions): Promise<Head | Answer> {
  const head = await send('HEAD', url, options);
  // Servers may support GET if they do not support HEAD.
  const isAnswer = !('kind' in head) && (head.status < 400 || head.status === 429);
  if (isAnswer || ('kind' in head && !(head.kind === 'unknown' && head.retry))) return head;
  await options.pause(url.host);
  return send('GET', url, options);
}

async function send(method: 'HEAD' | 'GET', url: URL, options: AskOptions): Promise<Head | Answer> {
  const { fetch, timeoutMs, signal } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const asked = new URL(url);
  asked.hash = '';
  try {
    const init = { method, headers: HEADERS, redirect: 'manual' as const, signal: AbortSignal.any([signal, timeout]) };
    const response = await fetch(asked, init);
    await response.body?.cancel().catch(() => undefined);
    const { status, headers } = response;
    return { status, location: headers.get('location'), retryAfter: headers.get('retry-after') };
  } catch (thrown) {
    signal.throwIfAborted();
    if (timeout.aborted) return unreached(`did not respond within ${plural(timeoutMs / 1_000, 'second')}`, Infinity);
    return failed(thrown, asked);
  }
}

/** Null for a working link. */
function judged({ status, retryAfter }: Head, acceptStatus: readonly number[]): Answer | null {
  if ((status >= 200 && status < 300) || status === 304 || acceptStatus.includes(status)) return null;
  if (status === 404 || status === 410) return { kind: 'dead', why: `the server returned ${status}`, by: 'status' };
  const why = `returned ${status}`;
  return status === 429 || status >= 500
    ? { ...unknown(why), retry: { afterMs: retryAfterMs(retryAfter) } }
    : unknown(why);
}

function failed(thrown: unknown, url: URL): Answer {
  if (thrown instanceof AddressRefused) {
    const isPrivate = isIpAddress(url.hostname.replace(/^\[|\]$/g, ''));
    return { kind: 'unknown', why: 'is in a private network', ...(isPrivate && { isPrivate }) };
  }
  const reason = networkReason(thrown);
  if (reason === 'ENOTFOUND') return { kind: 'dead', why: `the server ${url.hostname} does not exist`, by: 'name' };
  return unreached(`could not be reached (${reason})`, null);
}

function movedTo(start: URL, moved: URL, end: URL): Answer {
  const isElsewhere = moved.pathname === '/' && moved.search === '' && start.pathname !== '/';
  const isDoor = SIGN_IN.test(moved.pathname) && !SIGN_IN.test(start.pathname);
  return { kind: 'moved', to: isElsewhere || isDoor ? null : moved.href, end: end.href };
}

function unknown(why: string): Unknown {
  return { kind: 'unknown', why, isReached: true };
}

function unreached(why: string, afterMs: number | null): Unknown {
  return { kind: 'unknown', why, retry: { afterMs } };
}
