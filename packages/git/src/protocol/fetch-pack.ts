import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Endpoint } from '../contract.ts';
import { RepositoryProblem } from '../repository-problem.ts';
import type { ExchangeOptions } from '../transport/transport.ts';
import { transportOf } from '../transport/transport-of.ts';
import { readAdvertisement } from './advertisement.ts';
import { DELIMITER, FLUSH, lineOf, pktLine, quoteServer, readPackets, type Packet } from './pkt-line.ts';

export interface PackRequest {
  wants: readonly string[];
  /** Commits whose own trees we have; their ancestors only if they are not in `shallow`. */
  haves?: readonly string[];
  shallow?: readonly string[];
  /** The number of commits from the wanted ones on: 1 is only the wanted ones. */
  depth?: number;
  /** What to omit, if the server supports it (git rev-list --filter). */
  filter?: string;
  /** Whether deltas may depend on objects of the haves. */
  thin?: boolean;
}

export interface FetchedPack {
  bytes: number;
  /** Whether the request used `filter`. */
  filtered: boolean;
}

/** A server's capabilities in protocol 2. */
interface ServerAbilities {
  filter: boolean;
}

/** Asks a server for its protocol 2 abilities; git itself, next door, is known. Errors: RepositoryProblem. */
async function serverAbilities(endpoint: Endpoint, options: ExchangeOptions): Promise<ServerAbilities> {
  if (endpoint.kind === 'local') return { filter: true };
  const advertised = transportOf(endpoint).advertise('git-upload-pack', { ...options, protocol: 'version=2' });
  const { version, capabilities } = await readAdvertisement(readPackets(advertised));
  if (version !== 2) {
    throw new RepositoryProblem(
      'repository_unsupported',
      "The repository's server does not speak version 2 of git's protocol, which git supports since 2.18. Update git on the server.",
    );
  }
  const fetch = capabilities.find((line) => line === 'fetch' || line.startsWith('fetch=')) ?? '';
  return { filter: fetch.slice('fetch='.length).split(' ').includes('filter') };
}

/** Fetches a pack (gitprotocol-v2) into a new file and checks its checksum. Throws RepositoryProblem. */
export async function fetchPack(
  endpoint: Endpoint,
  request: PackRequest,
  path: string,
  options: ExchangeOptions & { onProgress?: ((bytes: number) => void) | undefined },
): Promise<FetchedPack> {
  const abilities = await serverAbilities(endpoint, options);
  const filter = abilities.filter ? request.filter : undefined;
  const answer = transportOf(endpoint).call('git-upload-pack', encodeRequest({ ...request, filter }), {
    ...options,
    protocol: 'version=2',
  });
  const file = openSync(path, 'wx', 0o600);
  try {
    const checksum = new TrailingChecksum();
    let bytes = 0;
    for await (const data of packData(readPackets(answer))) {
      checksum.add(data);
      writeSync(file, data);
      bytes += data.length;
      options.onProgress?.(bytes);
    }
    if (!checksum.holds()) {
      throw new RepositoryProblem('unreachable', "The repository's server sent a pack that was damaged on its way.");
    }
    return { bytes, filtered: filter !== undefined };
  } finally {
    closeSync(file);
  }
}

/** Whether the server has a commit, reachable or not: one round of negotiation without a pack. */
export async function serverHas(
  endpoint: Endpoint,
  commit: string,
  want: string,
  options: ExchangeOptions,
): Promise<boolean> {
  const request = encodeRequest({ wants: [want], haves: [commit] }, { done: false });
  const answer = transportOf(endpoint).call('git-upload-pack', request, { ...options, protocol: 'version=2' });
  for await (const packet of readPackets(answer)) {
    if (packet.type !== 'data') break;
    const line = lineOf(packet.data);
    if (line === `ACK ${commit}`) return true;
    if (line === 'NAK') return false;
  }
  return false;
}

function encodeRequest(request: PackRequest, { done }: { done: boolean } = { done: true }): Buffer {
  const { wants, haves = [], shallow = [], depth, filter, thin = false } = request;
  const lines = [
    ...(thin ? ['thin-pack'] : []),
    'no-progress',
    'ofs-delta',
    ...wants.map((id) => `want ${id}`),
    ...shallow.map((id) => `shallow ${id}`),
    ...(depth === undefined ? [] : [`deepen ${depth}`]),
    ...(filter === undefined ? [] : [`filter ${filter}`]),
    ...haves.map((id) => `have ${id}`),
    ...(done ? ['done'] : []),
  ];
  return Buffer.concat([
    pktLine('command=fetch\n'),
    pktLine('agent=docent\n'),
    pktLine('object-format=sha1\n'),
    DELIMITER,
    ...lines.map((line) => pktLine(`${line}\n`)),
    FLUSH,
  ]);
}

/** The `packfile` section: band 1 of its packets. Band 2 is progress, band 3 a fatal error. */
async function* packData(packets: AsyncIterable<Packet>): AsyncGenerator<Buffer> {
  let section: string | null = null;
  let inPack = false;
  let remark = '';
  for await (const packet of packets) {
    if (packet.type !== 'data') {
      section = null;
      continue;
    }
    if (section === null) {
      section = lineOf(packet.data);
      inPack ||= section === 'packfile';
      continue;
    }
    if (section !== 'packfile') continue;
    const band = packet.data[0];
    if (band === 1) yield packet.data.subarray(1);
    else if (band === 2) remark = packet.data.toString('utf8', 1) + remark.slice(0, 500);
    else throw gaveUp(quoteServer(packet.data.toString('utf8', 1)), quoteServer(remark));
  }
  if (!inPack) throw new RepositoryProblem('unreachable', "The repository's server sent no pack.");
}

function gaveUp(said: string, remark: string): RepositoryProblem {
  if (/corrupt/i.test(said)) {
    return new RepositoryProblem(
      'repository_unreadable',
      `The repository is damaged ("git fsck" in it shows where): ${remark || said}`,
    );
  }
  return new RepositoryProblem('unreachable', `The repository's server gave up: ${said}`);
}

/** Checks that a stream's last 20 bytes are the SHA-1 of all bytes before them. */
class TrailingChecksum {
  readonly #hash = createHash('sha1');
  #tail: Buffer = Buffer.alloc(0);

  add(data: Buffer): void {
    if (data.length >= 20) {
      this.#hash.update(this.#tail).update(data.subarray(0, -20));
      this.#tail = Buffer.from(data.subarray(-20));
      return;
    }
    const joined = Buffer.concat([this.#tail, data]);
    const cut = Math.max(0, joined.length - 20);
    this.#hash.update(joined.subarray(0, cut));
    this.#tail = joined.subarray(cut);
  }

  holds(): boolean {
    return this.#tail.length === 20 && this.#hash.digest().equals(this.#tail);
  }
}
