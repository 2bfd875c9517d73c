import type { Endpoint } from '../contract.ts';
import type { ExchangeOptions } from '../transport/transport.ts';
import { transportOf } from '../transport/transport-of.ts';
import { addRef, readAdvertisement } from './advertisement.ts';
import { DELIMITER, FLUSH, lineOf, pktLine, readPackets } from './pkt-line.ts';

const HEADS = 'refs/heads/';
const TAGS = 'refs/tags/';
/** The maximum size of a list of refs, in bytes: about 500,000 refs. */
const MAX_REF_BYTES = 64 * 1024 * 1024;

/** Branches and their commits, without `refs/heads/`; empty without a commit. Throws RepositoryProblem. */
export function listBranches(endpoint: Endpoint, options: ExchangeOptions): Promise<Map<string, string>> {
  return listRefs(endpoint, HEADS, options);
}

/** Tags without `refs/tags/`, and the objects that they name. Throws RepositoryProblem. */
export function listTags(endpoint: Endpoint, options: ExchangeOptions): Promise<Map<string, string>> {
  return listRefs(endpoint, TAGS, options);
}

async function listRefs(endpoint: Endpoint, prefix: string, options: ExchangeOptions): Promise<Map<string, string>> {
  const transport = transportOf(endpoint);
  const limits = { ...options.limits, maxBytes: Math.min(options.limits.maxBytes, MAX_REF_BYTES) };
  // Locally, the old protocol needs one call instead of two.
  const protocol = endpoint.kind === 'local' ? undefined : ('version=2' as const);
  const exchange = { ...options, limits, protocol };
  const { version, refs } = await readAdvertisement(readPackets(transport.advertise('git-upload-pack', exchange)));
  if (version === 2) {
    const request = [
      pktLine('command=ls-refs\n'),
      pktLine('object-format=sha1\n'),
      DELIMITER,
      pktLine(`ref-prefix ${prefix}\n`),
      FLUSH,
    ];
    for await (const packet of readPackets(transport.call('git-upload-pack', Buffer.concat(request), exchange))) {
      if (packet.type === 'data') addRef(refs, lineOf(packet.data));
    }
  }
  // Old servers also list the objects of tags, as `v1^{}`.
  const found = [...refs].filter(([name]) => name.startsWith(prefix) && !name.endsWith('^{}'));
  return new Map(found.map(([name, id]) => [name.slice(prefix.length), id]));
}
