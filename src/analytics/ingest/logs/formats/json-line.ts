import { plainAddress } from '../../../events/plain-address.ts';
import { splitRequest } from './access-line.ts';
import { logText } from './log-text.ts';
import type { LineProblem, LogRecord } from './record.ts';
import { readAnyTime } from './timestamp.ts';

type Fields = Record<string, unknown>;

/** The parts of a request, wherever a format keeps them. */
interface Parts {
  time: unknown;
  method: unknown;
  target: unknown;
  status: unknown;
  ip: unknown;
  userAgent: unknown;
  referrer: unknown;
  requestId: unknown;
}

/** The names that logs with one level give to their fields: nginx's variables first, then what others use. */
const NAMES = {
  time: ['msec', 'time_iso8601', 'time_local', 'timestamp', '@timestamp', 'time', 'ts', 'date', 'event_datetime'],
  method: ['request_method', 'method', 'http_method', 'requestMethod'],
  target: ['request_uri', 'uri', 'url', 'path', 'requestPath', 'requestUri'],
  status: ['status', 'statusCode', 'status_code', 'response_status', 'responseStatusCode'],
  ip: ['remote_addr', 'client_ip', 'clientIp', 'remote_ip', 'remoteAddr', 'remote_address', 'ip', 'remote'],
  userAgent: ['http_user_agent', 'user_agent', 'userAgent', 'agent', 'requestUserAgent'],
  referrer: ['http_referer', 'http_referrer', 'referer', 'referrer', 'requestReferer'],
  requestId: ['request_id', 'requestId'],
} as const satisfies Record<keyof Parts, readonly string[]>;

/**
 * Reads one line of a JSON log: nginx with `escape=json` and its variables' names, Caddy's access log, Vercel's log drain,
 * Cloudflare's Logpush (http_requests), and others that use the same names.
 */
export function readJsonLine(text: string): LogRecord | LineProblem {
  let fields: unknown;
  try {
    fields = JSON.parse(text);
  } catch {
    return 'bad_json';
  }
  if (!isObject(fields)) return 'bad_json';
  const parts = partsOf(fields);
  return parts === null ? 'not_a_request' : recordOf(parts);
}

function partsOf(fields: Fields): Parts | null {
  if (isObject(fields.request)) return caddyParts(fields, fields.request);
  if (isObject(fields.proxy)) return vercelParts(fields, fields.proxy);
  if ('ClientRequestURI' in fields || 'ClientRequestPath' in fields) return cloudflareParts(fields);
  if ('deploymentId' in fields || 'DispatchNamespace' in fields) return null;
  const parts = flatParts(fields);
  const says = parts.method ?? parts.target ?? fields.request;
  return says === undefined ? null : parts;
}

/** https://caddyserver.com/docs/logging: `client_ip` heeds trusted proxies, `remote_ip` is the peer. */
function caddyParts(fields: Fields, request: Fields): Parts | null {
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
    requestId: null,
  };
}

/** https://vercel.com/docs/drains/reference/logs: one request makes several entries with one `requestId`. */
function vercelParts(fields: Fields, proxy: Fields): Parts | null {
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
function cloudflareParts(fields: Fields): Parts | null {
  const source = fields.ClientRequestSource;
  if (fields.WorkerSubrequest === true || (typeof source === 'string' && source !== '' && source !== 'eyeball'))
    return null;
  return {
    time: fields.EdgeStartTimestamp ?? fields.EdgeEndTimestamp,
    method: fields.ClientRequestMethod,
    target: fields.ClientRequestURI ?? fields.ClientRequestPath,
    status: fields.EdgeResponseStatus,
    ip: fields.ClientIP,
    userAgent: fields.ClientRequestUserAgent,
    referrer: fields.ClientRequestReferer,
    requestId: fields.RayID,
  };
}

function flatParts(fields: Fields): Parts {
  const parts: Parts = {
    time: pick(fields, NAMES.time),
    method: pick(fields, NAMES.method),
    target: pick(fields, NAMES.target),
    status: pick(fields, NAMES.status),
    ip: pick(fields, NAMES.ip),
    userAgent: pick(fields, NAMES.userAgent),
    referrer: pick(fields, NAMES.referrer),
    requestId: pick(fields, NAMES.requestId),
  };
  if (typeof fields.request === 'string' && (parts.method === undefined || parts.target === undefined)) {
    const request = splitRequest(fields.request);
    parts.method ??= request?.method;
    parts.target ??= request?.target;
  }
  return parts;
}

function recordOf(parts: Parts): LogRecord | LineProblem {
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
  const userAgent = textOf(parts.userAgent);
  const referrer = textOf(parts.referrer);
  return {
    timestampMs,
    method: method.toUpperCase(),
    status,
    pathOrUrl: logText(target),
    ip,
    userAgent: userAgent === null ? null : logText(userAgent),
    referrer: referrer ? logText(referrer) : null,
    requestId: textOf(parts.requestId) || null,
  };
}

function pick(fields: Fields, names: readonly string[]): unknown {
  for (const name of names) if (fields[name] !== undefined && fields[name] !== null) return fields[name];
  return undefined;
}

/** Headers come as lists. */
function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return value === '-' ? '' : value;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
