import { recordOf, splitRequest, type RequestParts } from './request-parts.ts';
import type { LineProblem, LogRecord } from './record.ts';

/**
 * A layout that the operator names: nginx's `log_format`, Apache's `LogFormat`, or one of {@link
 * NAMED_FORMATS}.
 */
export interface LogFormat {
  /** As it was given. */
  readonly text: string;
  read(line: string): LogRecord | LineProblem;
}

const NGINX_COMBINED =
  '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"';

export const NAMED_FORMATS: Readonly<Record<string, string>> = {
  combined: NGINX_COMBINED,
  common: '%h %l %u %t "%r" %>s %b',
  vhost_combined: '%v:%p %h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"',
  combined_forwarded: `${NGINX_COMBINED} "$http_x_forwarded_for"`,
  traefik: NGINX_COMBINED,
  haproxy: '$_: $remote_addr:$_ [$time_local] $_ $_ $_ $status $_ $_ $_ $_ $_ $_ {$_|$http_user_agent} $_"$request"',
};

type Part = keyof RequestParts | 'request' | null;

/** Variables of nginx: https://nginx.org/en/docs/varindex.html */
const NGINX: Readonly<Record<string, Part>> = {
  remote_addr: 'ip',
  realip_remote_addr: 'ip',
  time_local: 'time',
  time_iso8601: 'time',
  msec: 'time',
  request: 'request',
  request_method: 'method',
  request_uri: 'target',
  uri: 'target',
  status: 'status',
  http_referer: 'referrer',
  http_user_agent: 'userAgent',
  http_x_forwarded_for: 'forwardedFor',
  request_id: 'requestId',
  http_signature: 'signature',
  http_signature_input: 'signatureInput',
  http_signature_agent: 'signatureAgent',
  http_host: 'host',
  host: 'host',
};

/** Directives of Apache: https://httpd.apache.org/docs/2.4/mod/mod_log_config.html#formats */
const APACHE: Readonly<Record<string, Part>> = {
  h: 'ip',
  a: 'ip',
  '{c}a': 'ip',
  t: 'time',
  r: 'request',
  m: 'method',
  U: 'target',
  s: 'status',
  '{referer}i': 'referrer',
  '{user-agent}i': 'userAgent',
  '{x-forwarded-for}i': 'forwardedFor',
  '{unique_id}e': 'requestId',
  '{signature}i': 'signature',
  '{signature-input}i': 'signatureInput',
  '{signature-agent}i': 'signatureAgent',
  '{host}i': 'host',
};

/**
 * @param text a name, nginx's format with `$variables`, or Apache's with `%directives`, including as whole
 *   directives of a configuration
 * @returns a sentence about the mistake if it is invalid
 */
export function compileLogFormat(text: string): LogFormat | string {
  const format = NAMED_FORMATS[text.trim()] ?? formatInside(text);
  const pieces = format.includes('$')
    ? piecesOf(format, NGINX_VARIABLE, nginxPart)
    : piecesOf(format, APACHE_DIRECTIVE, apachePart);
  if (pieces.length === 0)
    return `The format is empty. Use one of ${Object.keys(NAMED_FORMATS).join(', ')}, or nginx's log_format or Apache's LogFormat.`;
  const has = (...parts: Part[]) => pieces.some(({ part }) => parts.includes(part));
  const missing = [
    ['the client’s address', has('ip', 'forwardedFor')],
    ['the time', has('time')],
    ['the request', has('request', 'target')],
    ['the status', has('status')],
  ].flatMap(([name, isThere]) => (isThere ? [] : [name]));
  if (missing.length > 0) return `The format lacks ${missing.join(', ')}.`;
  return { text, read: (line) => readWith(pieces, line) };
}

/** The text before a part of the line, and the part's meaning. */
interface Piece {
  before: string;
  part: Part;
}

const NGINX_VARIABLE = /\$(?:\{(\w+)\}|(\w+))/g;
const APACHE_DIRECTIVE = /%[!\d,]*[<>]?(\{[^}]*\}\^?\w{1,2}|[A-Za-z])/g;

function nginxPart(name: string): Part {
  return NGINX[name] ?? null;
}

function apachePart(name: string): Part {
  return APACHE[name.startsWith('{') ? name.toLowerCase() : name] ?? (/^\{.*\}t$/.test(name) ? 'time' : null);
}

/** The format in `log_format main '…' '…';` or `LogFormat "…" name`, or the text itself. */
function formatInside(text: string): string {
  const nginx = /^\s*log_format\s+\w+\s+(?:escape=\w+\s+)?(.*?);?\s*$/s.exec(text)?.[1];
  if (nginx !== undefined) return [...nginx.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, a, b]) => a ?? b ?? '').join('');
  const apache = /^\s*LogFormat\s+"((?:[^"\\]|\\.)*)"/i.exec(text)?.[1];
  // A path and its query are one target.
  return (apache ?? text)
    .replaceAll('\\"', '"')
    .replaceAll('\\t', '\t')
    .replace(/(%[<>]?U)%[<>]?q/, '$1');
}

function piecesOf(format: string, variable: RegExp, partOf: (name: string) => Part): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of format.matchAll(variable)) {
    pieces.push({ before: format.slice(from, match.index), part: partOf((match[1] ?? match[2])!) });
    from = match.index + match[0].length;
  }
  // The line may continue after the format.
  return pieces.length === 0 ? [] : [...pieces, { before: format.slice(from), part: null }];
}

function readWith(pieces: readonly Piece[], line: string): LogRecord | LineProblem {
  const parts: RequestParts = {};
  let at = 0;
  let last: Part = null;
  for (const [i, { before, part }] of pieces.entries()) {
    if (!line.startsWith(before, at)) return 'not_a_log_line';
    at += before.length;
    if (i === pieces.length - 1) break;
    const next = pieces[i + 1]!.before;
    let end: number = part === 'time' && line[at] === '[' ? line.indexOf(']', at) + 1 : endOf(line, at, next);
    if (end <= 0 && i < pieces.length - 2) return 'not_a_log_line';
    if (end <= 0) end = line.length;
    const value = unescaped(line.slice(at, end));
    at = end;
    if (part === 'request') Object.assign(parts, splitRequest(value) ?? {});
    else if (part === 'time') {
      const time = value.replace(/^\[|\]$/g, '');
      // A time in pieces: `%{%T}t.%{msec_frac}t %{%z}t`.
      parts.time = last === 'time' ? `${String(parts.time)}${before}${time}` : time;
    } else if (part === 'ip') parts.ip ??= withoutPrefix(value);
    else if (part !== null && parts[part] === undefined) Object.assign(parts, { [part]: value });
    last = part;
  }
  if (parts.ip === undefined) parts.ip = parts.forwardedFor;
  return recordOf(parts);
}

/** What syslog or a container put in front of the line is not a part of the address: its last word is. */
function withoutPrefix(text: string): string {
  return text.includes(',') ? text : text.slice(text.trimEnd().lastIndexOf(' ') + 1);
}

/** The end of a value: before the next literal text. In quotes, that is the next unescaped quote. */
function endOf(line: string, at: number, next: string): number {
  if (next === '') return line.length;
  for (let end = line.indexOf(next, at); end !== -1; end = line.indexOf(next, end + 1)) {
    if (!next.startsWith('"') || line[end - 1] !== '\\') return end;
  }
  return next.trim() === '' || next === '"' ? line.length : -1;
}

function unescaped(value: string): string {
  if (!value.includes('\\')) return value;
  return value.replace(/\\x([\dA-Fa-f]{2})|\\(["\\])/g, (_, hex?: string, sign?: string) =>
    hex === undefined ? sign! : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
