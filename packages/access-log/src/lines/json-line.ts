import { type Fields, firstOf, IS_LIKELY, isAhead, isMarkdown, isObject, partsByName } from './field-names.ts';
import { behind, recordOf, type RequestParts } from './request-parts.ts';
import type { LineProblem, LogRecord } from './record.ts';
import { decodedColumn } from './w3c-line.ts';

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
 * Fields into which collectors put a whole line: Docker, journald, Fluent Bit, Loki, OpenTelemetry, Google,
 * Splunk.
 */
const LINES = ['log', 'MESSAGE', 'message', 'msg', 'line', 'body', 'textPayload', 'event', '_raw'];

/** The line that a collector put into a field; null if there is none. */
function wrappedLine(fields: Fields): string | null {
  // A collector's own status is a level, such as "info".
  const isRequest = 'status' in fields && IS_LIKELY.status(fields.status);
  if (isRequest || ['request', 'request_uri', 'method'].some((name) => name in fields)) return null;
  for (const name of LINES) {
    const text = fields[name];
    if (typeof text === 'string' && /"[A-Z]{3,10} |^\s*\{/.test(text)) return text;
  }
  return isObject(fields.result) ? wrappedLine(fields.result) : null;
}

function partsOf(fields: Fields): RequestParts | null {
  if (isObject(fields.request) && isCaddy(fields.request)) return caddyParts(fields, fields.request);
  if (isObject(fields.proxy)) return vercelParts(fields, fields.proxy);
  if ('ClientRequestURI' in fields || 'ClientRequestPath' in fields) return cloudflareParts(fields);
  if (isObject(fields.httpRequest)) return googleParts(fields, fields.httpRequest);
  if ('cliIP' in fields) return akamaiParts(fields);
  if ('cs-uri-stem' in fields) return cloudfrontParts(fields);
  if ('deploymentId' in fields || 'DispatchNamespace' in fields) return null;
  const parts = partsByName(fields);
  const says = parts.method ?? parts.target ?? fields.request;
  if (says === undefined) return null;
  // The common log format's first fields, as Tomcat and Fluentd name them: elsewhere, the host is the server.
  if (parts.ip === undefined && 'user' in fields && IS_LIKELY.ip(fields.host))
    return { ...parts, ip: fields.host, host: undefined };
  // Envoy's names: https://istio.io/latest/docs/tasks/observability/logs/access-log/
  return parts.ip === undefined ? behind({ ...parts, ip: fields.downstream_remote_address }) : parts;
}

function isCaddy(request: Fields): boolean {
  return 'uri' in request && ('remote_ip' in request || 'remote_addr' in request || 'client_ip' in request);
}

/** https://caddyserver.com/docs/logging: `client_ip` heeds trusted proxies, `remote_ip` is the peer. */
function caddyParts(fields: Fields, request: Fields): RequestParts {
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
      forwardedFor: listOf(headers['X-Forwarded-For']),
      signature: firstOf(headers.Signature),
      signatureInput: firstOf(headers['Signature-Input']),
      signatureAgent: firstOf(headers['Signature-Agent']),
      host: request.host,
      isPrefetch: isAhead(headers['Sec-Purpose'], headers.Purpose),
    }),
    isMarkdown: isMarkdown(headers?.Accept, isObject(fields.resp_headers) ? fields.resp_headers['Content-Type'] : null),
  };
}

/** Each proxy may add its own header: together they are one list. */
function listOf(values: unknown): unknown {
  return Array.isArray(values) ? values.join(', ') : values;
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
  // As custom fields.
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
