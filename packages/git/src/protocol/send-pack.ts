import { Readable } from 'node:stream';
import type { Endpoint } from '../contract.ts';
import { diskFailsIn, REMEDY, Shortage, shortageIn } from '@docent/base/shortage';
import { RepositoryProblem } from '../repository-problem.ts';
import type { ExchangeOptions } from '../transport/transport.ts';
import { transportOf } from '../transport/transport-of.ts';
import { readAdvertisement, type Advertisement } from './advertisement.ts';
import { FLUSH, lineOf, pktLine, quoteServer, readPackets } from './pkt-line.ts';

const ZERO_ID = '0'.repeat(40);
/** An empty pack: servers require one even if they have all objects. */
const EMPTY_PACK = Buffer.from('5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e', 'hex');

/** A server's answer before a push. Errors: RepositoryProblem. */
export async function receiveAdvertisement(endpoint: Endpoint, options: ExchangeOptions): Promise<Advertisement> {
  const advertised = await readAdvertisement(
    readPackets(transportOf(endpoint).advertise('git-receive-pack', { ...options, protocol: undefined })),
  );
  if (!advertised.capabilities.includes('report-status')) {
    throw new RepositoryProblem('repository_unsupported', "The repository's server does not report how a push went.");
  }
  return advertised;
}

export type SendResult = { ok: true } | { ok: false; reason: string };

/**
 * One ref update with compare-and-set by the server, and its pack, null if none (gitprotocol-pack). Never
 * forced: the caller names an old id that is an ancestor of the new one. Throws RepositoryProblem if there
 * was no clear answer: then the update may or may not have happened. Throws Shortage, or RepositoryProblem
 * `unreachable`, for the server's own problems: a disk that is full, failing or read-only.
 */
export async function sendPack(
  endpoint: Endpoint,
  update: { ref: string; oldId: string | null; newId: string; pack: Uint8Array | null },
  capabilities: readonly string[],
  options: ExchangeOptions,
): Promise<SendResult> {
  const wanted = ['report-status', 'side-band-64k', 'object-format=sha1'].filter((name) => capabilities.includes(name));
  const command = `${update.oldId ?? ZERO_ID} ${update.newId} ${update.ref}\0${[...wanted, 'agent=docent'].join(' ')}`;
  const request = Buffer.concat([pktLine(command), FLUSH, update.pack ?? EMPTY_PACK]);
  const answer = transportOf(endpoint).call('git-receive-pack', request, options);
  const report: Buffer[] = [];
  const remarks: string[] = [];
  for await (const packet of readPackets(answer)) {
    if (packet.type !== 'data') continue;
    if (!wanted.includes('side-band-64k')) {
      report.push(pktLine(packet.data));
      continue;
    }
    const text = packet.data.subarray(1);
    if (packet.data[0] === 1) report.push(text);
    else if (remarks.length < 50) remarks.push(text.toString('utf8'));
  }
  return readReport(await reportLines(report), update.ref, remarks.join(''));
}

async function reportLines(chunks: Buffer[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const packet of readPackets(Readable.from(chunks)))
    if (packet.type === 'data') lines.push(lineOf(packet.data));
  return lines;
}

function readReport(lines: string[], ref: string, remarks: string): SendResult {
  if (lines.includes(`ok ${ref}`)) return { ok: true };
  const refusal = lines.find((line) => line.startsWith(`ng ${ref}`));
  const unpack = lines.find((line) => line.startsWith('unpack ') && line !== 'unpack ok');
  const said = [refusal?.slice(`ng ${ref} `.length), unpack].filter(Boolean).join('; ');
  if (said === '') {
    throw new RepositoryProblem(
      'unreachable',
      `The repository's server did not report how the push went. ${quoteServer(remarks)}`,
    );
  }
  const more = quoteServer(remarks);
  const reason = quoteServer(said) + (more === '' ? '' : ` (${more})`);
  const short = shortageIn(`${said}\n${remarks}`);
  if (short) {
    throw new Shortage(short, `The repository's server could not take the push: ${REMEDY[short]} It said: ${reason}`);
  }
  if (diskFailsIn(`${said}\n${remarks}`)) {
    throw new RepositoryProblem('unreachable', `The repository's server could not take the push: ${reason}`);
  }
  return { ok: false, reason };
}
