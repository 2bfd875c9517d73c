import { behind, recordOf, splitRequest, type RequestParts } from './request-parts.ts';
import type { LineProblem, LogRecord } from './record.ts';
import { decodedColumn } from './w3c-line.ts';

type Fields = Record<string, unknown>;
/** Fields below this depth do not describe the request. */
const MAX_NESTED = 3;

/**
 * The names that logs give to their fields: nginx's variables first, then what others use; with dots for
 * fields in fields, as of Azure, the Elastic Common Schema, pino and Kong.
 */
const NAMES = {
  time: [
    'msec',
    'time_iso8601',
    'time_local',
    'timestamp',
    '@timestamp',
    'time',
    'ts',
    'date',
    'event_datetime',
    'timeStamp',
    'start_time',
    'started_at',
    'requestTime',
  ],
  method: [
    'request_method',
    'method',
    'http_method',
    'requestMethod',
    'httpMethod',
    'properties.httpMethod',
    'http.request.method',
    'req.method',
    'request.method',
  ],
  target: [
    'request_uri',
    'uri',
    'url',
    'path',
    'requestPath',
    'requestUri',
    'properties.requestUri',
    'url.original',
    'url.path',
    'req.url',
    'request.uri',
  ],
  status: [
    'status',
    'statusCode',
    'status_code',
    'response_status',
    'responseStatusCode',
    'response_code',
    'properties.httpStatusCode',
    'properties.httpStatus',
    'http.response.status_code',
    'res.statusCode',
    'response.status',
  ],
  ip: [
    'remote_addr',
    'client_ip',
    'clientIp',
    'clientip',
    'remote_ip',
    'remoteAddr',
    'remote_address',
    'ip',
    'remote',
    'client',
    'remoteIP',
    'properties.clientIp',
    'properties.clientIP',
    'client.ip',
    'client.address',
    'source.ip',
    'source.address',
    'req.remoteAddress',
  ],
  userAgent: [
    'http_user_agent',
    'user_agent',
    'userAgent',
    'agent',
    'requestUserAgent',
    'request_user_agent',
    'properties.userAgent',
    'user_agent.original',
    'req.headers.user-agent',
    'request.headers.user-agent',
  ],
  referrer: [
    'http_referer',
    'http_referrer',
    'referer',
    'referrer',
    'requestReferer',
    'request_referer',
    'properties.referer',
    'http.request.referrer',
    'req.headers.referer',
    'request.headers.referer',
  ],
  requestId: ['request_id', 'requestId', 'properties.trackingReference'],
  forwardedFor: ['http_x_forwarded_for', 'x_forwarded_for', 'xff'],
  signature: ['http_signature', 'signature'],
  signatureInput: ['http_signature_input', 'signature_input'],
  signatureAgent: ['http_signature_agent', 'signature_agent'],
  host: ['http_host', 'host', 'authority'],
} as const satisfies Partial<Record<keyof RequestParts, readonly string[]>>;

/**
 * Reads one line of a JSON log: nginx with `escape=json` and its variables' names, Caddy's access log,
 * Vercel's log drain, Cloudflare's Logpush (http_requests), and others that use the same names.
 * @param timeBefore the time in front of the object, as Caddy writes it to a console:
 * https://caddyserver.com/docs/caddyfile/directives/log#console
 */
export function readJsonLine(text: string, timeBefore?: string): LogRecord | LineProblem | { wrapped: string } {
  let fields: unknown;
  try {
    fields = JSON.parse(text);
  } catch {
    return 'bad_json';
  }
  if (!isObject(fields)) return 'bad_json';
  const inner = wrappedLine(fields);
  if (inner !== null) return { wrapped: inner };
  const parts = partsOf(fields);
  return parts === null ? 'not_a_request' : recordOf({ ...parts, time: parts.time ?? timeBefore });
}

/**
 * The line that Docker's `json-file`, journald's export, Fluent Bit or Loki put into a field; null if
 * there is none.
 */
function wrappedLine(fields: Fields): string | null {
  if (['status', 'request', 'request_uri', 'method'].some((name) => name in fields)) return null;
  for (const name of ['log', 'MESSAGE', 'message', 'msg', 'line']) {
    const text = fields[name];
    if (typeof text === 'string' && /"[A-Z]{3,10} |^\s*\{/.test(text)) return text;
  }
  return null;
}

function partsOf(fields: Fields): RequestParts | null {
  if (isObject(fields.request) && !isObject(fields.response)) return caddyParts(fields, fields.request);
  if (isObject(fields.proxy)) return vercelParts(fields, fields.proxy);
  if ('ClientRequestURI' in fields || 'ClientRequestPath' in fields) return cloudflareParts(fields);
  if (isObject(fields.httpRequest)) return googleParts(fields, fields.httpRequest);
  if ('DownstreamStatus' in fields) return traefikParts(fields);
  if ('cliIP' in fields) return akamaiParts(fields);
  if ('cs-uri-stem' in fields) return cloudfrontParts(fields);
  if ('deploymentId' in fields || 'DispatchNamespace' in fields) return null;
  const flat = flatParts(fields);
  const isWhole = [flat.method, flat.target, flat.status].every((part) => part !== undefined && !isObject(part));
  const parts = isWhole ? flat : flatParts(flattened(fields));
  const says = parts.method ?? parts.target ?? fields.request;
  if (says === undefined) return null;
  // Envoy's names: https://istio.io/latest/docs/tasks/observability/logs/access-log/
  return parts.ip === undefined ? behind({ ...parts, ip: fields.downstream_remote_address }) : parts;
}

/** Nested fields, by their names joined with dots. */
function flattened(fields: Fields, depth = 0): Fields {
  const flat: Fields = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!isObject(value)) flat[name] = value;
    else if (depth < MAX_NESTED) {
      for (const [inner, one] of Object.entries(flattened(value, depth + 1))) flat[`${name}.${inner}`] = one;
    }
  }
  return flat;
}

/** https://caddyserver.com/docs/logging: `client_ip` heeds trusted proxies, `remote_ip` is the peer. */
function caddyParts(fields: Fields, request: Fields): RequestParts | null {
  if (!('uri' in request)) return null;
  const headers = isObject(request.headers) ? request.headers : null;
  return {
    time: fields.ts,
    method: request.method,
    target: request.uri,
    status: fields.status,
    ip: request.client_ip ?? request.remote_ip ?? request.remote_addr,
    userAgent: headers ? (firstOf(headers['User-Agent']) ?? '') : null,
    referrer: headers ? firstOf(headers.Referer) : null,
    ...(headers && {
      forwardedFor: firstOf(headers['X-Forwarded-For']),
      signature: firstOf(headers.Signature),
      signatureInput: firstOf(headers['Signature-Input']),
      signatureAgent: firstOf(headers['Signature-Agent']),
      host: request.host,
      isPrefetch: isAhead(headers['Sec-Purpose'], headers.Purpose),
    }),
    isMarkdown: isMarkdown(headers?.Accept, isObject(fields.resp_headers) ? fields.resp_headers['Content-Type'] : null),
  };
}

/** Whether a browser prefetched a page, by its headers `Sec-Purpose` and `Purpose`. */
function isAhead(...purposes: unknown[]): boolean {
  return purposes.some((purpose) => /prefetch|prerender/.test(String(firstOf(purpose) ?? '')));
}

/** Whether a client preferred Markdown to HTML, or got it. */
function isMarkdown(accept: unknown, contentType: unknown): boolean {
  if (/^text\/(?:x-)?markdown\b/.test(String(firstOf(contentType) ?? ''))) return true;
  const wanted = String(firstOf(accept) ?? '');
  const at = wanted.search(/text\/(?:x-)?markdown\b/);
  return at !== -1 && !wanted.slice(0, at).includes('text/html');
}

/** https://vercel.com/docs/drains/reference/logs: one request makes several entries with one `requestId`. */
function vercelParts(fields: Fields, proxy: Fields): RequestParts | null {
  if (proxy.statusCode === -1) return null;
  return {
    time: proxy.timestamp ?? fields.timestamp,
    method: proxy.method,
    target: proxy.path ?? fields.path,
    status: proxy.statusCode ?? fields.statusCode,
    ip: proxy.clientIp,
    userAgent: firstOf(proxy.userAgent),
    referrer: proxy.referer,
    requestId: fields.requestId,
  };
}

/** https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/http_requests/ */
function cloudflareParts(fields: Fields): RequestParts | null {
  const source = fields.ClientRequestSource;
  if (fields.WorkerSubrequest === true || (typeof source === 'string' && source !== '' && source !== 'eyeball'))
    return null;
  // Custom fields.
  const headers = isObject(fields.RequestHeaders) ? fields.RequestHeaders : {};
  return {
    time: fields.EdgeStartTimestamp ?? fields.EdgeEndTimestamp,
    method: fields.ClientRequestMethod,
    target: fields.ClientRequestURI ?? fields.ClientRequestPath,
    status: fields.EdgeResponseStatus,
    ip: fields.ClientIP,
    userAgent: fields.ClientRequestUserAgent,
    referrer: fields.ClientRequestReferer,
    requestId: fields.RayID,
    signature: headers.signature,
    signatureInput: headers['signature-input'],
    signatureAgent: headers['signature-agent'],
    host: fields.ClientRequestHost,
  };
}

/** https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry#HttpRequest */
function googleParts(fields: Fields, request: Fields): RequestParts {
  return {
    time: fields.timestamp,
    method: request.requestMethod,
    target: request.requestUrl,
    status: request.status,
    ip: request.remoteIp,
    userAgent: request.userAgent ?? '',
    referrer: request.referer,
    requestId: fields.insertId,
  };
}

/**
 * https://doc.traefik.io/traefik/observe/logs-and-access-logs/: headers are only logged if this is
 * configured.
 */
function traefikParts(fields: Fields): RequestParts {
  return {
    time: fields.StartUTC ?? fields.time,
    method: fields.RequestMethod,
    target: fields.RequestPath,
    status: fields.DownstreamStatus,
    ip: fields.ClientHost,
    userAgent: fields['request_User-Agent'],
    referrer: fields.request_Referer,
    forwardedFor: fields['request_X-Forwarded-For'],
    signature: fields.request_Signature,
    signatureInput: fields['request_Signature-Input'],
    signatureAgent: fields['request_Signature-Agent'],
    host: fields.RequestHost,
  };
}

/**
 * https://techdocs.akamai.com/datastream2/docs/data-set-parameters: a path without its slash, and encoded
 * texts.
 */
function akamaiParts(fields: Fields): RequestParts {
  const value = (name: string) => {
    const text = fields[name];
    return typeof text !== 'string' || text === '-' || text === '^' ? undefined : decodedColumn(text);
  };
  const query = typeof fields.queryStr === 'string' && !/^[-^]?$/.test(fields.queryStr) ? `?${fields.queryStr}` : '';
  return {
    time: fields.reqTimeSec,
    method: fields.reqMethod,
    target: `/${String(fields.reqPath ?? '').replace(/^\/+/, '')}${query}`,
    status: fields.statusCode,
    ip: fields.cliIP,
    userAgent: value('UA'),
    referrer: value('referer'),
    requestId: fields.reqId,
    forwardedFor: value('xForwardedFor'),
  };
}

/** Standard logs (v2) as JSON: the columns of the W3C form, encoded as there. */
function cloudfrontParts(fields: Fields): RequestParts {
  const value = (name: string) => {
    const text = fields[name];
    return typeof text !== 'string' || text === '-' ? undefined : decodedColumn(text);
  };
  const query = value('cs-uri-query');
  return {
    time: `${String(fields.date)}T${String(fields.time)}Z`,
    method: fields['cs-method'],
    target: `${String(fields['cs-uri-stem'])}${query === undefined ? '' : `?${query}`}`,
    status: fields['sc-status'],
    ip: fields['c-ip'],
    userAgent: value('cs(User-Agent)'),
    referrer: value('cs(Referer)'),
    requestId: fields['x-edge-request-id'],
    forwardedFor: value('x-forwarded-for'),
  };
}

/** @param fields by the names that many servers use */
export function flatParts(fields: Fields): RequestParts {
  const parts: RequestParts = {
    time: pick(fields, NAMES.time),
    method: pick(fields, NAMES.method),
    target: pick(fields, NAMES.target),
    status: pick(fields, NAMES.status),
    ip: pick(fields, NAMES.ip),
    userAgent: pick(fields, NAMES.userAgent),
    referrer: pick(fields, NAMES.referrer),
    requestId: pick(fields, NAMES.requestId),
    forwardedFor: pick(fields, NAMES.forwardedFor),
    signature: pick(fields, NAMES.signature),
    signatureInput: pick(fields, NAMES.signatureInput),
    signatureAgent: pick(fields, NAMES.signatureAgent),
    host: pick(fields, NAMES.host),
    isPrefetch: isAhead(fields.http_sec_purpose, fields.http_purpose),
    isMarkdown: isMarkdown(fields.http_accept, fields.sent_http_content_type),
  };
  // Apache's own names for JSON often call the path so.
  if (typeof fields.request === 'string' && fields.request.startsWith('/')) parts.target ??= fields.request;
  else if (typeof fields.request === 'string' && (parts.method === undefined || parts.target === undefined)) {
    const request = splitRequest(fields.request);
    parts.method ??= request?.method;
    parts.target ??= request?.target;
  }
  return parts;
}

function pick(fields: Fields, names: readonly string[]): unknown {
  for (const name of names) if (fields[name] !== undefined && fields[name] !== null) return fields[name];
  return undefined;
}

/** Headers are lists. */
function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
