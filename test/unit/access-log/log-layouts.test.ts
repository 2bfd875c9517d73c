import { describe, expect, test } from 'vitest';
import { compileLogFormat } from '@docent/access-log/lines/log-format';
import { looksLike } from '@docent/access-log/lines/known-layouts';
import { learnLayout, LineReader } from '@docent/access-log/lines/line-reader';
import { seenIn } from '@docent/access-log/lines/page-view';
import { clientBehind, ClientCounts } from '@docent/access-log/lines/log-clients';
import { isContinued, oldestFirst } from '@docent/access-log/files/rotations';
import { logText } from '@docent/access-log/lines/log-text';
import type { LogRecord } from '@docent/access-log/lines/record';
import { readIpRange } from '@docent/base/net/ip-address';

const UA =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const CLF = `- - [20/Nov/2026:10:00:01 +0000] "GET /g HTTP/1.1" 200 5 "-" "${UA}"`;
const AT = Date.UTC(2026, 10, 20, 10, 0, 1);

/** The requests of a log as `client path user-agent`, or why there is none. */
function read(text: string, format?: string): string[] {
  const compiled = format === undefined ? null : compileLogFormat(format);
  if (typeof compiled === 'string') throw new Error(compiled);
  const lines = text.split('\n').map((line) => {
    const buffer = Buffer.from(line);
    return { buffer, start: 0, end: buffer.length };
  });
  const reader = new LineReader(compiled);
  reader.use(learnLayout(lines));
  return lines.flatMap(({ buffer, start, end }) => {
    const record = reader.read(buffer, start, end);
    if (record === 'comment') return [];
    if (typeof record === 'string') return [record];
    expect(Math.floor(record.timestampMs / 1_000)).toBe(AT / 1_000);
    return [
      `${record.ip} ${record.pathOrUrl.text} ${record.userAgent === null ? 'null' : record.userAgent.text === UA ? 'UA' : record.userAgent.text}`,
    ];
  });
}

const clients = (prefix: string, ...addresses: string[]) =>
  addresses.map((address) => `${prefix}${address} ${CLF}`).join('\n');

describe('a prefix of a line is not the client', () => {
  test.each([
    ['rsyslog', 'Nov 20 10:00:01 web1 nginx: '],
    ['a BSD syslog with priority', '<190>Nov 20 10:00:01 web1 nginx: '],
    ['syslog by RFC 5424', '<190>1 2026-11-20T10:00:01Z web1 nginx 1 - - '],
    ['syslog by RFC 5424 with data', '<190>1 2026-11-20T10:00:01Z web1 nginx 1 ID [x@1 ip="10.9.8.7"] '],
    ['journalctl', 'Nov 20 10:00:01 web1 docker/nginx[811]: '],
    ['journalctl -o short-iso', '2026-11-20T10:00:01+0000 web1 nginx[811]: '],
    ['a host with an address as its name', 'Nov 20 10:00:01 10.0.0.7 nginx[811]: '],
    ['Kubernetes (CRI)', '2026-11-20T10:00:01.123456789Z stdout F '],
    ['kubectl logs --prefix --timestamps', '[pod/web-7f/nginx] 2026-11-20T10:00:01.1Z '],
    ['docker compose logs', 'web-1  | '],
    ['stern', 'web-7f nginx '],
    ['Heroku', '2026-11-20T10:00:01.123456+00:00 app[web.1]: '],
    ['a virtual host', 'docs.example.com '],
    ['a virtual host with its port', 'docs.example.com:443 '],
    ['a proxy in quotes', 'docs.example.com - "ProxyBy: 10.1.1.1" '],
    ['several of these', 'Nov 20 10:00:01 web1 nginx: docs.example.com:443 '],
  ])('%s', (_, prefix) => {
    const found = ['198.51.100.1 /g UA', '2001:db8::1 /g UA', '198.51.100.1 /g UA'];
    expect(read(clients(prefix, '198.51.100.1', '2001:db8::1', '198.51.100.1'))).toEqual(found);
  });

  test.each([
    ['syslog in front of a line without an address', `Nov 20 10:00:01 web1 nginx: - ${CLF}`, 'bad_address'],
    ['a word in front that is no host', `web-1 | - ${CLF}`, 'bad_address'],
    ['a host name as client', `dyn252.example.net ${CLF}`, 'dyn252.example.net /g UA'],
    [
      'a host name as client behind syslog',
      `Nov 20 10:00:01 web1 httpd: dyn252.example.net ${CLF}`,
      'dyn252.example.net /g UA',
    ],
    ['a short host name', `desktop1 ${CLF}`, 'desktop1 /g UA'],
    [
      'a user with blanks',
      `198.51.100.1 - John F Doe [20/Nov/2026:10:00:01 +0000] "GET /g HTTP/1.1" 200 5 "-" "${UA}"`,
      '198.51.100.1 /g UA',
    ],
    ['a list of proxies', `198.51.100.1, 10.0.0.1, 10.0.0.2 ${CLF}`, '198.51.100.1 /g UA'],
    [
      'no identity',
      `198.51.100.1 - [20/Nov/2026:10:00:01 +0000] "GET /g HTTP/1.1" 200 5 "-" "${UA}"`,
      '198.51.100.1 /g UA',
    ],
  ])('%s', (_, line, expected) => expect(read(line)).toEqual([expected]));

  test('a line inside JSON, and JSON behind a prefix', () => {
    const inner = `198.51.100.1 ${CLF}`;
    const caddy = JSON.stringify({
      ts: AT / 1_000,
      status: 200,
      request: { uri: '/g', method: 'GET', client_ip: '198.51.100.1', headers: { 'User-Agent': [UA] } },
    });
    const lines = [
      JSON.stringify({ log: `${inner}\n`, stream: 'stdout', time: '2026-11-20T10:00:02Z' }),
      JSON.stringify({ MESSAGE: inner, _HOSTNAME: 'web1' }),
      JSON.stringify({ log: caddy, stream: 'stderr' }),
      `2026-11-20T10:00:01.1Z stderr F ${caddy}`,
      `web-1  | ${caddy}`,
    ];
    expect(read(lines.join('\n'))).toEqual(lines.map(() => '198.51.100.1 /g UA'));
    expect(read(JSON.stringify({ log: '2026/11/20 10:00:01 [error] 7#7: "GET /x" failed' }))).toEqual([
      'not_a_request',
    ]);
  });
});

describe('fields in another order', () => {
  const head = '198.51.100.1 - - [20/Nov/2026:10:00:01 +0000] "GET /g HTTP/1.1" 200 5';
  test.each([
    [
      'a host before the referrer',
      `${head} "docs.example.com" "https://example.org/" "${UA}"\n${head} "docs.example.com" "-" "${UA}"`,
    ],
    ['the user agent before the referrer', `${head} "${UA}" "https://example.org/"\n${head} "${UA}" "-"`],
    ['fields behind', `${head} "https://example.org/" "${UA}" "10.0.0.1" "a/1" 0.003\n${head} "-" "${UA}" "-" "-" 0.1`],
    [
      'Traefik',
      `${head} "-" "${UA}" 7 "docs@docker" "http://10.0.0.2:80" 3ms\n${head} "-" "${UA}" 8 "docs@docker" "http://10.0.0.2:80" 2ms`,
    ],
  ])('%s', (_, text) => expect(read(text)).toEqual(['198.51.100.1 /g UA', '198.51.100.1 /g UA']));

  test('lines that do not agree are unclear', () => {
    const lines = [`${head} "${UA}" "-"`, `${head} "-" "${UA}"`].map((line) => {
      const buffer = Buffer.from(line);
      return { buffer, start: 0, end: buffer.length };
    });
    expect(learnLayout(lines).isUnclear).toBe(true);
    expect(learnLayout(lines.slice(0, 1)).isUnclear).toBe(false);
  });
});

/** A request in Caddy's log, with these headers. */
const inCaddy = (headers: object) => {
  const buffer = Buffer.from(
    JSON.stringify({
      ts: AT / 1_000,
      status: 200,
      request: { uri: '/g', method: 'GET', client_ip: '198.51.100.1', headers },
    }),
  );
  const record = new LineReader().read(buffer, 0, buffer.length);
  if (typeof record === 'string') throw new Error(record);
  return record;
};

describe('logs of services', () => {
  test('an AWS load balancer', () => {
    const line = `h2 2026-11-20T10:00:01.000000Z app/docs/50d 198.51.100.1:62611 10.0.0.1:80 0.006 0.008 0.000 200 200 498 1485 "GET https://docs.example.com:443/g HTTP/2.0" "${UA}" ECDHE TLSv1.2 arn:aws:x "Root=1-2"`;
    expect(read(line)).toEqual(['198.51.100.1 https://docs.example.com:443/g UA']);
  });

  test('an AWS load balancer, of a client with IPv6', () => {
    const line = `h2 2026-11-20T10:00:01.000000Z app/docs/50d [2001:db8::1]:62611 10.0.0.1:80 0.006 0.008 0.000 200 200 498 1485 "GET https://docs.example.com:443/g HTTP/2.0" "${UA}" ECDHE TLSv1.2 arn:aws:x "Root=1-2"`;
    expect(read(line)).toEqual(['2001:db8::1 https://docs.example.com:443/g UA']);
  });

  test.each([
    [
      'a Google load balancer',
      {
        httpRequest: { requestMethod: 'GET', requestUrl: '/g', status: 200, userAgent: UA, remoteIp: '198.51.100.1' },
        timestamp: '2026-11-20T10:00:01.000Z',
        insertId: 'a1',
      },
    ],
    [
      'Traefik',
      {
        ClientAddr: '198.51.100.1:51000',
        ClientHost: '198.51.100.1',
        DownstreamStatus: 200,
        RequestMethod: 'GET',
        RequestPath: '/g',
        StartUTC: '2026-11-20T10:00:01Z',
        'request_User-Agent': UA,
      },
    ],
    [
      'CloudFront',
      {
        date: '2026-11-20',
        time: '10:00:01',
        'c-ip': '198.51.100.1',
        'cs-method': 'GET',
        'cs-uri-stem': '/g',
        'cs-uri-query': '-',
        'sc-status': '200',
        'cs(User-Agent)': encodeURIComponent(UA),
        'cs(Referer)': '-',
      },
    ],
  ])('%s, as JSON', (_, fields) => expect(read(JSON.stringify(fields))).toEqual(['198.51.100.1 /g UA']));

  test('lines in the colors of docker compose', () => {
    expect(read(`\u001B[36mweb-1  | \u001B[0m198.51.100.1 ${CLF}`)).toEqual(['198.51.100.1 /g UA']);
  });

  test('CloudFront', () => {
    const agent = encodeURIComponent(UA).replaceAll('%', '%25');
    const text = `#Version: 1.0\n#Fields: date time c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query\n2026-11-20\t10:00:01\t198.51.100.1\tGET\td1.cloudfront.net\t/g\t200\t-\t${agent}\tx=1`;
    expect(read(text)).toEqual(['198.51.100.1 /g?x=1 UA']);
  });

  test('IIS, whose columns change in the middle', () => {
    const agent = UA.replaceAll(' ', '+');
    const text = `#Software: IIS\n#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query c-ip cs(User-Agent) cs(Referer) sc-status\n2026-11-20 10:00:01 10.0.0.3 GET /a - 198.51.100.1 ${agent} - 200\n#Fields: date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent)\n2026-11-20 10:00:01 198.51.100.2 GET /b 200 ${agent}`;
    expect(read(text)).toEqual(['198.51.100.1 /a UA', '198.51.100.2 /b UA']);
  });

  test('the headers of Caddy say what was fetched ahead, and who wanted Markdown', () => {
    expect(seenIn(inCaddy({ 'Sec-Purpose': ['prefetch;prerender'] }))).toBe('prefetch');
    expect(inCaddy({ Accept: ['text/markdown, text/html;q=0.9'] }).isMarkdown).toBe(true);
    expect(inCaddy({ Accept: ['text/html, text/markdown;q=0.5'] }).isMarkdown).toBeUndefined();
  });
});

/** Requests of six clients with two user agents, in no order. */
const REQUESTS = Array.from({ length: 40 }, (_, i) => ({
  ip: (i * 7) % 3 === 0 ? `2001:db8::${i % 2}` : `198.51.100.${(i * 5) % 4}`,
  ua: i % 5 === 0 ? 'curl/8.5.0' : UA,
  path: `/guide/${i % 9}?q=a%20b`,
}));
const SITE = 'https://docs.example.com';
const S3_OWNER = '79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be';
const CADDY = ({ ip, ua, path }: (typeof REQUESTS)[number]) =>
  JSON.stringify({
    request: {
      remote_ip: ip,
      client_ip: ip,
      proto: 'HTTP/2.0',
      method: 'GET',
      host: 'd',
      uri: path,
      headers: { 'User-Agent': [ua] },
    },
    bytes_read: 0,
    duration: 0.001,
    status: 200,
  });

describe('layouts of services have the visitors that made their lines', () => {
  type Line = (request: (typeof REQUESTS)[number], i: number) => string;
  const withAgents: [string, Line][] = [
    [
      'Caddy in a console',
      (one) => `2026/11/20 10:00:01.000\tINFO\thttp.log.access.log0\thandled request\t${CADDY(one)}`,
    ],
    [
      'Caddy in a console, in color and behind journald',
      (one) =>
        `Nov 20 10:00:02 web1 caddy[7]: 2026/11/20 10:00:01\t\u001B[34mINFO\u001B[0m\thttp.log.access\thandled request\t${CADDY(one)}`,
    ],
    [
      'Envoy',
      ({ ip, ua, path }, i) =>
        `[2026-11-20T10:00:01.000Z] "GET ${path} HTTP/1.1" 200 - 0 154 9 8 "203.0.113.9, ${ip}" "${ua}" "a1-${i}" "docs.example.com" "10.0.0.9:80"`,
    ],
    [
      'Istio, without a list of proxies',
      ({ ip, ua, path }, i) =>
        `2026-11-20T10:00:01.5Z stdout F [2026-11-20T10:00:01.000Z] "GET ${path} HTTP/2" 200 - via_upstream - "-" 0 154 9 8 "-" "${ua}" "a1-${i}" "docs.example.com" "10.0.0.9:80" inbound|80|| 127.0.0.6:4 10.0.0.9:80 ${ip.includes(':') ? `[${ip}]` : ip}:52000 - default`,
    ],
    [
      'S3',
      ({ ip, ua, path }, i) =>
        `${S3_OWNER} docs [20/Nov/2026:10:00:01 +0000] ${ip} - 3E57427F${i} WEBSITE.GET.OBJECT guide/index.html "GET ${i % 2 ? '/docs' : ''}${path} HTTP/1.1" 200 - 113 113 7 6 "https://example.org/" "${ua}" - s9lz= SigV4 ECDHE AuthHeader docs.s3.amazonaws.com TLSV1.2 - -`,
    ],
    [
      'HAProxy, with captured headers',
      ({ ip, ua, path }) =>
        `Nov 20 10:00:02 lb haproxy[14389]: ${ip}:33317 [20/Nov/2026:10:00:01.000] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {docs.example.com|${ua}|https://example.org/} {nginx} "GET ${path} HTTP/1.1"`,
    ],
    [
      'logfmt',
      ({ ip, ua, path }) =>
        `time=2026-11-20T10:00:01.000Z level=INFO msg="request done" method=GET path="${path}" status=200 remote_addr=${ip.includes(':') ? `[${ip}]` : ip}:5000 user_agent="${ua}"`,
    ],
    [
      'Azure Front Door',
      ({ ip, ua, path }) =>
        JSON.stringify({
          time: '2026-11-20T10:00:01.1Z',
          category: 'FrontDoorAccessLog',
          properties: {
            httpMethod: 'GET',
            requestUri: `${SITE}${path}`,
            clientIp: ip,
            userAgent: ua,
            httpStatusCode: '200',
          },
        }),
    ],
    [
      "Azure's application gateway",
      ({ ip, ua, path }) =>
        JSON.stringify({
          timeStamp: '2026-11-20T10:00:01+00:00',
          properties: { clientIP: ip, httpMethod: 'GET', requestUri: path, userAgent: ua, httpStatus: 200 },
        }),
    ],
    [
      'Fastly, with its names in JSON',
      ({ ip, ua, path }) =>
        JSON.stringify({
          timestamp: '2026-11-20T10:00:01+0000',
          client_ip: ip,
          url: path,
          request_method: 'GET',
          request_user_agent: ua,
          response_status: 200,
        }),
    ],
    [
      "Akamai's DataStream",
      ({ ip, ua, path }, i) =>
        JSON.stringify({
          reqId: `a${i}`,
          reqTimeSec: '1795168801.123',
          cliIP: ip,
          statusCode: '200',
          reqMethod: 'GET',
          reqPath: path.slice(1).split('?')[0],
          queryStr: path.split('?')[1],
          UA: encodeURIComponent(ua),
          referer: '-',
        }),
    ],
    [
      'CloudFront in real time',
      ({ ip, ua, path }, i) =>
        `1795168801.123\t${ip}\t0.001\t200\t512\tGET\thttps\td.example.com\t${path}\t120\tFRA50-C1\tq${i}\td.example.com\t0.002\tHTTP/2.0\tIPv4\t${encodeURIComponent(ua)}\t-\t-\t-\tHit`,
    ],
    [
      'Bunny',
      ({ ip, ua, path }, i) =>
        `HIT|200|1795168801000|512|12345|${ip}|-|${SITE}${path}|DE|${ua}|${(i + 16).toString(16)}|DE`,
    ],
    [
      'Nginx Proxy Manager',
      ({ ip, ua, path }) =>
        `[20/Nov/2026:10:00:01 +0000] - 200 200 - GET https docs.example.com "${path}" [Client ${ip}] [Length 512] [Gzip -] [Sent-to 10.0.0.3] "${ua}" "-"`,
    ],
    [
      'LTSV',
      ({ ip, ua, path }) =>
        `time:20/Nov/2026:10:00:01 +0000\thost:${ip}\tforwardedfor:-\treq:GET ${path} HTTP/1.1\tstatus:200\tsize:5\treferer:-\tua:${ua}`,
    ],
    [
      'the Elastic Common Schema',
      ({ ip, ua, path }) =>
        JSON.stringify({
          '@timestamp': '2026-11-20T10:00:01.000Z',
          agent: { type: 'filebeat' },
          source: { ip },
          http: { request: { method: 'GET' }, response: { status_code: 200 } },
          url: { original: path },
          user_agent: { original: ua },
        }),
    ],
    [
      'pino',
      ({ ip, ua, path }) =>
        JSON.stringify({
          time: AT,
          req: { method: 'GET', url: path, headers: { 'user-agent': ua }, remoteAddress: ip },
          res: { statusCode: 200 },
          msg: 'request completed',
        }),
    ],
    [
      'Kong',
      ({ ip, ua, path }) =>
        JSON.stringify({
          client_ip: ip,
          started_at: AT,
          request: { method: 'GET', uri: path, headers: { 'user-agent': ua } },
          response: { status: 200 },
        }),
    ],
    [
      'Istio as JSON',
      ({ ip, ua, path }, i) =>
        JSON.stringify({
          start_time: '2026-11-20T10:00:01.000Z',
          method: 'GET',
          path,
          response_code: 200,
          ...(i % 2 ? { x_forwarded_for: `203.0.113.9,${ip}` } : {}),
          downstream_remote_address: i % 2 ? '10.0.0.1:5' : `${ip.includes(':') ? `[${ip}]` : ip}:5`,
          user_agent: ua,
        }),
    ],
    [
      "AWS' classic load balancer",
      ({ ip, ua, path }) =>
        `2026-11-20T10:00:01.943958Z my-lb ${ip}:2817 10.0.0.1:80 0.000073 0.001048 0.000057 200 200 0 29 "GET ${SITE}${path} HTTP/1.1" "${ua}" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2`,
    ],
    [
      'CloudFront, without the names of its columns',
      ({ ip, ua, path }, i) =>
        `2026-11-20\t10:00:01\tFRA56-P4\t2390\t${ip}\tGET\td1.cloudfront.net\t${path.split('?')[0]}\t200\t-\t${encodeURIComponent(ua)}\t${path.split('?')[1]}\t-\tHit\tq${i}\tdocs.example.com\thttps\t23\t0.001`,
    ],
    [
      'GitLab Pages behind its proxy',
      ({ ip, ua, path }) =>
        JSON.stringify({
          host: 'docs.example.com',
          method: 'GET',
          msg: 'access',
          remote_addr: '10.0.0.1:49486',
          remote_ip: ip,
          status: 200,
          time: '2026-11-20T10:00:01Z',
          uri: path,
          user_agent: ua,
        }),
    ],
    [
      "Fastly's default",
      ({ ip, ua, path }) =>
        JSON.stringify({
          time_start: '2026-11-20T10:00:01UTC',
          client_ip: ip,
          request: 'GET',
          url: path,
          request_user_agent: ua,
          status: '200',
        }),
    ],
    [
      'the Envoy Gateway',
      ({ ip, ua, path }) =>
        JSON.stringify({
          start_time: '2026-11-20T10:00:01.000Z',
          method: 'GET',
          'x-envoy-origin-path': path,
          response_code: 200,
          'x-forwarded-for': ip,
          'user-agent': ua,
          ':authority': 'docs.example.com',
          downstream_remote_address: '10.0.0.3:5',
        }),
    ],
    [
      'nginx as JSON with short names',
      ({ ip, ua, path }) =>
        JSON.stringify({
          ts: AT / 1_000,
          IP: ip,
          method: 'GET',
          uri: path.split('?')[0],
          args: path.split('?')[1],
          status: 200,
          ua,
        }),
    ],
    [
      'nginx as JSON with names in camel case',
      ({ ip, ua, path }) =>
        JSON.stringify({
          timeLocal: '20/Nov/2026:10:00:01 +0000',
          remoteAddr: ip,
          requestMethod: 'GET',
          requestUri: path,
          responseStatus: 200,
          httpUserAgent: ua,
        }),
    ],
    [
      'JSON in JSON, as Google keeps it',
      ({ ip, ua, path }) =>
        JSON.stringify({
          insertId: 'a',
          timestamp: '2026-11-20T10:00:01Z',
          resource: { type: 'k8s_container', labels: { method: 'POST' } },
          jsonPayload: { remote_addr: ip, method: 'GET', path, status: 200, http_user_agent: ua },
        }),
    ],
    [
      'headers in JSON',
      ({ ip, ua, path }) =>
        JSON.stringify({
          time: '2026-11-20T10:00:01Z',
          level: 'INFO',
          upstream: { ip: '10.0.0.1', status: 502 },
          request: {
            method: 'GET',
            path: path.split('?')[0],
            query: path.split('?')[1],
            ip: ip.includes(':') ? `[${ip}]:5` : `${ip}:5`,
            headers: { 'User-Agent': [ua] },
          },
          response: { status: 200 },
        }),
    ],
    [
      "Cloudflare's wrangler tail",
      ({ ip, ua, path }) =>
        JSON.stringify({
          outcome: 'ok',
          eventTimestamp: AT,
          event: {
            request: { url: `${SITE}${path}`, method: 'GET', headers: { 'cf-connecting-ip': ip, 'user-agent': ua } },
            response: { status: 200 },
          },
        }),
    ],
    ...(['textPayload', 'body', 'event', '_raw', 'log'] as const).map((field): [string, Line] => [
      `a whole line in ${field}`,
      ({ ip, ua, path }) =>
        JSON.stringify({ [field]: `${ip} - - [20/Nov/2026:10:00:01 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${ua}"` }),
    ]),
    [
      'APISIX',
      ({ ip, ua, path }) =>
        `${ip} - - [20/Nov/2026:10:00:01 +0000] docs.example.com "GET ${path} HTTP/1.1" 200 5 0.003 "-" "${ua}" 10.0.0.1:80 200 0.003 "http://docs.example.com/"`,
    ],
    [
      'nginx with the host in quotes before the request',
      ({ ip, ua, path }) =>
        `${ip} - - [20/Nov/2026:10:00:01 +0000] "docs.example.com" "GET ${path} HTTP/2.0" 200 512 "-" "${ua}"`,
    ],
    [
      'nginx with the time in front',
      ({ ip, ua, path }) => `[20/Nov/2026:10:00:01 +0000] ${ip} - - "GET ${path} HTTP/1.1" 200 512 "-" "${ua}"`,
    ],
    [
      'the time by ISO 8601 in front, and the user agent first',
      ({ ip, ua, path }) => `2026-11-20T10:00:01Z ${ip} "GET ${path} HTTP/1.1" 200 "${ua}" "-"`,
    ],
    [
      "Logpush's columns in CSV",
      ({ ip, ua, path }, i) =>
        `${i === 0 ? 'ClientIP,ClientRequestHost,ClientRequestMethod,ClientRequestURI,EdgeResponseStatus,EdgeStartTimestamp,ClientRequestUserAgent\n' : ''}${ip},docs.example.com,GET,${path},200,2026-11-20T10:00:01Z,"${ua}"`,
    ],
    [
      'HAProxy as JSON, behind the network of Cloudflare',
      ({ ip, ua, path }) =>
        JSON.stringify({
          t: AT / 1_000,
          cf_connecting_ip: ip,
          http_method: 'GET',
          http_uri: path,
          status_code: '200',
          ua,
        }),
    ],
    [
      "Grok's names, beside the path of the log itself",
      ({ ip, ua, path }) =>
        JSON.stringify({
          '@timestamp': '2026-11-20T10:00:01Z',
          clientip: ip,
          verb: 'GET',
          request: path,
          response: '200',
          agent: `"${ua}"`,
          path: '/var/log/nginx/access.log',
        }),
    ],
    [
      'a request that nginx rewrote',
      ({ ip, ua, path }) =>
        JSON.stringify({
          time: '2026-11-20T10:00:01Z',
          remote_addr: ip,
          method: 'GET',
          request: `GET ${path} HTTP/2.0`,
          uri: '/index.php',
          status: 200,
          http_user_agent: ua,
        }),
    ],
    [
      "Azure's tables",
      ({ ip, ua, path }) =>
        JSON.stringify({
          TimeGenerated: '2026-11-20T10:00:01Z',
          clientIp_s: ip,
          httpMethod_s: 'GET',
          requestUri_s: `${SITE}${path}`,
          httpStatusCode_d: 200,
          userAgent_s: ua,
        }),
    ],
    [
      "Datadog's archives, with a level as their status",
      ({ ip, ua, path }) =>
        JSON.stringify({
          date: '2026-11-20T10:00:01Z',
          status: 'info',
          attributes: {
            http: { url: path, method: 'GET', status_code: '200', useragent: ua },
            network: { client: { ip } },
          },
        }),
    ],
    [
      'a whole line beside a level as the status',
      ({ ip, ua, path }) =>
        JSON.stringify({
          status: 'info',
          message: `${ip} - - [20/Nov/2026:10:00:01 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${ua}"`,
        }),
    ],
    [
      'Traefik as logfmt',
      ({ ip, ua, path }) =>
        `time="2026-11-20T10:00:01Z" level=info ClientHost=${ip} RequestMethod=GET RequestPath="${path}" DownstreamStatus=200 OriginStatus=502 request_User-Agent="${ua.replaceAll('"', '\\"')}"`,
    ],
    [
      'Tomcat as JSON',
      ({ ip, ua, path }) =>
        JSON.stringify({
          host: ip,
          logicalUserName: '-',
          user: '-',
          time: '[20/Nov/2026:10:00:01 +0000]',
          request: `GET ${path} HTTP/1.1`,
          statusCode: '200',
          size: '5',
          requestHeaders: { Referer: '-', 'User-Agent': ua },
        }),
    ],
    [
      'Tomcat as JSON, with its parts of the request',
      ({ ip, ua, path }) =>
        JSON.stringify({
          remoteAddr: ip,
          time: '[20/Nov/2026:10:00:01 +0000]',
          method: 'GET',
          path,
          query: '',
          statusCode: '200',
          requestHeaders: { 'User-Agent': ua },
        }),
    ],
    [
      'Apache by Fluentd, whose host is the client',
      ({ ip, ua, path }) =>
        JSON.stringify({
          host: ip,
          user: null,
          method: 'GET',
          path,
          code: 200,
          size: 5,
          referer: null,
          agent: ua,
          time: '2026-11-20 10:00:01 +0000',
        }),
    ],
    [
      'Envoy as JSON, with the names of HTTP/2',
      ({ ip, ua, path }) =>
        JSON.stringify({
          ':method': 'GET',
          ':path': path,
          start_time: '2026-11-20T10:00:01Z',
          response_code: 200,
          downstream_remote_address_without_port: ip,
          'user-agent': ua,
        }),
    ],
    [
      'Hypercorn, whose protocol is a number',
      ({ ip, ua, path }) =>
        `${ip.includes(':') ? `[${ip}]` : ip}:5123 - - [20/Nov/2026:10:00:01 +0000] "GET ${path} 1.1" 200 5 "-" "${ua}"`,
    ],
    [
      'the router of Cloud Foundry',
      ({ ip, ua, path }) =>
        `docs.example.com - [2026-11-20T10:00:01.123456789Z] "GET ${path} HTTP/1.1" 200 0 5 "-" "${ua}" "${ip}:4711" "10.0.1.5:61001" x_forwarded_for:"-" x_forwarded_proto:"https"`,
    ],
    [
      'Apache as JSON',
      ({ ip, ua, path }) =>
        JSON.stringify({
          time: '2026-11-20T10:00:01+0000',
          remoteIP: ip,
          request: path,
          method: 'GET',
          status: '200',
          userAgent: ua,
        }),
    ],
  ];
  test.each(withAgents)('%s', (_, line) => {
    const expected = REQUESTS.map(({ ip, ua, path }) => `${ip} ${path} ${ua === UA ? 'UA' : ua}`);
    const found = read(REQUESTS.map(line).join('\n')).map((request) => request.replace(SITE, ''));
    expect(found).toEqual(expected);
  });

  const withoutAgents: [string, Line][] = [
    [
      'WEBrick, with the name of the zone',
      ({ ip, path }) => `${ip} - - [20/Nov/2026:10:00:01 UTC] "GET ${path} HTTP/1.1" 200 5`,
    ],
    ['the server of Python', ({ ip, path }) => `${ip} - - [20/Nov/2026 10:00:01] "GET ${path} HTTP/1.1" 200 -`],
    [
      'HAProxy, without captured headers',
      ({ ip, path }) =>
        `${ip}:33317 [20/Nov/2026:10:00:01.000] http-in~ static/<NOSRV> 10/0/30/69/+109 200 +2750 - - ---- 1/1/1/1/+2 0/0 "GET ${path} HTTP/1.1"`,
    ],
    [
      'the router of Heroku',
      ({ ip, path }, i) =>
        `2026-11-20T10:00:01.000000+00:00 heroku[router]: at=info method=GET path="${path}" host=docs.example.com request_id=a1-${i} fwd="203.0.113.9,${ip}" dyno=web.1 connect=1ms service=18ms status=200 bytes=13 protocol=https`,
    ],
    [
      'Uvicorn behind docker logs --timestamps',
      ({ ip, path }) => `2026-11-20T10:00:01.123456789Z INFO:     ${ip}:53412 - "GET ${path} HTTP/1.1" 200 OK`,
    ],
    [
      'the router of Heroku in a drain',
      ({ ip, path }, i) =>
        `<158>1 2026-11-20T10:00:01.000000+00:00 host heroku router - at=info method=GET path="${path}" host=docs.example.com request_id=a1-${i} fwd="${ip}" dyno=web.1 connect=0ms service=2ms status=200 bytes=415`,
    ],
  ];
  test.each(withoutAgents)('%s', (_, line) => {
    const expected = REQUESTS.map(({ ip, path }) => `${ip} ${path} null`);
    expect(read(REQUESTS.map(line).join('\n'))).toEqual(expected);
  });

  test('columns of a W3C log, in quotes or with spaces', () => {
    const names = '#Fields: date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent)';
    const lines = [`"${UA}"`, UA.replaceAll(' ', '+'), '"a+b c"', UA].map(
      (agent) => `2026-11-20 10:00:01 198.51.100.1 GET /g 200 ${agent}`,
    );
    expect(read([names, ...lines].join('\n'))).toEqual([
      '198.51.100.1 /g UA',
      '198.51.100.1 /g UA',
      '198.51.100.1 /g a+b c',
      'not_a_log_line',
    ]);
  });

  test('columns that the first line names', () => {
    const expected = REQUESTS.map(({ ip, ua, path }) => `${ip} ${path} ${ua === UA ? 'UA' : ua}`);
    const storage = REQUESTS.map(
      ({ ip, ua, path }) => `"${AT * 1_000}","${ip}","1","","GET","${path}","200","${ua.replaceAll('"', '""')}"`,
    );
    const names = '"time_micros","c_ip","c_ip_type","c_ip_region","cs_method","cs_uri","sc_status","cs_user_agent"';
    // Joined files repeat the names.
    expect(read([names, ...storage.slice(0, 20), names, ...storage.slice(20)].join('\n'))).toEqual(expected);
    const own = REQUESTS.map(({ ip, ua, path }) => `2026-11-20T10:00:01Z;${ip};GET;${path};200;"${ua}"`);
    expect(read(['Time;Client IP;Method;URL;Status;User Agent', ...own].join('\n'))).toEqual(expected);
    expect(read('Time;Client;Method;URL;Notes\n1;2;3;4;5')).toEqual(['not_a_log_line', 'not_a_log_line']);
  });

  test('what could mean two things is not guessed', () => {
    const request = '"GET /g HTTP/1.1"';
    const lines = [
      `[20/Nov/2026:10:00:01 +0000] 198.51.100.1 -> 10.0.0.5:80 ${request} 200 "-" "${UA}"`,
      `198.51.100.1 - - [20/Nov/2026:10:00:01 +0000] 200 ${request} 512 "-" "${UA}"`,
      `2026/11/20 10:00:01 [error] 7#7: *1 open() failed, client: 198.51.100.1, request: ${request}, host: "d"`,
    ];
    for (const line of lines) expect(read(line)).toEqual(['not_a_log_line']);
    expect(read('INFO:     198.51.100.1:5000 - "GET /g HTTP/1.1" 200 OK')).toEqual(['bad_timestamp']);
  });

  test('and errors without a request are not counted', () => {
    const lines = [
      'Nov 20 10:00:02 lb haproxy[1]: 198.51.100.1:33317 [20/Nov/2026:10:00:01.000] http-in http-in/<NOSRV> -1/-1/-1/-1/0 400 0 - - PR-- 1/1/0/0/0 0/0 "<BADREQ>"',
      '2026-11-20T10:00:01+00:00 heroku[web.1]: State changed from starting to up',
      'time=2026-11-20T10:00:01Z level=INFO msg="started" port=80 pid=1',
      '2026/11/20 10:00:01.000\tINFO\tserving initial configuration\t{"address": "localhost:2019"}',
    ];
    expect(read(lines.join('\n'))).toEqual(['bad_request', 'not_a_log_line', 'not_a_log_line', 'not_a_request']);
  });
});

test.each([
  ['{"level":"info","msg":"198.51.100.1"}', 'JSON with the fields level, msg'],
  ['Nov 20 app: {"level":"info"}', 'JSON with the fields level'],
  ['level=info user=jane addr=198.51.100.1', 'name=value pairs: level, user, addr'],
  ['a\tb\tc\td', 'columns with tabs between them'],
  ['1,198.51.100.1,GET,/a,200', 'columns with commas, semicolons or bars between them'],
  ['<34>1 host app started', 'a message of syslog'],
  ['Nov 20 10:00:01 web1 cron[1]: done', 'a message of syslog'],
  ['[10:00:01] started for 198.51.100.1', 'a message with its time'],
  ['Hello 198.51.100.1', 'text without a time'],
  ['\u0000\u0001PK', 'data that is not text'],
])('a line that is no request is described without what it says: %s', (line, expected) => {
  expect(looksLike(line)).toBe(expected);
});

test('lines are read in a moment, whatever they say', () => {
  for (const text of ['a="', 'a=b ', '[', '{', '{"', '1:1 [', '\\"', '"a" ', '2026-11-20 ', 'fwd="'].map((part) =>
    part.repeat(60_000 / part.length),
  )) {
    const startedAt = performance.now();
    for (const front of [
      '',
      `[2026-11-20T10:00:01Z] "`,
      `${S3_OWNER} b [1] "`,
      '1.1.1.1:1 [20/Nov/2026:10:00:01] a b ',
    ])
      read(front + text);
    looksLike(text);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  }
});

describe('a format that the operator names', () => {
  const nginx = `log_format main '$host [$time_iso8601] $remote_addr "$request" $status '\n  '"$http_user_agent" rt=$request_time';`;
  test.each([
    [nginx, `docs [2026-11-20T10:00:01+00:00] 198.51.100.1 "GET /g HTTP/1.1" 200 "${UA}" rt=0.1 more`],
    [
      'LogFormat "%{X-Forwarded-For}i|%t|%m|%U%q|%>s|%{User-Agent}i" own',
      `198.51.100.1|[20/Nov/2026:10:00:01 +0000]|GET|/g|200|${UA}`,
    ],
    ['%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-agent}i"', `198.51.100.1 ${CLF}`],
    ['combined', `198.51.100.1 ${CLF}`],
    ['combined', `Nov 20 10:00:01 web1 nginx[811]: 198.51.100.1 ${CLF}`],
    [
      '%{c}a [%{%d/%b/%Y:%T}t.%{msec_frac}t %{%z}t] "%r" %>s "%{User-Agent}i"',
      `198.51.100.1 [20/Nov/2026:10:00:01.123 +0000] "GET /g HTTP/1.1" 200 "${UA}"`,
    ],
    ['vhost_combined', `docs.example.com:443 198.51.100.1 ${CLF}`],
    [
      'haproxy',
      `Nov 20 10:00:01 lb haproxy[1]: 198.51.100.1:33317 [20/Nov/2026:10:00:01.000] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {docs.example.com|${UA}} {} "GET /g HTTP/1.1"`,
    ],
  ])('%s', (format, line) => expect(read(line, format)).toEqual(['198.51.100.1 /g UA']));

  test('skips lines of another format, and reports missing fields', () => {
    expect(read('something else', 'combined')).toEqual(['not_a_log_line']);
    expect(compileLogFormat('$remote_addr "$request"')).toBe('The format lacks the time, the status.');
    expect(compileLogFormat('combinde')).toMatch(/^The format is empty\. Use one of combined, common/);
  });
});

const hex = (text: string) => text.replaceAll('"', '\\x22');
const apache = (text: string) => text.replaceAll('"', '\\"');
const json = (fields: object) => JSON.stringify(fields);

describe('the signature of a request', () => {
  const signed = {
    signature: 'sig1=:AAAA:',
    signatureInput: 'sig1=("@authority");created=1;tag="web-bot-auth"',
    signatureAgent: '"https://chatgpt.com"',
    authority: 'docs.example.com',
  };
  const nginxHeaders = {
    http_host: signed.authority,
    http_signature: signed.signature,
    http_signature_input: signed.signatureInput,
    http_signature_agent: signed.signatureAgent,
  };
  test.each<[string, string, string?]>([
    [
      'nginx JSON',
      json({
        msec: '1763632801',
        request: 'GET /g HTTP/2.0',
        status: 200,
        remote_addr: '198.51.100.1',
        ...nginxHeaders,
      }),
    ],
    [
      'Caddy',
      json({
        ts: 1_763_632_801,
        status: 200,
        request: {
          client_ip: '198.51.100.1',
          method: 'GET',
          uri: '/g',
          host: signed.authority,
          headers: {
            Signature: [signed.signature],
            'Signature-Input': [signed.signatureInput],
            'Signature-Agent': [signed.signatureAgent],
          },
        },
      }),
    ],
    [
      'Traefik',
      json({
        StartUTC: '2026-11-20T10:00:01Z',
        RequestMethod: 'GET',
        RequestPath: '/g',
        RequestHost: signed.authority,
        DownstreamStatus: 200,
        ClientHost: '198.51.100.1',
        request_Signature: signed.signature,
        'request_Signature-Input': signed.signatureInput,
        'request_Signature-Agent': signed.signatureAgent,
      }),
    ],
    [
      'Cloudflare Logpush',
      json({
        ClientIP: '198.51.100.1',
        ClientRequestMethod: 'GET',
        ClientRequestURI: '/g',
        ClientRequestHost: signed.authority,
        EdgeStartTimestamp: '2026-11-20T10:00:01Z',
        EdgeResponseStatus: 200,
        RequestHeaders: {
          signature: signed.signature,
          'signature-input': signed.signatureInput,
          'signature-agent': signed.signatureAgent,
        },
      }),
    ],
    [
      'a format of nginx',
      `198.51.100.1 [20/Nov/2026:10:00:01 +0000] "GET /g HTTP/1.1" 200 "${signed.authority}" "${hex(signed.signature)}" "${hex(signed.signatureInput)}" "${hex(signed.signatureAgent)}"`,
      '$remote_addr [$time_local] "$request" $status "$http_host" "$http_signature" "$http_signature_input" "$http_signature_agent"',
    ],
    [
      'a format of Apache',
      `198.51.100.1 [20/Nov/2026:10:00:01 +0000] "GET /g HTTP/1.1" 200 "${signed.authority}" "${apache(signed.signature)}" "${apache(signed.signatureInput)}" "${apache(signed.signatureAgent)}"`,
      '%h %t "%r" %>s "%{Host}i" "%{Signature}i" "%{Signature-Input}i" "%{Signature-Agent}i"',
    ],
  ])('is read from %s', (_, line, format) => {
    const compiled = format === undefined ? null : compileLogFormat(format);
    if (typeof compiled === 'string') throw new Error(compiled);
    const bytes = Buffer.from(line);
    expect(new LineReader(compiled).read(bytes, 0, bytes.length)).toMatchObject({ signed });
  });

  test('is absent from a request without one', () => {
    const line = Buffer.from(
      json({
        msec: '1763632801',
        request: 'GET / HTTP/2.0',
        status: 200,
        remote_addr: '198.51.100.1',
        ...nginxHeaders,
        http_signature: '',
      }),
    );
    expect(new LineReader().read(line, 0, line.length)).not.toHaveProperty('signed');
  });
});

const behindProxies = (i: number, path = '/', proxy = `198.51.100.${i % 3}`, more = '') =>
  `{"time":"2026-11-20T10:00:01Z","remote_addr":"${proxy}","request":"GET ${path} HTTP/1.1","status":200,"http_user_agent":"x/1","x_forwarded_for":"203.0.113.${i % 40}${more}"}`;

const siteOf = (i: number) => (i % 3 === 0 ? 'www' : 'docs');
const reader = (i: number) => `203.0.113.${i % 40}`;

/** The warning about a log of these lines. */
const warned = (line: (i: number) => string) => {
  const counts = new ClientCounts();
  for (let i = 0; i < 200; i++) {
    const record = new LineReader().read(Buffer.from(line(i)), 0, line(i).length);
    if (typeof record === 'string') throw new Error(record);
    counts.add(record);
  }
  return counts.warning();
};

const count = (client: (i: number) => string, forwardedFor?: string, agent: LogRecord['userAgent'] = logText(UA)) => {
  const counts = new ClientCounts();
  for (let i = 0; i < 200; i++)
    counts.add({
      ip: client(i),
      userAgent: agent,
      pathOrUrl: logText(`/${i}`),
      timestampMs: AT,
      method: 'GET',
      status: 200,
      ...(forwardedFor && { forwardedFor }),
    });
  return counts.warning();
};

describe('clients', () => {
  const ranges = ['10.0.0.0/8'].map((text) => readIpRange(text)!);
  const behind = (ip: string, forwardedFor: string) => clientBehind({ ip, forwardedFor } as never, ranges);

  test('are taken from the list of a proxy that is trusted, and of no other', () => {
    expect(behind('10.0.0.1', '198.51.100.1')).toBe('198.51.100.1');
    expect(behind('10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.2')).toBe('198.51.100.1');
    expect(behind('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9');
    expect(behind('10.0.0.1', 'unknown')).toBe('10.0.0.1');
  });

  test('are odd if all requests have one, or each has its own', () => {
    expect(count(() => '10.0.0.1')).toMatch(/^All requests have one client\. If that is a proxy/);
    expect(count(() => '10.0.0.1', '198.51.100.1')).toMatch(
      /if 10\.0\.0\.1 is your proxy, add it with --trusted-proxies/,
    );
    expect(count((i) => `10.0.0.${i}`)).toMatch(/^Nearly every request has a different client/);
    expect(count((i) => `10.0.0.${i % 20}`)).toBeNull();
  });

  test('of several proxies are noticed, whatever names the addresses behind them', () => {
    const several = /^Many requests have few clients, such as .*behind it: if .* is your proxy, add it with --trusted-/;
    expect(warned((i) => behindProxies(i))).toMatch(several);
    expect(warned((i) => `203.0.113.${i % 40} 198.51.100.${i % 3} ${CLF}`)).toMatch(several);
    expect(warned((i) => `203.0.113.${i % 40}, 10.0.0.9 198.51.100.${i % 3} ${CLF}`)).toMatch(several);
    // The other way around, the clients are right.
    expect(warned((i) => `198.51.100.${i % 3} 203.0.113.${i % 40} ${CLF}`)).toBeNull();
    expect(warned((i) => `10.0.0.${i % 3} ${CLF}`)).toMatch(/^All requests have few private addresses/);
  });

  test('of a proxy and of the server behind it are noticed in one log', () => {
    const twice = /^Many requests are in the log twice, with different clients/;
    expect(
      warned((i) => `${i % 2 ? '172.18.0.2' : reader(i)} ${CLF.replace('/g', `/g/${Math.floor(i / 2)}`)}`),
    ).toMatch(twice);
    // Two readers may open the same page.
    expect(warned((i) => `${reader(i)} ${CLF.replace('/g', `/g/${i % 9}`)}`)).toBeNull();
    // The list of a proxy may end with its own address.
    expect(warned((i) => behindProxies(i, `/${i}`, '10.0.0.9', ', 10.0.0.9'))).toMatch(
      /^All requests have one client\. The lines also name the addresses behind it/,
    );
  });

  test('of several sites in one log are noticed', () => {
    const hosts = /^The requests are for several hosts, and all count: www\.example\.com, docs\.example\.com\./;
    expect(warned((i) => `${siteOf(i)}.example.com:443 ${reader(i)} ${CLF}`)).toMatch(hosts);
    expect(warned((i) => `${reader(i)} ${CLF.replace('GET /', `GET http://${siteOf(i)}.example.com:80/`)}`)).toMatch(
      hosts,
    );
    // A scanner asks any host.
    expect(warned((i) => `${i % 50 === 0 ? 'scan' : 'docs'}.example.com ${reader(i)} ${CLF}`)).toBeNull();
    expect(warned((i) => `Nov 20 10:00:01 web${i % 3}.example.com nginx: ${reader(i)} ${CLF}`)).toBeNull();
  });

  test('without any user agent are said to be people, bots too', () => {
    expect(count((i) => `10.0.0.${i % 20}`, undefined, null)).toMatch(/^The log has no field for the user agent/);
    expect(count(() => '10.0.0.1', undefined, null)).toMatch(
      /^All requests have one client.*no field for the user agent/,
    );
  });
});

test('rotations of one log are read from the oldest one', () => {
  expect(oldestFirst(['a.log', 'b.log', 'a.log.1', 'a.log.10.gz', 'a.log.2.gz'])).toEqual([
    'a.log.10.gz',
    'a.log.2.gz',
    'a.log.1',
    'a.log',
    'b.log',
  ]);
  expect(oldestFirst(['a.log', 'a.log-20261121', 'a.log-20261120.gz'])).toEqual([
    'a.log-20261120.gz',
    'a.log-20261121',
    'a.log',
  ]);
  expect(isContinued('a.log.1', 'a.log')).toBe(true);
  expect(isContinued('a.log.1.gz', 'a.log.1')).toBe(false);
  expect(isContinued('a.log.1', 'b.log')).toBe(false);
});

test.each([
  ...[
    '/pagefind/fragment/en_1.pf_fragment',
    '/objects.inv',
    '/_sources/a.rst.txt',
    '/dl/app.deb',
    '/install.sh',
    '/feed',
    '/guide/feed',
    '/x.docx',
    '/.git/config',
    '/@vite/client',
  ].map((path) => [path, 'asset']),
  ...[
    '/guide',
    '/v1.2',
    '/asp.net',
    '/next.js/intro',
    '/release-1.2.3',
    '/llms.txt',
    '/guide.md',
    '/feeds',
    '/bash',
  ].map((path) => [path, 'view']),
])('%s is %s', (path, expected) => {
  const seen = seenIn({ method: 'GET', status: 200, pathOrUrl: { text: path, known: undefined } });
  expect(typeof seen === 'string' ? seen : seen.kind).toBe(expected);
});

test('a part of a file is not a page view', () => {
  expect(seenIn({ method: 'GET', status: 206, pathOrUrl: { text: '/big', known: undefined } })).toBe('part');
});
