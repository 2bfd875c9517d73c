import type { Endpoint } from '../contract.ts';
import { REMEDY, Shortage } from '@docent/base/shortage';
import { RepositoryProblem } from '../repository-problem.ts';
import { AddressRefused } from '@docent/base/net/address-guard';
import { createGuardedFetch, type GuardedFetch } from '@docent/base/net/guarded-fetch';
import { networkReason } from '@docent/base/net/network-reason';
import type { ExchangeOptions, GitService, GitTransport } from './transport.ts';
import { watched } from './watch.ts';

type HttpEndpoint = Extract<Endpoint, { kind: 'http' }>;

/** Connections are kept open between the exchanges of this process. */
const fetches = new Map<string, GuardedFetch>();

/**
 * Git's smart protocol over HTTP. Redirects are not followed: the headers (credentials) only go to the URL's
 * own origin. The host's API reports the new URL of a renamed repository, and whether it is the same one.
 * Messages name the URL without user info, never a header.
 */
export function httpTransport({ url, headers, privateHosts }: HttpEndpoint): GitTransport {
  const base = baseOf(url);
  const fetch = fetchTo(privateHosts);
  const shown = `${base.origin}${base.pathname}`;

  async function* exchange(
    target: URL,
    init: { method: string; headers: Record<string, string>; body?: Uint8Array },
    expectedType: string,
    options: ExchangeOptions,
  ): AsyncGenerator<Uint8Array> {
    const abort = new AbortController();
    const answer = (async function* () {
      const response = await send(target, init, abort.signal);
      if (response.status !== 200) throw statusProblem(response, shown);
      if (response.headers.get('content-type')?.split(';')[0] !== expectedType) {
        await response.body?.cancel();
        throw new RepositoryProblem('repository_missing', `${shown} is not a git repository.`);
      }
      if (response.body) yield* response.body;
    })();
    try {
      yield* watched(answer, options, (reason) => abort.abort(reason));
    } catch (err) {
      if (err instanceof AddressRefused) throw new RepositoryProblem(err.code, err.message, { cause: err });
      throw options.signal?.aborted || err instanceof RepositoryProblem || err instanceof Shortage
        ? err
        : networkProblem(err, shown);
    } finally {
      abort.abort();
    }
  }

  async function send(
    target: URL,
    init: { method: string; headers: Record<string, string>; body?: Uint8Array },
    signal: AbortSignal,
  ): Promise<Response> {
    const body = init.body as Uint8Array<ArrayBuffer> | undefined;
    const response = await fetch(target, { ...init, body, redirect: 'manual', signal });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || !location) return response;
    await response.body?.cancel();
    const next = URL.canParse(location, target) ? new URL(location, target) : null;
    if (next?.origin === base.origin) {
      // Renamed since the host was asked: the next attempt asks again.
      throw new RepositoryProblem(
        'unreachable',
        `${shown} redirects to another address, because it was moved or renamed. Update the URL.`,
      );
    }
    const where = next === null ? 'to no address' : `on to another server (${next.origin})`;
    throw new RepositoryProblem(
      'repository_unreadable',
      `${shown} redirects git ${where}. Use the actual URL of the repository.`,
    );
  }

  const common = (options: ExchangeOptions) => ({
    ...headers,
    'user-agent': 'git/docent',
    ...(options.protocol ? { 'git-protocol': options.protocol } : {}),
  });

  return {
    advertise(service, options) {
      const target = new URL(`${base.href}/info/refs?service=${service}`);
      const answer = exchange(
        target,
        { method: 'GET', headers: { ...common(options), accept: `application/x-${service}-advertisement` } },
        `application/x-${service}-advertisement`,
        options,
      );
      return withoutServiceLine(answer, service);
    },
    call(service, request, options) {
      const init = {
        method: 'POST',
        body: request,
        headers: {
          ...common(options),
          'content-type': `application/x-${service}-request`,
          accept: `application/x-${service}-result`,
        },
      };
      return exchange(new URL(`${base.href}/${service}`), init, `application/x-${service}-result`, options);
    },
  };
}

/** The limits of an exchange are `watched`: the fetch itself has none. */
function fetchTo(privateHosts: readonly string[]): GuardedFetch {
  const key = privateHosts.join(',');
  const known = fetches.get(key) ?? createGuardedFetch({ allowed: privateHosts, timeoutMs: null, maxBytes: null });
  fetches.set(key, known);
  return known;
}

function baseOf(url: string): URL {
  const base = URL.canParse(url) ? new URL(url) : null;
  if (!base || (base.protocol !== 'https:' && base.protocol !== 'http:')) {
    throw new RepositoryProblem('repository_missing', 'The URL of the repository must begin with https:// or http://.');
  }
  base.username = '';
  base.password = '';
  base.search = '';
  base.hash = '';
  base.pathname = base.pathname.replace(/\/+$/, '');
  return base;
}

/** Drops the line `# service=…` of a server's version 0 advertisement, which local programs do not send. */
async function* withoutServiceLine(source: AsyncIterable<Uint8Array>, service: GitService): AsyncGenerator<Uint8Array> {
  const line = `# service=${service}\n`;
  const preludes = [line, line.trimEnd()].map(
    (text) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}0000`,
  );
  let held: Buffer | null = Buffer.alloc(0);
  for await (const chunk of source) {
    if (held === null) {
      yield chunk;
      continue;
    }
    held = Buffer.concat([held, chunk]);
    const text = held.toString('latin1', 0, 64);
    if (preludes.some((prelude) => prelude.startsWith(text) && prelude !== text)) continue;
    const prelude = preludes.find((candidate) => text.startsWith(candidate));
    yield held.subarray(prelude?.length ?? 0);
    held = null;
  }
  if (held && held.length > 0) yield held;
}

function statusProblem(response: Response, shown: string): RepositoryProblem | Shortage {
  response.body?.cancel().catch(() => {});
  const { status } = response;
  if (status === 401 || status === 403) {
    return new RepositoryProblem(
      'repository_unreadable',
      `${shown} rejected the credential (${status}). Check the token and its permissions.`,
    );
  }
  if (status === 404 || status === 410) {
    return new RepositoryProblem(
      'repository_missing',
      `There is no repository at ${shown}, or the token has no access to it.`,
    );
  }
  if (status === 413) {
    return new RepositoryProblem(
      'repository_unsupported',
      `${shown}, or a proxy before it, rejected a push of this size (413). Raise its limit for request bodies, or make a smaller change.`,
    );
  }
  if (status === 507) return new Shortage('disk', `${shown} takes no push (507): ${REMEDY.disk}`);
  const retryAfter = response.headers.get('retry-after')?.trim() ?? '';
  const retryAfterMs = /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : undefined;
  return new RepositoryProblem('unreachable', `${shown} returned status ${status}.`, { retryAfterMs });
}

function networkProblem(err: unknown, shown: string): RepositoryProblem {
  return new RepositoryProblem('unreachable', `${shown} could not be reached (${networkReason(err)}).`, { cause: err });
}
