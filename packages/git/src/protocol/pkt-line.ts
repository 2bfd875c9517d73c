import { oneLine } from '@docent/base/one-line';
import { RepositoryProblem } from '../repository-problem.ts';

/** A packet of git's wire format (gitprotocol-common): a line of data, or one of the three special ones. */
export type Packet =
  | { type: 'data'; data: Buffer }
  | { type: 'flush' }
  | { type: 'delimiter' }
  | { type: 'response-end' };

const SPECIAL = ['flush', 'delimiter', 'response-end'] as const;
export const FLUSH = Buffer.from('0000');
export const DELIMITER = Buffer.from('0001');

/** @param line at most 65,516 bytes */
export function pktLine(line: string | Uint8Array): Buffer {
  const data = typeof line === 'string' ? Buffer.from(line) : line;
  const length = (data.length + 4).toString(16).padStart(4, '0');
  if (length.length > 4) throw new RangeError('A packet holds at most 65,516 bytes.');
  return Buffer.concat([Buffer.from(length), data]);
}

/** Splits an answer into packets. Throws a line `ERR …`, and for a truncated or malformed answer. */
export async function* readPackets(source: AsyncIterable<Uint8Array>): AsyncGenerator<Packet> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    held = held.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length) : Buffer.concat([held, chunk]);
    let at = 0;
    while (held.length - at >= 4) {
      const length = lengthAt(held, at);
      const special = SPECIAL[length];
      if (special) {
        at += 4;
        yield { type: special };
        continue;
      }
      if (length < 4) throw garbled();
      if (held.length - at < length) break;
      const data = held.subarray(at + 4, at + length);
      at += length;
      if (data.length > 4 && data.toString('latin1', 0, 4) === 'ERR ') throw serverError(lineOf(data).slice(4));
      yield { type: 'data', data };
    }
    held = held.subarray(at);
  }
  if (held.length > 0) throw garbled();
}

/** A packet's text without its line end. */
export function lineOf(data: Buffer): string {
  const end = data.at(-1) === 0x0a ? data.length - 1 : data.length;
  return data.toString('utf8', 0, end);
}

/** A server's words as one line of a message: no control characters, at most 500 characters. */
export function quoteServer(text: string): string {
  return oneLine(text).slice(0, 500);
}

function lengthAt(buffer: Buffer, at: number): number {
  const text = buffer.toString('latin1', at, at + 4);
  if (!/^[0-9a-fA-F]{4}$/.test(text)) throw garbled();
  return parseInt(text, 16);
}

function garbled(): RepositoryProblem {
  return new RepositoryProblem(
    'unreachable',
    "The repository's server gave an answer that is cut short or is not git's.",
  );
}

function serverError(text: string): RepositoryProblem {
  const said = quoteServer(text);
  if (/not our ref|no such ref|unknown ref/i.test(said)) {
    return new RepositoryProblem('branch_missing', `The repository does not have that commit any more (${said}).`);
  }
  return new RepositoryProblem('unreachable', `The repository's server said: ${said}`);
}
