import { plainAddress } from './plain-address.ts';
import { logText } from './log-text.ts';
import type { LineProblem, LogRecord, LogSignature } from './record.ts';
import { readAnyTime } from './timestamp.ts';

/** The parts of a request in a format; undefined for missing ones. */
export interface RequestParts {
  time?: unknown;
  method?: unknown;
  target?: unknown;
  status?: unknown;
  ip?: unknown;
  userAgent?: unknown;
  referrer?: unknown;
  requestId?: unknown;
  /** Addresses that proxies name, with commas between them: the client's first. */
  forwardedFor?: unknown;
  /** Headers of the request. */
  signature?: unknown;
  signatureInput?: unknown;
  signatureAgent?: unknown;
  host?: unknown;
  /** A browser fetched it ahead. */
  isPrefetch?: boolean;
  /** The client requested Markdown, or got it. */
  isMarkdown?: boolean;
}

/** `HTTP/1.1`; Hypercorn logs only the number. */
const PROTOCOL = /^(?:HTTP\/\S+|[123](?:\.[01])?)$/;

/** Splits `GET /path HTTP/1.1`. Spaces in the target are the client's mistake and stay. */
export function splitRequest(line: string): { method: string; target: string } | null {
  const space = line.indexOf(' ');
  if (space < 1 || space > 20) return null;
  const method = line.slice(0, space);
  if (!/^[A-Za-z]+$/.test(method)) return null;
  const last = line.lastIndexOf(' ');
  const hasProtocol = last > space && PROTOCOL.test(line.slice(last + 1));
  const target = line.slice(space + 1, hasProtocol ? last : undefined).trim();
  return target === '' ? null : { method: method.toUpperCase(), target };
}

/** What only names addresses that proxies add: the last is the one that connected to this one. */
export function behind(parts: RequestParts): RequestParts {
  const list = typeof parts.forwardedFor === 'string' && parts.forwardedFor !== '-' ? parts.forwardedFor : undefined;
  return { ...parts, forwardedFor: list, ip: list?.split(',').at(-1)!.trim() ?? parts.ip };
}

export function recordOf(parts: RequestParts): LogRecord | LineProblem {
  const ip = typeof parts.ip === 'string' ? plainAddress(parts.ip) : null;
  const timestampMs = readAnyTime(parts.time);
  const status = Number(parts.status);
  const { method, target } = parts;
  if (typeof method !== 'string' || typeof target !== 'string' || !/^[A-Za-z]{1,20}$/.test(method) || target === '') {
    return 'bad_request';
  }
  if (ip === null) return 'bad_address';
  if (Number.isNaN(timestampMs)) return 'bad_timestamp';
  if (!Number.isInteger(status) || status < 100 || status > 599) return 'bad_status';
  const userAgent = textOf(unquoted(parts.userAgent));
  const referrer = textOf(unquoted(parts.referrer));
  const host = textOf(parts.host);
  return {
    timestampMs,
    method: method.toUpperCase(),
    status,
    pathOrUrl: logText(target),
    ip,
    userAgent: userAgent === null ? null : logText(userAgent),
    referrer: referrer ? logText(referrer) : null,
    requestId: textOf(parts.requestId) || null,
    ...(typeof parts.forwardedFor === 'string' && { forwardedFor: parts.forwardedFor }),
    ...(host && { host }),
    ...signedBy(parts),
    ...(parts.isPrefetch && { isPrefetch: true }),
    ...(parts.isMarkdown && { isMarkdown: true }),
  };
}

/** Empty for the many requests that are not signed. */
function signedBy({ signature, signatureInput, signatureAgent, host }: RequestParts): { signed?: LogSignature } {
  const texts = [signature, signatureInput, host].map(textOf);
  const [signatureText, input, authority] = texts;
  if (!signatureText || !input || !authority) return {};
  const agent = textOf(signatureAgent) || null;
  return { signed: { signature: signatureText, signatureInput: input, signatureAgent: agent, authority } };
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return value === '-' ? '' : value;
}

/** Grok's patterns and WebLogic keep the quotes of a field. */
function unquoted(value: unknown): unknown {
  return typeof value === 'string' && /^".*"$/s.test(value) ? value.slice(1, -1) : value;
}
