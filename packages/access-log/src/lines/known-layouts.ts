import { isIpAddress } from '@docent/base/net/ip-address';
import { partsByName } from './field-names.ts';
import { behind, recordOf, splitRequest, type RequestParts } from './request-parts.ts';
import type { LineProblem, LogRecord } from './record.ts';
import { decodedColumn } from './w3c-line.ts';

/** A layout of a service: the names of its groups are parts of a request, or of {@link Groups}. */
interface KnownLayout {
  pattern: RegExp;
  /** Derives the parts that the groups lack. */
  finish?: (parts: RequestParts, groups: Groups) => RequestParts;
}

type Groups = Readonly<Partial<Record<string, string>>>;

const QUOTED = String.raw`"((?:[^"\\]|\\.)*)"`;
const quoted = (name: string) => QUOTED.replace('(', `(?<${name}>`);
const layout = (source: string) => new RegExp(source);

const LAYOUTS: readonly KnownLayout[] = [
  // https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html
  {
    pattern: layout(
      String.raw`^(?:https?|h2|grpcs|wss?) (?<time>\S+Z) \S+ \[?(?<ip>[^\s[\]]+)\]?:\d+ \S+ \S+ \S+ \S+ (?<status>\d{3}|-) \S+ \S+ \S+ ${quoted('request')} ${quoted('userAgent')}`,
    ),
  },
  // https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/access-log-collection.html
  {
    pattern: layout(
      String.raw`^(?<time>\d{4}-\d\d-\d\dT\S+Z) \S+ (?<ip>\S+):\d+ (?:\S+:\d+|-) [\d.-]+ [\d.-]+ [\d.-]+ (?<status>\d{3}|-) \S+ \d+ \d+ ${quoted('request')} ${quoted('userAgent')}`,
    ),
  },
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/LogFormat.html
  {
    pattern: layout(
      String.raw`^[\da-f]{64} (?<bucket>\S+) \[(?<time>[^\]]+)\] (?<ip>\S+) \S+ (?<requestId>\S+) (?:REST|WEBSITE|SOAP|BATCH|S3)\.\S+ \S+ ${quoted('request')} (?<status>\d{3}|-) \S+ \S+ \S+ \S+ \S+ ${quoted('referrer')} ${quoted('userAgent')}`,
    ),
    // By its path, a bucket is the first part of the target.
    finish: (parts, { bucket }) => {
      const prefix = `/${bucket}/`;
      return String(parts.target).startsWith(prefix)
        ? { ...parts, target: String(parts.target).slice(prefix.length - 1) }
        : parts;
    },
  },
  // https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage#default-format-string;
  // with more fields after the flags, https://istio.io/latest/docs/tasks/observability/logs/access-log/
  {
    pattern: layout(
      String.raw`(?:^|\s)\[(?<time>\d{4}-\d\d-\d\dT[\d:.]+Z)\] ${quoted('request')} (?<status>\d{1,3}) \S+ (?:\S+ \S+ ${QUOTED} )?\d+ \d+ \d+ \S+ ${quoted('forwardedFor')} ${quoted('userAgent')} ${quoted('requestId')} ${QUOTED} ${QUOTED}(?: \S+ \S+ \S+ (?<peer>\S+:\d+))?`,
    ),
    finish: (parts, { peer }) => behind({ ...parts, ip: peer }),
  },
  // https://docs.haproxy.org/3.0/configuration.html#8.2.3
  {
    pattern: layout(
      String.raw`(?:^|\s)(?<ip>[\da-fA-F.:]+):\d+ \[(?<time>\d\d/\w{3}/[\d:.]+)\] \S+ \S+ [-\d]+/[-\d]+/[-\d]+/[-\d]+/\+?\d+ (?<status>-?\d+) \S+ \S+ \S+ \S+ \S+ \S+ (?:\{(?<captured>[^{}]*)\} )?(?:\{[^{}]*\} )?${quoted('request')}`,
    ),
    finish: (parts, { captured = '' }) => ({ ...parts, ...capturedParts(captured.split('|')) }),
  },
  // Standard logs of CloudFront without their `#Fields`, in the order of all fields:
  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html
  {
    pattern: layout(
      String.raw`^(?<day>\d{4}-\d\d-\d\d)\t(?<clock>\d\d:\d\d:\d\d)\t[A-Z]{3}[\w-]*\t\d+\t(?<ip>\S+)\t(?<method>[A-Z]+)\t\S+\t(?<target>/\S*)\t(?<status>\d{3})\t(?<referrer>\S+)\t(?<userAgent>\S+)\t(?<query>\S+)\t\S+\t\w+\t(?<requestId>\S+)\t`,
    ),
    finish: (parts, { day, clock, query = '-' }) => ({
      ...parts,
      time: `${day}T${clock}Z`,
      target: query === '-' ? parts.target : `${String(parts.target)}?${query}`,
      userAgent: decodedColumn(String(parts.userAgent)),
      referrer: decodedColumn(String(parts.referrer)),
    }),
  },
  // All fields, in their order:
  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/real-time-logs.html#understand-real-time-log-config-fields
  {
    pattern: layout(
      String.raw`^(?<time>\d{10}\.\d{3})\t(?<ip>\S+)\t[\d.]+\t(?<status>\d{3})\t\d+\t(?<method>[A-Z]+)\t\S+\t\S+\t(?<target>/\S*)\t\d+\t\S+\t(?<requestId>\S+)\t\S+\t[\d.]+\t\S+\tIPv[46]\t(?<userAgent>\S+)\t(?<referrer>\S+)\t`,
    ),
    finish: (parts) => ({
      ...parts,
      userAgent: decodedColumn(String(parts.userAgent)),
      referrer: decodedColumn(String(parts.referrer)),
    }),
  },
  // https://docs.bunny.net/docs/cdn-log-format
  {
    pattern: layout(
      String.raw`^(?:[A-Z]{3,12}|-)\|(?<status>\d{3})\|(?<time>\d{13})\|\d+\|\d+\|(?<ip>[^|\s]+)\|(?<referrer>[^|]*)\|(?<target>https?://[^|]+)\|\w+\|(?<userAgent>.*)\|(?<requestId>[\da-f]+)\|[A-Z]{2}$`,
    ),
    finish: (parts) => ({ ...parts, method: 'GET' }),
  },
  // Uvicorn, whose lines have a time only behind what writes one in front:
  // https://github.com/encode/uvicorn/blob/master/uvicorn/logging.py
  {
    pattern: layout(
      String.raw`^(?<front>.{0,300}?)INFO:\s+(?<ip>\S+):\d+ - ${quoted('request')} (?<status>\d{3})(?: |$)`,
    ),
    finish: (parts, { front = '' }) => ({ ...parts, time: timeInFront(front) }),
  },
  // The router of Cloud Foundry, with the host in front:
  // https://docs.cloudfoundry.org/devguide/deploy-apps/streaming-logs.html#rtr
  {
    pattern: layout(
      String.raw`(?:^|\s)(?<host>\S+) - \[(?<time>[^\]\s]+)\] ${quoted('request')} (?<status>\d{3}) \d+ \d+ ${quoted('referrer')} ${quoted('userAgent')} "(?<ip>[^"\s]+):\d+" ${QUOTED} x_forwarded_for:${quoted('forwardedFor')}`,
    ),
  },
  // The `proxy` format of Nginx Proxy Manager: https://nginxproxymanager.com
  {
    pattern: layout(
      String.raw`^\[(?<time>\d\d/\w{3}/[\d:]+ [+-]\d{4})\] \S+ \S+ (?<status>\d{3}) - (?<method>[A-Z]+) https? \S+ ${quoted('target')} \[Client (?<ip>[^\]\s]+)\] \[Length \d+\] .{0,200}?${quoted('userAgent')} ${quoted('referrer')}$`,
    ),
  },
];

/** Products as user agents name them. */
const AGENT = /^(?:Mozilla|Opera|[A-Za-z][\w.+ -]{0,60})\/v?\d/;

/** Headers in HAProxy's logs have no names: they are recognized by their values. */
function capturedParts(values: readonly string[]): RequestParts {
  const userAgent = values.find((value) => AGENT.test(value));
  const referrer = values.find((value) => /^https?:\/\//.test(value));
  const forwardedFor = values.find((value) => value.split(/,\s*/).every((part) => isIpAddress(part)));
  return { ...(userAgent && { userAgent }), ...(referrer && { referrer }), ...(forwardedFor && { forwardedFor }) };
}

/** A line in the layout of a service that is known; null for anything else. */
export function readKnownLayout(line: string): LogRecord | LineProblem | null {
  for (const { pattern, finish } of LAYOUTS) {
    const groups: Groups | undefined = pattern.exec(line)?.groups;
    if (!groups) continue;
    const { request, ...named } = groups;
    const parts = request === undefined ? named : { ...named, ...splitRequest(request) };
    return recordOf(finish ? finish(parts, groups) : parts);
  }
  return readLabels(line) ?? readPairs(line);
}

/** `label:value`, with tabs between them, as http://ltsv.org names the labels. */
function readLabels(line: string): LogRecord | LineProblem | null {
  const columns = line.split('\t');
  if (columns.length < ENOUGH_PAIRS || !columns.every((column) => /^[\w.-]{1,60}:/.test(column))) return null;
  const fields: Record<string, unknown> = {};
  for (const column of columns) {
    const at = column.indexOf(':');
    fields[column.slice(0, at)] = column.slice(at + 1);
  }
  const { host, req, ua, forwardedfor, ...others } = fields;
  return recordOf(partsByName({ remote_addr: host, request: req, user_agent: ua, xff: forwardedfor, ...others }));
}

const PAIR = /(?:^|\s)([A-Za-z_@][\w.@-]{0,60})=("(?:[^"\\]|\\.)*"|[^\s"]*)/g;
/** Fewer are an address, or a remark. */
const ENOUGH_PAIRS = 4;

/**
 * `name=value` pairs, as many loggers write them (https://brandur.org/logfmt), among them the router of
 * Heroku (https://devcenter.heroku.com/articles/http-routing#heroku-router-log-format), which puts the time
 * first.
 */
function readPairs(line: string): LogRecord | LineProblem | null {
  const fields: Record<string, unknown> = {};
  let first = -1;
  for (const { 1: name, 2: value, index } of line.matchAll(PAIR)) {
    if (first === -1) first = index;
    fields[name!] ??= value!.startsWith('"') ? unescaped(value!.slice(1, -1)) : value;
  }
  if (Object.keys(fields).length < ENOUGH_PAIRS) return null;
  const parts = partsByName(fields);
  if (parts.method === undefined || parts.target === undefined || parts.status === undefined) return null;
  const time = parts.time ?? timeInFront(line.slice(0, first));
  return recordOf(parts.ip === undefined ? behind({ ...parts, time }) : { ...parts, time });
}

function unescaped(value: string): string {
  return value.replace(/\\(.)/g, '$1');
}

const TIME = /\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?/g;

/** The time next to a message, in UTC if it has no offset; undefined without a time. */
export function timeInFront(prefix: string): string | undefined {
  const found = [...prefix.slice(0, 400).matchAll(TIME)].at(-1)?.[0].replace(',', '.');
  return found === undefined || /(?:Z|[+-]\d\d:?\d\d)$/.test(found) ? found : `${found}Z`;
}

/** The shape of an unreadable line, without any data about a reader. */
export function looksLike(line: string): string {
  const trimmed = line.trimStart();
  if (/[\p{Cc}\uFFFD]/u.test(trimmed.slice(0, 200).replaceAll('\t', ''))) return 'data that is not text';
  const json = /"([A-Za-z_@][\w.@-]{0,40})"\s*:/g;
  // A long line is cut.
  if (/^(?:[^{"]{0,300}\s)?\{(?:.*\}$|\s*"[^"]{1,40}"\s*:)/s.test(trimmed))
    return `JSON with the fields ${namesIn(trimmed, json)}`;
  const pairs = namesIn(trimmed, PAIR);
  if (pairs.includes(', ')) return `name=value pairs: ${pairs}`;
  if (trimmed.split('\t').length > 3) return 'columns with tabs between them';
  if (trimmed.split(/[,;|]/).length > 4) return 'columns with commas, semicolons or bars between them';
  if (/^<\d{1,3}>|^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d /.test(trimmed)) return 'a message of syslog';
  return /\d\d:\d\d:\d\d/.test(trimmed.slice(0, 60)) ? 'a message with its time' : 'text without a time';
}

function namesIn(line: string, pattern: RegExp): string {
  return [...new Set([...line.slice(0, 4_000).matchAll(pattern)].map(([, name]) => name!))].slice(0, 8).join(', ');
}
