import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type * as Undici from 'undici';
import { AddressGuard, AddressRefused } from './address-guard.ts';
import { isIpAddress } from './ip-address.ts';

/** Gives all addresses of a name, as `dns.lookup` with `all`. */
type Resolve = (
  hostname: string,
  callback: (err: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface GuardOptions {
  /** Entries of DOCENT_PRIVATE_HOSTS: destinations allowed besides the internet. */
  allowed: readonly string[];
  /**
   * Milliseconds that one request may take, its answer's body included; null leaves that to the caller.
   * Default 30,000.
   */
  timeoutMs?: number | null;
  /** Bytes of an answer's body, decoded; null leaves that to the caller. Default 16 MB. */
  maxBytes?: number | null;
  /** For tests. */
  resolve?: Resolve;
}

/** Compatible with the global `fetch`. Bodies are text or bytes. */
export type GuardedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

interface Sent {
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  signal: AbortSignal | undefined;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 3;
const NULL_BODY = new Set([204, 205, 304]);

/**
 * A `fetch` for URLs from people. Every connection, even after a redirect, checks its address when it is
 * made, so that changing DNS answers have no effect. Redirects are only followed on the same origin, so that
 * credentials in headers go nowhere else. Proxies of the environment are not used. Rejects with {@link
 * AddressRefused} for a forbidden address.
 */
export function createGuardedFetch(options: GuardOptions): GuardedFetch {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxBytes = DEFAULT_MAX_BYTES } = options;
  const guard = new AddressGuard(options.allowed);
  let dispatcher: Undici.Agent | undefined;

  async function send(url: URL, { method, headers, body, signal }: Sent): Promise<Response> {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      throw new AddressRefused(`Docent only sends requests to http:// and https:// URLs, not ${url.protocol}`);
    }
    // undici would show them in its error.
    if (url.username || url.password) throw new AddressRefused('The URL must not contain a user name or password.');
    // Loaded with the first request: it takes 6 MB.
    const undici = await import('undici');
    dispatcher ??= guardedAgent(undici, guard, options.resolve ?? resolveAll);
    try {
      const answer = await undici.fetch(url, { method, headers, body, signal, redirect: 'manual', dispatcher });
      return plainResponse(answer, url, maxBytes);
    } catch (err) {
      throw refusalIn(err) ?? err;
    }
  }

  return async (input, init = {}) => {
    const { url, sent } = await readRequest(input, init, timeoutMs);
    let at = url;
    for (let hop = 0; ; hop++) {
      const response = await send(at, sent);
      const location = response.headers.get('location');
      if (init.redirect === 'manual' || response.status < 300 || response.status > 399 || location === null) {
        return response;
      }
      await response.body?.cancel();
      at = nextHop(at, location, response.status, sent.method, hop);
    }
  };
}

/** Checks the addresses of a connection when it is made. */
function guardedAgent(undici: typeof Undici, guard: AddressGuard, resolve: Resolve): Undici.Agent {
  const connectors = new Map<number, Undici.buildConnector.connector>();
  const connectorTo = (port: number) => {
    const known = connectors.get(port);
    if (known) return known;
    const made = undici.buildConnector({
      timeout: CONNECT_TIMEOUT_MS,
      allowH2: false,
      lookup: checkedLookup(guard, port, resolve),
    });
    connectors.set(port, made);
    return made;
  };
  return new undici.Agent({
    connect(options, callback) {
      const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
      const hostname = options.hostname.replace(/^\[|\]$/g, '');
      // An address is connected to without any look-up.
      const refusal = isIpAddress(hostname) ? refusalOf(guard, hostname, port, [hostname]) : null;
      if (refusal) callback(refusal, null);
      else connectorTo(port)(options, callback);
    },
  });
}

function checkedLookup(guard: AddressGuard, port: number, resolve: Resolve): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname, (err, found) => {
      const [first] = found ?? [];
      const addresses = (found ?? []).map(({ address }) => address);
      const problem =
        err ?? (first ? refusalOf(guard, hostname, port, addresses) : new Error(`${hostname} has no address.`));
      if (problem || !first) callback(problem, []);
      else if (all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

function refusalOf(guard: AddressGuard, hostname: string, port: number, addresses: readonly string[]): Error | null {
  try {
    guard.check(hostname, port, addresses);
    return null;
  } catch (err) {
    return err instanceof Error ? err : new Error(String(err));
  }
}

const resolveAll: Resolve = (hostname, callback) => systemLookup(hostname, { all: true }, callback);

async function readRequest(
  input: string | URL | Request,
  init: RequestInit,
  timeoutMs: number | null,
): Promise<{ url: URL; sent: Sent }> {
  const request = input instanceof Request ? input : null;
  const signal = init.signal ?? request?.signal;
  const signals = [...(signal ? [signal] : []), ...(timeoutMs === null ? [] : [AbortSignal.timeout(timeoutMs)])];
  return {
    url: new URL(input instanceof Request ? input.url : input),
    sent: {
      method: (init.method ?? request?.method ?? 'GET').toUpperCase(),
      headers: Object.fromEntries(new Headers(init.headers ?? request?.headers)),
      body: bodyOf(init.body) ?? (request?.body ? new Uint8Array(await request.arrayBuffer()) : null),
      signal: signals.length > 0 ? AbortSignal.any(signals) : undefined,
    },
  };
}

function bodyOf(body: RequestInit['body']): string | Uint8Array | null {
  if (body === undefined || body === null || typeof body === 'string' || body instanceof Uint8Array)
    return body ?? null;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('A guarded request takes a body of text or bytes.');
}

function nextHop(from: URL, location: string, status: number, method: string, hop: number): URL {
  const next = URL.canParse(location, from) ? new URL(location, from) : null;
  if (next?.origin !== from.origin) {
    const where = next === null ? 'to no address' : `on to ${next.origin}`;
    throw new AddressRefused(`${from.origin} sends Docent ${where}. Use its actual address.`);
  }
  const repeats = method === 'GET' || method === 'HEAD' || status === 307 || status === 308;
  if (hop === MAX_REDIRECTS || !repeats) {
    throw new AddressRefused(`${from.origin}${from.pathname} redirects to another address. Use its actual address.`);
  }
  return next;
}

/** The answer with its body counted. */
function plainResponse(answer: Undici.Response, url: URL, maxBytes: number | null): Response {
  const { status, statusText } = answer;
  const headers = new Headers([...answer.headers]);
  const source = answer.body as ReadableStream<Uint8Array<ArrayBuffer>> | null;
  const body = source && !NULL_BODY.has(status) ? counted(source, url, maxBytes) : null;
  // Some servers answer 999, which Response does not allow.
  const response = new Response(body, { status: Math.min(status, 599), statusText, headers });
  Object.defineProperty(response, 'status', { value: status });
  Object.defineProperty(response, 'url', { value: url.href });
  return response;
}

function counted(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  url: URL,
  maxBytes: number | null,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  if (maxBytes === null) return source;
  let bytes = 0;
  return source.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes <= maxBytes) controller.enqueue(chunk);
        else
          controller.error(
            new Error(`${url.origin} sent more than ${Math.round(maxBytes / 1_048_576)} MB in one answer.`),
          );
      },
    }),
  );
}

/** `fetch` wraps what went wrong at the connection. */
function refusalIn(err: unknown): AddressRefused | null {
  for (let at: unknown = err, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof AddressRefused) return at;
  }
  return null;
}
