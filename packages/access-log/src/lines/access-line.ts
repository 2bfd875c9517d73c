import { plainAddress } from './plain-address.ts';
import type { KnownAgent } from '../agents/user-agent.ts';
import type { ReferrerHost } from '../pages/referrer-host.ts';
import { isIpAddress } from '@docent/base/net/ip-address';
import { logText, type LogText } from './log-text.ts';
import { splitRequest } from './request-parts.ts';
import type { Target } from './target.ts';
import type { LineProblem, LogRecord } from './record.ts';
import { TextCache } from './text-cache.ts';
import { readAnyTime, readClfTime } from './timestamp.ts';

const QUOTE = 34;
const SPACE = 32;
const BACKSLASH = 92;
const OPEN = 91;
const CLOSE = 93;
const DASH = 45;
const COMMA = 44;
const COLON = 58;

const targets = new TextCache<Target>(16_384, 256);
const referrers = new TextCache<ReferrerHost>(16_384, 256);
const userAgents = new TextCache<KnownAgent>(4_096, 512);

/** The positions of the quoted fields after the status, from 0. */
export interface QuotedLayout {
  readonly referrer: number;
  readonly userAgent: number;
  /** -1: no field. */
  readonly forwardedFor: number;
  /** The last one that is read. */
  readonly last: number;
}

export const COMBINED: QuotedLayout = { referrer: 0, userAgent: 1, forwardedFor: -1, last: 1 };

/**
 * Parses one line of Apache's or nginx's access log in the common or combined format, without its line break:
 * `address ident user [time] "request" status bytes "referrer" "user agent" …`. Skips prefixes and additional
 * fields. Works on bytes: only stored parts become strings.
 */
export function readAccessLine(
  buffer: Buffer,
  start: number,
  end: number,
  layout: QuotedLayout = COMBINED,
): LogRecord | LineProblem {
  const open = findTime(buffer, start, end);
  if (open < 0) return 'not_a_log_line';
  const close = indexOf(buffer, CLOSE, open, end);
  if (close < 0) return 'not_a_log_line';
  const client = readAddress(buffer, start, open);
  if (client === null) return 'bad_address';
  let timestampMs = readClfTime(buffer, open + 1, close);
  if (Number.isNaN(timestampMs)) timestampMs = readAnyTime(buffer.toString('latin1', open + 1, close));
  if (Number.isNaN(timestampMs)) return 'bad_timestamp';

  const requestOpen = indexOf(buffer, QUOTE, close, end);
  if (requestOpen < 0 || requestOpen > close + 2) return 'not_a_log_line';
  const requestClose = closingQuote(buffer, requestOpen + 1, end);
  if (requestClose < 0) return 'not_a_log_line';
  const request = readRequest(buffer, requestOpen + 1, requestClose);
  if (request === null) return 'bad_request';

  const statusAt = requestClose + 2;
  const status = readStatus(buffer, statusAt, end);
  if (status < 0) return 'bad_status';

  let referrer: LogText<ReferrerHost> | null = null;
  let userAgent: LogText<KnownAgent> | null = null;
  const before = client.at > start ? inFront(buffer, start, client.at) : undefined;
  let forwardedFor = before?.addresses;
  let from = statusAt + 3;
  for (let i = 0; i <= layout.last; i += 1) {
    const fieldOpen = indexOf(buffer, QUOTE, from, end);
    if (fieldOpen < 0) break;
    // A line truncated within its last field still identifies the client.
    const fieldClose = closingQuote(buffer, fieldOpen + 1, end);
    const fieldEnd = fieldClose < 0 ? end : fieldClose;
    if (i === layout.userAgent) userAgent = userAgents.get(buffer, fieldOpen + 1, fieldEnd, readField);
    else if (i === layout.referrer && fieldClose > fieldOpen + 1 && !isDash(buffer, fieldOpen + 1, fieldClose)) {
      referrer = referrers.get(buffer, fieldOpen + 1, fieldClose, readField);
    } else if (i === layout.forwardedFor) forwardedFor = readField(buffer, fieldOpen + 1, fieldEnd);
    if (fieldClose < 0) break;
    from = fieldClose + 1;
  }
  return {
    timestampMs,
    method: request.method,
    status,
    pathOrUrl: request.target,
    ip: client.ip,
    userAgent,
    referrer,
    requestId: null,
    ...(forwardedFor !== undefined && { forwardedFor }),
    ...(before?.host && { host: before.host }),
  };
}

/** The quoted fields after the request, unparsed; none for a line in another format. */
export function quotedFields(buffer: Buffer, start: number, end: number): string[] {
  const open = findTime(buffer, start, end);
  const request = open < 0 ? -1 : indexOf(buffer, QUOTE, open, end);
  const fields: string[] = [];
  for (let from = request < 0 ? end : closingQuote(buffer, request + 1, end) + 1; from > 0 && from < end;) {
    const fieldOpen = indexOf(buffer, QUOTE, from, end);
    const fieldClose = fieldOpen < 0 ? -1 : closingQuote(buffer, fieldOpen + 1, end);
    if (fieldClose < 0) break;
    fields.push(readField(buffer, fieldOpen + 1, fieldClose));
    from = fieldClose + 1;
  }
  return fields;
}

/**
 * The `[` before the time: the first one with a space before it and a digit after it, since a user's name may
 * hold another.
 */
function findTime(buffer: Buffer, start: number, end: number): number {
  for (let at = start + 1; at < end; at += 1) {
    if (buffer[at] !== OPEN || buffer[at - 1] !== SPACE) continue;
    const next = buffer[at + 1]!;
    if (next >= 48 && next <= 57) return at;
  }
  return -1;
}

/**
 * The client: the third word before the time, after any prefix (a virtual host, syslog, a container's name).
 * Of a list, `client, proxy`, the first. Instead of an address, it may be a host name.
 */
function readAddress(buffer: Buffer, start: number, end: number): Client | null {
  const words: Word[] = [];
  for (let at = end; at > start && words.length < MAX_WORDS;) {
    while (at > start && buffer[at - 1] === SPACE) at -= 1;
    let from = at;
    while (from > start && buffer[from - 1] !== SPACE) from -= 1;
    if (at > from) words.push({ start: from, end: at });
    if (words.length === 3 && isAddress(buffer, from, at) && !isListed(buffer, start, from)) {
      const ip = plainAddress(buffer.toString('latin1', from, at));
      return ip === null ? null : { ip, at: from };
    }
    at = from;
  }
  // A user's name may have spaces in it, and some formats have no identity.
  const texts = words.map((word) => buffer.toString('latin1', word.start, word.end).replace(/^"|"$/g, ''));
  const found = texts.findIndex((text, i) => i >= 1 && isIpAddress(plainAddress(text.replace(/,$/, '')) ?? ''));
  if (found !== -1) {
    let first = found;
    while (texts[first + 1]?.endsWith(',') && isIpAddress(texts[first + 1]!.slice(0, -1))) first += 1;
    const ip = plainAddress(texts[first]!);
    return ip === null ? null : { ip, at: words[first]!.start };
  }
  const name = texts[2] ?? '';
  const isAlone = words.length === 3 && texts[1] === '-';
  return HOST_NAME.test(name) || (isAlone && /^[a-z\d][\w-]*$/i.test(name)) ? { ip: name, at: start } : null;
}

interface Client {
  ip: string;
  /** Where it begins. */
  at: number;
}

/** The text in front of a client that is read. */
const FRONT = 400;
const BEFORE =
  /(?:^|\s)(?:(?<addresses>(?:[\da-f:.]{3,45}, ?){0,20}[\da-f:.]{3,45})|(?<host>(?:[a-z\d_-]{1,63}\.){1,10}[a-z][a-z\d-]{0,62})(?::\d{1,5})?) +$/i;

/** The addresses that proxies name, or the virtual host. */
function inFront(buffer: Buffer, start: number, end: number): { addresses?: string; host?: string } {
  const found = BEFORE.exec(buffer.toString('latin1', Math.max(start, end - FRONT), end))?.groups ?? {};
  const last = found.addresses?.split(/, ?/).at(-1);
  return last === undefined || isIpAddress(last) ? found : {};
}

interface Word {
  start: number;
  end: number;
}

/** The most words before a time. */
const MAX_WORDS = 40;
const HOST_NAME = /^(?=.{1,253}$)(?:[a-z\d_](?:[\w-]*[a-z\d])?\.)+[a-z][a-z\d-]*\.?$/i;

/** Whether a comma precedes a word: it is in a list. */
function isListed(buffer: Buffer, start: number, at: number): boolean {
  return at - 2 >= start && buffer[at - 2] === COMMA;
}

function isAddress(buffer: Buffer, start: number, end: number): boolean {
  if (end - start < 2 || end - start > 64) return false;
  let separators = 0;
  for (let at = start; at < end; at += 1) {
    const byte = buffer[at]!;
    if (byte === 46 || byte === 58) separators += 1;
    else if (byte !== OPEN && byte !== CLOSE && byte !== 44 && !isHexDigit(byte)) return false;
  }
  // `10:00:00` is a time.
  return separators >= 2 && !(end - start === 8 && buffer[start + 2] === COLON && buffer[start + 5] === COLON);
}

function isHexDigit(byte: number): boolean {
  const lower = byte | 32;
  return (byte >= 48 && byte <= 57) || (lower >= 97 && lower <= 102);
}

function readRequest(buffer: Buffer, start: number, end: number): { method: string; target: LogText<Target> } | null {
  // The usual case manually: a method, a target without spaces or escapes, a protocol.
  let at = start;
  while (at < end && buffer[at]! >= 65 && buffer[at]! <= 90) at += 1;
  if (at > start && at - start <= 20 && buffer[at] === SPACE) {
    const target = at + 1;
    let targetEnd = target;
    while (
      targetEnd < end &&
      buffer[targetEnd]! > SPACE &&
      buffer[targetEnd]! < 127 &&
      buffer[targetEnd] !== BACKSLASH
    ) {
      targetEnd += 1;
    }
    if (targetEnd > target && targetEnd === end - 9 && buffer[targetEnd] === SPACE && buffer[targetEnd + 1] === 72) {
      const method = isGet(buffer, start, at) ? 'GET' : buffer.toString('latin1', start, at);
      return { method, target: targets.get(buffer, target, targetEnd, readLatin1) };
    }
  }
  const request = splitRequest(readField(buffer, start, end));
  return request && { method: request.method, target: logText(request.target) };
}

const isGet = (buffer: Buffer, start: number, end: number): boolean =>
  end === start + 3 && buffer[start] === 71 && buffer[start + 1] === 69 && buffer[start + 2] === 84;

const readLatin1 = (buffer: Buffer, start: number, end: number): string => buffer.toString('latin1', start, end);

function readStatus(buffer: Buffer, at: number, end: number): number {
  const stop = buffer[at + 3];
  if (at + 3 > end || (at + 3 < end && stop !== SPACE)) return -1;
  const status = (buffer[at]! - 48) * 100 + (buffer[at + 1]! - 48) * 10 + buffer[at + 2]! - 48;
  return status >= 100 && status <= 599 && buffer[at + 1]! <= 57 && buffer[at + 2]! <= 57 ? status : -1;
}

/**
 * The quote that ends a field: unescaped, and followed by a space or nothing, because some loggers escape
 * none.
 */
function closingQuote(buffer: Buffer, from: number, end: number): number {
  for (let at = from; at < end; at += 1) {
    const byte = buffer[at];
    if (byte === BACKSLASH) at += 1;
    else if (byte === QUOTE && (at + 1 >= end || buffer[at + 1] === SPACE)) return at;
  }
  return -1;
}

/**
 * A field's text: `-` is empty; `\xHH`, `\"`, `\\`, `\n` and `\t` are undone (Apache's and nginx's escapes).
 */
function readField(buffer: Buffer, start: number, end: number): string {
  if (isDash(buffer, start, end)) return '';
  const escape = indexOf(buffer, BACKSLASH, start, end);
  if (escape < 0) return buffer.toString('utf8', start, end);
  const bytes = Buffer.allocUnsafe(end - start);
  let length = buffer.copy(bytes, 0, start, escape);
  for (let at = escape; at < end; at += 1) {
    let byte = buffer[at]!;
    if (byte === BACKSLASH && at + 1 < end) {
      at += 1;
      const next = buffer[at]!;
      if (next === 120 && at + 2 < end && isHexDigit(buffer[at + 1]!) && isHexDigit(buffer[at + 2]!)) {
        byte = Number.parseInt(buffer.toString('latin1', at + 1, at + 3), 16);
        at += 2;
      } else byte = ESCAPES.get(next) ?? next;
    }
    bytes[length] = byte;
    length += 1;
  }
  return bytes.toString('utf8', 0, length);
}

const isDash = (buffer: Buffer, start: number, end: number): boolean => end === start + 1 && buffer[start] === DASH;

const ESCAPES = new Map([...'nrtbvf'].map((letter, index) => [letter.charCodeAt(0), '\n\r\t\b\v\f'.charCodeAt(index)]));

function indexOf(buffer: Buffer, byte: number, from: number, end: number): number {
  for (let at = from; at < end; at += 1) if (buffer[at] === byte) return at;
  return -1;
}
