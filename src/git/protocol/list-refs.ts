import { Errors, listServerRefs, type GitHttpRequest, type GitHttpResponse } from 'isomorphic-git';
import type { Endpoint } from '../contract.ts';
import { RepositoryProblem } from '../hosts/host.ts';
import { transportOf, type ExchangeOptions, type GitService, type GitTransport } from '../transport/transport.ts';
import { pktLine } from './pkt-line.ts';

const HEADS = 'refs/heads/';
/** isomorphic-git wants a URL; no request ever goes there. */
const NOWHERE = 'http://repository.invalid';

/** The bytes of a list of refs, at most: some 500,000 of them. */
const MAX_REF_BYTES = 64 * 1024 * 1024;

/**
 * All branches and their commits. A repository without a commit has none: an empty map.
 * Errors: RepositoryProblem.
 */
export async function listBranches(endpoint: Endpoint, options: ExchangeOptions): Promise<Map<string, string>> {
  const limits = { ...options.limits, maxBytes: Math.min(options.limits.maxBytes, MAX_REF_BYTES) };
  const plugin = httpPlugin(transportOf(endpoint), { ...options, limits });
  try {
    const refs = await listServerRefs({
      http: plugin,
      url: NOWHERE,
      prefix: HEADS,
      // Next door, the old protocol gives the same in one call instead of two.
      protocolVersion: endpoint.kind === 'local' ? 1 : 2,
    });
    return new Map(
      refs.filter(({ ref }) => ref.startsWith(HEADS)).map(({ ref, oid }) => [ref.slice(HEADS.length), oid]),
    );
  } catch (err) {
    options.signal?.throwIfAborted();
    if (err instanceof Errors.EmptyServerResponseError) return new Map();
    if (isGitAnswerError(err)) {
      throw new RepositoryProblem('unreachable', "The repository's server did not answer as a git server does.", {
        cause: err,
      });
    }
    throw err;
  }
}

/** isomorphic-git's idea of HTTP, carried by our transports. */
function httpPlugin(transport: GitTransport, options: ExchangeOptions) {
  return {
    async request({ url, method, headers, body }: GitHttpRequest): Promise<GitHttpResponse> {
      const protocol = Object.entries(headers ?? {}).some(
        ([name, value]) => /^git-protocol$/i.test(name) && value === 'version=2',
      );
      const exchange: ExchangeOptions = { ...options, protocol: protocol ? 'version=2' : undefined };
      const found = /git-(?:upload|receive)-pack/.exec(url);
      if (!found) throw new Error('isomorphic-git asked for something else than a git service.');
      const service = found[0] as GitService;
      const answering = method === 'GET' ? 'advertisement' : 'result';
      const answer =
        method === 'GET'
          ? advertisement(transport, service, exchange)
          : transport.call(service, await collected(body), exchange);
      return {
        url,
        statusCode: 200,
        statusMessage: 'OK',
        headers: { 'content-type': `application/x-${service}-${answering}` },
        body: answer,
      };
    },
  };
}

async function* advertisement(
  transport: GitTransport,
  service: GitService,
  options: ExchangeOptions,
): AsyncGenerator<Uint8Array> {
  yield pktLine(`# service=${service}\n`);
  yield Buffer.from('0000');
  yield* transport.advertise(service, options);
}

async function collected(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | undefined): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** isomorphic-git's own errors bear `isIsomorphicGitError`; an answer that it cannot parse may fail in plainer ways too. */
function isGitAnswerError(err: unknown): boolean {
  return err instanceof TypeError || (err instanceof Error && 'isIsomorphicGitError' in err);
}
