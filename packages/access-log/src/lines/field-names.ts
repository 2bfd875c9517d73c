import { isIpAddress } from '@docent/base/net/ip-address';
import { plainAddress } from './plain-address.ts';
import { splitRequest, type RequestParts } from './request-parts.ts';
import { readAnyTime } from './timestamp.ts';

export type Fields = Record<string, unknown>;

/** Fields below this depth do not describe the request. */
const MAX_NESTED = 4;

/**
 * The names that logs give to their fields, the best ones first: nginx's variables, then what others use.
 * Case, spaces, `_`, `-`, `:` and `@` do not matter. With dots for fields in fields.
 */
const NAMES = {
  time:
    'msec time_iso8601 time_local timestamp time ts t date event_datetime start_time time_start started_at ' +
    'event_timestamp timestamp_iso8601 time_micros edge_start_timestamp time_generated start_utc request_time',
  method: 'request_method method http_method request_type cs_method client_request_method req_method request_verb verb',
  target:
    'request_uri x_envoy_origin_path x_envoy_original_path uri url request_url request_path path cs_uri ' +
    'cs_uri_stem http_uri http_path client_request_uri client_request_path req_uri url.original url.path',
  query: 'args query query_string request_query cs_uri_query',
  status:
    'status status_code response_status response_status_code response_code http_status http_status_code sc_status ' +
    'edge_response_status resp_status elb_status_code downstream_status code response',
  ip:
    'client_ip remote_ip remote_addr remote_address ip remote client client_host c_ip src_ip ' +
    'downstream_remote_address_without_port ' +
    'client.ip client.address source.ip source.address',
  userAgent:
    'http_user_agent user_agent request_user_agent req_h_user_agent ua client_ua agent cs_user_agent cs(user_agent) ' +
    'client_request_user_agent user_agent.original',
  referrer:
    'http_referer http_referrer referer referrer request_referer request_referrer req_h_referer ref cs_referer cs(referer) ' +
    'client_request_referer',
  requestId: 'request_id tracking_reference',
  forwardedFor:
    'http_x_forwarded_for x_forwarded_for request_x_forwarded_for forwarded_for xff fwd http_x_real_ip x_real_ip ' +
    'http_cf_connecting_ip cf_connecting_ip http_true_client_ip true_client_ip real_ip',
  signature: 'http_signature request_signature signature',
  signatureInput: 'http_signature_input request_signature_input signature_input',
  signatureAgent: 'http_signature_agent request_signature_agent signature_agent',
  host: 'http_host host authority request_host client_request_host cs_host',
} as const satisfies Partial<Record<keyof RequestParts | 'query', string>>;

type Named = keyof typeof NAMES;

/** Objects that hold fields of a request. Others, such as `upstream`, hold those of another one. */
const HOLDERS = new Set(
  'request req response res http httprequest headers requestheaders properties jsonpayload event nginx access access_log accesslog log data payload fields attributes network'.split(
    ' ',
  ),
);

const plain = (name: string) => name.toLowerCase().replace(/[\s_\-:@]/g, '');

interface Meaning {
  readonly part: Named;
  /** The lowest wins. */
  readonly rank: number;
}

const MEANINGS = new Map<string, Meaning>(
  Object.entries(NAMES).flatMap(([part, names]) =>
    names.split(' ').map((name, rank) => [plain(name), { part: part as Named, rank }] as const),
  ),
);

/** Names come from the log, so their number is limited. */
const MOST_NAMES = 2_000;
const known = new Map<string, Meaning | null>();

function meaningOf(name: string): Meaning | null {
  let meaning = known.get(name);
  if (meaning === undefined) {
    if (known.size >= MOST_NAMES) known.clear();
    // Azure's tables add a letter for the type: `clientIp_s`.
    meaning = findMeaning(plain(name)) ?? findMeaning(plain(name.replace(/_[sdbgt]$/, '')));
    known.set(name, meaning);
  }
  return meaning;
}

function findMeaning(name: string): Meaning | null {
  const whole = MEANINGS.get(name);
  if (whole) return whole;
  const dot = name.indexOf('.');
  if (dot < 0 || !HOLDERS.has(name.slice(0, dot))) return null;
  const inner = findMeaning(name.slice(dot + 1));
  return inner && { part: inner.part, rank: inner.rank + 100 };
}

/** Whether one of the names means this part. */
export function hasMeaning(names: readonly string[], part: Named): boolean {
  return names.some((name) => meaningOf(name)?.part === part);
}

/** Whether a value can be meant: others are taken only if no field has a better one. */
export const IS_LIKELY = {
  time: (value) => (typeof value === 'number' ? value > 1e8 : !Number.isNaN(readAnyTime(value))),
  method: (value) => typeof value === 'string' && /^[A-Za-z]{3,20}$/.test(value),
  target: (value) => typeof value === 'string' && /^(?:\/|https?:\/\/)/.test(value),
  status: (value) => Number(value) >= 100 && Number(value) < 600,
  ip: (value) => typeof value === 'string' && isIpAddress(plainAddress(value) ?? ''),
} as const satisfies Partial<Record<Named, (value: unknown) => boolean>>;
const UNLIKELY = 10_000;

/** The parts of a request whose fields have names as many servers use them, at any depth. */
export function partsByName(fields: Fields): RequestParts {
  const flat = partsIn(fields);
  const isWhole = (['method', 'target', 'status', 'ip', 'userAgent'] as const).every(
    (part) => flat[part] !== undefined,
  );
  return isWhole || !Object.values(fields).some(isObject) ? flat : partsIn(flattened(fields));
}

function partsIn(fields: Fields): RequestParts {
  const found: Partial<Record<Named, unknown>> = {};
  const ranks: Partial<Record<Named, number>> = {};
  for (const [name, value] of Object.entries(fields)) {
    const one = firstOf(value);
    const meaning = one === null || isObject(one) ? null : meaningOf(name);
    if (!meaning) continue;
    const { part } = meaning;
    const isLikely = !(part in IS_LIKELY) || IS_LIKELY[part as keyof typeof IS_LIKELY](one);
    const rank = meaning.rank + (isLikely ? 0 : UNLIKELY);
    if (rank >= (ranks[part] ?? Infinity)) continue;
    ranks[part] = rank;
    found[part] = one;
  }
  const { query, ...parts } = found;
  const withRequest = withRequestLine(parts, fields.request ?? fields.req);
  const text = typeof query === 'string' ? query.replace(/^\?/, '') : '';
  const { target } = withRequest;
  const needsQuery = text !== '' && text !== '-' && typeof target === 'string' && !target.includes('?');
  return {
    ...withRequest,
    ...(needsQuery && { target: `${target}?${text}` }),
    isPrefetch: isAhead(fields.http_sec_purpose, fields.http_purpose),
    isMarkdown: isMarkdown(fields.http_accept, fields.sent_http_content_type),
  };
}

/**
 * `request` is a whole line in nginx, but only its method in Fastly's logs, and its path in some of Apache. It
 * is what the client sent: `path` may be the log's own file, and `uri` the page after a rewrite.
 */
function withRequestLine(parts: RequestParts, request: unknown): RequestParts {
  if (typeof request !== 'string') return parts;
  if (request.startsWith('/')) return { ...parts, target: request };
  return /^[A-Z]{3,10}$/.test(request) ? { method: request, ...parts } : { ...parts, ...splitRequest(request) };
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

/** Whether a browser prefetched a page, by its headers `Sec-Purpose` and `Purpose`. */
export function isAhead(...purposes: unknown[]): boolean {
  return purposes.some((purpose) => /prefetch|prerender/.test(String(firstOf(purpose) ?? '')));
}

/** Whether a client preferred Markdown to HTML, or got it. */
export function isMarkdown(accept: unknown, contentType: unknown): boolean {
  if (/^text\/(?:x-)?markdown\b/.test(String(firstOf(contentType) ?? ''))) return true;
  const wanted = String(firstOf(accept) ?? '');
  const at = wanted.search(/text\/(?:x-)?markdown\b/);
  return at !== -1 && !wanted.slice(0, at).includes('text/html');
}

/** Headers come as lists. */
export function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
