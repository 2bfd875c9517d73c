import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LISTED_ONLY } from '@docent/access-log/agents/check-claim';
import { knownAgent } from '@docent/access-log/agents/user-agent';
import { logText } from '@docent/access-log/lines/log-text';
import { readLogLine } from '@docent/access-log/lines/line-reader';
import { seenIn } from '@docent/access-log/lines/page-view';
import { LINE_PROBLEMS, type LogRecord } from '@docent/access-log/lines/record';
import { readAnyTime } from '@docent/access-log/lines/timestamp';
import { anyCharacter } from '../../support/any-character.ts';

const FIXTURES = resolve(import.meta.dirname, '../../fixtures/logs');
const AT = Date.UTC(2026, 10, 21, 3, 42, 13);
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';

function read(line: string | Buffer) {
  const bytes = Buffer.from(line as string);
  // In the middle of a buffer, as when a file is read: nothing outside may be looked at.
  const around = Buffer.concat([Buffer.from('200 "GET /x" '), bytes, Buffer.from('" 200 1 "-" "outside"')]);
  const record = readLogLine(around, 13, 13 + bytes.length);
  return typeof record === 'string' ? record : plain(record);
}

/** A record with its texts as they are. */
function plain({ pathOrUrl, userAgent, referrer, ...rest }: LogRecord) {
  return {
    ...rest,
    pathOrUrl: pathOrUrl.text,
    userAgent: userAgent && userAgent.text,
    referrer: referrer && referrer.text,
  };
}

type PlainRecord = ReturnType<typeof plain>;

const seenOf = ({ pathOrUrl, ...rest }: Pick<PlainRecord, 'method' | 'status' | 'pathOrUrl'>) =>
  seenIn({ ...rest, pathOrUrl: logText(pathOrUrl) });

function readFixture(name: string) {
  return readFileSync(resolve(FIXTURES, name), 'utf8').split('\n').filter(Boolean).map(read);
}

function recordIn(line: string): PlainRecord {
  const record = read(line);
  if (typeof record === 'string') throw new Error(record);
  return record;
}

describe('combined and common', () => {
  const lines = readFixture('combined.log');

  test('every field of a plain line', () => {
    expect(lines[0]).toEqual({
      timestampMs: AT,
      method: 'GET',
      status: 200,
      pathOrUrl: '/guide/start?utm_source=news',
      ip: '203.0.113.7',
      userAgent: CHROME,
      referrer: 'https://www.google.com/',
      requestId: null,
    });
  });

  test('the outcome of each line', () => {
    const outcome = lines.map((line) => {
      if (typeof line === 'string') return line;
      const found = seenOf(line);
      return typeof found === 'string' ? found : `${found.kind} ${found.path.value} ${found.format}`;
    });
    expect(outcome).toEqual([
      'view /guide/start html',
      'view /guide/start md',
      'not-found /old/page html',
      'asset',
      'method',
      'redirect',
      'view /guide html',
      'error',
      'view /café/"quoted" html',
      'bad_request',
      'view /vhost html',
      'bad_timestamp',
      'not_a_log_line',
      'view /named html',
      'view /guide/start html',
    ]);
  });

  test('IPv6, users, offsets, virtual hosts, escapes and brackets in names', () => {
    expect(lines[1]).toMatchObject({ ip: '104.208.184.193', timestampMs: AT + 1_000, referrer: null });
    expect(lines[14]).toMatchObject({ ip: '2001:db8::7', timestampMs: AT + 11_000 });
    expect(lines[2]).toMatchObject({ timestampMs: AT + 2_000, referrer: 'https://example.org/links' });
    expect(lines[8]).toMatchObject({ pathOrUrl: '/café/"quoted"', userAgent: 'curl "x" A' });
    expect(lines[10]).toMatchObject({ ip: '203.0.113.10', userAgent: '' });
    expect(lines[13]).toMatchObject({ ip: '203.0.113.12', userAgent: CHROME });
  });

  test('has an agent from an address of its operator, and one that only claims to be one', () => {
    const verified = lines.flatMap((line) => {
      if (typeof line === 'string' || !line.userAgent || !line.ip) return [];
      const client = {
        agent: knownAgent(line.userAgent),
        format: 'html',
        address: line.ip,
        signed: null,
        at: AT,
      } as const;
      const kind = LISTED_ONLY.check(client);
      if (kind instanceof Promise) throw new Error('A listed agent takes no lookup.');
      const { agent, verified: result } = kind.value;
      return agent === null || result === null ? [] : [`${agent}: ${result}`];
    });
    expect(verified).toEqual(['ChatGPT-User: true', 'GPTBot: false']);
  });

  test('the common format has no user agents, which differs from an empty one', () => {
    const [gif, page, root] = readFixture('common.log') as PlainRecord[];
    expect(seenOf(gif!)).toBe('asset');
    expect(page).toMatchObject({ userAgent: null, referrer: null, timestampMs: Date.UTC(2000, 9, 10, 20, 55, 36) });
    expect(root).toMatchObject({ ip: 'host.example.net', pathOrUrl: '/', status: 200 });
  });

  test.each([
    [
      'a cut-off user agent',
      `1.2.3.4 - - [21/Nov/2026:03:42:13 +0000] "GET / HTTP/1.1" 200 1 "-" "Mozi`,
      { userAgent: 'Mozi' },
    ],
    [
      'quotes that nobody escaped',
      `1.2.3.4 - - [21/Nov/2026:03:42:13 +0000] "GET / HTTP/1.1" 200 1 "-" "a"b"c"`,
      { userAgent: 'a"b"c' },
    ],
    ['an ISO time', `1.2.3.4 - - [2026-11-21T04:42:13+01:00] "GET / HTTP/1.1" 200 1`, { timestampMs: AT }],
    [
      'milliseconds and a colon in the offset',
      `1.2.3.4 - - [21/Nov/2026:03:42:13.250 +00:00] "GET / HTTP/1.1" 200 1`,
      { timestampMs: AT + 250 },
    ],
    [
      'an offset of half an hour',
      `1.2.3.4 - - [21/Nov/2026:09:12:13 +0530] "GET / HTTP/1.1" 200 1`,
      { timestampMs: AT },
    ],
    ['no offset', `1.2.3.4 - - [21/Nov/2026:03:42:13] "GET / HTTP/1.1" 200 1`, { timestampMs: AT }],
    [
      'a leap second',
      `1.2.3.4 - - [31/Dec/2016:23:59:60 +0000] "GET / HTTP/1.1" 200 1`,
      { timestampMs: Date.UTC(2017, 0, 1) },
    ],
    [
      'a leap day',
      `1.2.3.4 - - [29/Feb/2024:00:00:00 +0000] "GET / HTTP/1.1" 200 1`,
      { timestampMs: Date.UTC(2024, 1, 29) },
    ],
    [
      'blanks in a path',
      `1.2.3.4 - - [21/Nov/2026:03:42:13 +0000] "GET /a b c HTTP/1.1" 200 1`,
      { pathOrUrl: '/a b c' },
    ],
    ['no protocol', `1.2.3.4 - - [21/Nov/2026:03:42:13 +0000] "GET /old" 200 1`, { pathOrUrl: '/old' }],
    [
      'a whole URL',
      `1.2.3.4 - - [21/Nov/2026:03:42:13 +0000] "GET http://x.example/a HTTP/1.1" 200 1`,
      { pathOrUrl: 'http://x.example/a' },
    ],
    ['a small method', `1.2.3.4 - - [21/Nov/2026:03:42:13 +0000] "get /a HTTP/1.1" 200 1`, { method: 'GET' }],
    [
      'a list of addresses',
      `203.0.113.7, 10.0.0.1 - - [21/Nov/2026:03:42:13 +0000] "GET / HTTP/1.1" 200 1`,
      { ip: '203.0.113.7' },
    ],
    [
      'an address in brackets',
      `[2001:db8::1] - - [21/Nov/2026:03:42:13 +0000] "GET / HTTP/1.1" 200 1`,
      { ip: '2001:db8::1' },
    ],
    [
      'an address with a port',
      `203.0.113.7:55012 - - [21/Nov/2026:03:42:13 +0000] "GET / HTTP/1.1" 200 1`,
      { ip: '203.0.113.7' },
    ],
    [
      'UTF-8 that is not escaped',
      `1.2.3.4 - - [21/Nov/2026:03:42:13 +0000] "GET /é HTTP/1.1" 200 1 "-" "Ünï"`,
      { pathOrUrl: '/é', userAgent: 'Ünï' },
    ],
  ])('%s', (_name, line, expected) => {
    expect(read(line)).toMatchObject(expected);
  });

  test.each([
    ['bad_address', `- - - [21/Nov/2026:03:42:13 +0000] "GET / HTTP/1.1" 200 1`],
    ['bad_timestamp', `1.2.3.4 - - [99/Nov/2026:03:42:13 +0000] "GET / HTTP/1.1" 200 1`],
    ['bad_timestamp', `1.2.3.4 - - [30/Feb/2024:03:42:13 +0000] "GET / HTTP/1.1" 200 1`],
    ['bad_timestamp', `1.2.3.4 - - [29/Feb/2025:03:42:13 +0000] "GET / HTTP/1.1" 200 1`],
    ['bad_timestamp', `1.2.3.4 - - [21/Nov/2026:24:00:00 +0000] "GET / HTTP/1.1" 200 1`],
    ['bad_timestamp', `1.2.3.4 - - [21/Nov/2026:03:42:13 +9900] "GET / HTTP/1.1" 200 1`],
    ['bad_timestamp', `1.2.3.4 - - [21/Foo/2026:03:42:13 +0000] "GET / HTTP/1.1" 200 1`],
    ['bad_status', `1.2.3.4 - - [21/Nov/2026:03:42:13 +0000] "GET / HTTP/1.1" 2000 1`],
    ['bad_status', `1.2.3.4 - - [21/Nov/2026:03:42:13 +0000] "GET / HTTP/1.1" - 1`],
    ['bad_status', `1.2.3.4 - - [21/Nov/2026:03:42:13 +0000] "GET / HTTP/1.1"`],
    ['bad_request', `1.2.3.4 - - [21/Nov/2026:03:42:13 +0000] "-" 408 0 "-" "-"`],
    ['bad_request', `1.2.3.4 - - [21/Nov/2026:03:42:13 +0000] "" 400 0 "-" "-"`],
    ['not_a_log_line', `1.2.3.4 - - [21/Nov/2026:03:42:13 +0000] "GET / HTT`],
    ['not_a_log_line', `1.2.3.4 - - [21/Nov/2026:03`],
    ['not_a_log_line', '\u0000\u0001\u0002'],
    ['too_long', `1.2.3.4 - - [21/Nov/2026:03:42:13 +0000] "GET /${'a'.repeat(1_000_000)} HTTP/1.1" 200 1`],
  ])('%s', (problem, line) => {
    expect(read(line)).toBe(problem);
  });
});

describe('JSON lines', () => {
  const start = { pathOrUrl: '/guide/start?x=1', method: 'GET', status: 200, ip: '203.0.113.7', userAgent: CHROME };
  const referrer = 'https://www.google.com/';

  test('nginx with escape=json', () => {
    const [first, second, third, cut] = readFixture('nginx.json.log');
    expect(first).toMatchObject({ ...start, referrer, timestampMs: AT, requestId: '5e0fa2f6b9' });
    expect(second).toMatchObject({ timestampMs: AT + 1_123, pathOrUrl: '/guide/start.md', referrer: null });
    expect(third).toMatchObject({ timestampMs: AT + 2_000, status: 404, userAgent: '', referrer: null });
    expect(cut).toBe('bad_json');
  });

  test('Caddy', () => {
    const [first, second, third] = readFixture('caddy.log');
    expect(first).toMatchObject({ ...start, referrer, timestampMs: AT + 250 });
    expect(second).toMatchObject({ ip: '2001:db8::7', userAgent: '', timestampMs: AT + 1_500 });
    expect(third).toBe('not_a_request');
  });

  test('Vercel: several entries of one request have one id', () => {
    const [first, second, third, build, background] = readFixture('vercel.ndjson');
    expect(first).toMatchObject({ ...start, referrer, timestampMs: AT + 123 });
    expect(second).toEqual(third);
    expect((second as PlainRecord).requestId).not.toBe((first as PlainRecord).requestId);
    expect(build).toBe('not_a_request');
    expect(background).toBe('not_a_request');
  });

  test('Cloudflare, with each of its three kinds of time, and without what Workers fetch', () => {
    const [first, second, third, worker] = readFixture('cloudflare.ndjson');
    expect(first).toMatchObject({ ...start, referrer, timestampMs: AT, requestId: '8f2b1c0d3e4f5a6b' });
    expect(second).toMatchObject({ timestampMs: AT + 1_000, referrer: null });
    expect(third).toMatchObject({ timestampMs: AT + 2_000, status: 404 });
    expect(worker).toBe('not_a_request');
  });

  test.each([
    ['bad_json', '{'],
    ['bad_json', `{"a":${'['.repeat(30_000)}`],
    ['not_a_request', '{}'],
    ['not_a_request', '{"level":"info","msg":"hello"}'],
    ['not_a_request', '{"remote_addr":"1.2.3.4","time":"2026-11-21T03:42:13Z","status":200}'],
    ['bad_request', '{"remote_addr":"1.2.3.4","time":"2026-11-21T03:42:13Z","status":400,"request":""}'],
    ['bad_address', '{"time":"2026-11-21T03:42:13Z","method":"GET","uri":"/","status":200}'],
    ['bad_timestamp', '{"remote_addr":"1.2.3.4","time":"2024-02-30T00:00:00Z","method":"GET","uri":"/","status":200}'],
    ['bad_status', '{"remote_addr":"1.2.3.4","time":"2026-11-21T03:42:13Z","method":"GET","uri":"/","status":"abc"}'],
  ])('%s: %s', (problem, line) => {
    expect(read(line)).toBe(problem);
  });
});

describe('times', () => {
  test.each([
    ['2026-11-21T03:42:13Z', AT],
    ['2026-11-21 03:42:13', AT],
    ['2026/11/21 03:42:13', AT],
    ['2026-11-21T03:42:13.999999999Z', AT + 999],
    ['2026-11-21T03:42:13,5+00:00', AT + 500],
    ['1795232533', AT],
    ['1795232533.5', AT + 500],
    [1_795_232_533, AT],
    [1_795_232_533_000, AT],
    [1_795_232_533_000_000, AT],
    [1_795_232_533_000_000_000, AT],
    ['9999-12-31T23:59:59Z', Date.UTC(9999, 11, 31, 23, 59, 59)],
  ])('%s', (value, expected) => {
    expect(readAnyTime(value)).toBe(expected);
  });

  test.each([
    ['yesterday'],
    [''],
    [-1],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [null],
    [{}],
    ['2026-13-01T00:00:00Z'],
    ['2026-11-21'],
  ])('%s is no time', (value) => {
    expect(readAnyTime(value)).toBeNaN();
  });

  test('agree with the calendar of the language', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
        expect(readAnyTime(date.toISOString())).toBe(date.getTime());
      }),
    );
  });
});

const seen = (pathOrUrl: string, more: Partial<PlainRecord> = {}) =>
  seenOf({ method: 'GET', status: 200, pathOrUrl, ...more });

describe('what is a page view', () => {
  test.each([
    ['/v1.2', 'view'],
    ['/guide/node.js', 'asset'],
    ['/a.pdf?download', 'asset'],
    ['/feed.xml', 'asset'],
    ['/llms.txt', 'view'],
    ['/.well-known/security.txt', 'asset'],
    ['/_next/data/x/guide.json', 'asset'],
    ['/guide?_rsc=1a2b', 'prefetch'],
    ['/wp-login.php', 'asset'],
    ['/a%00b', 'no_page'],
    [`/${'a'.repeat(10_000)}`, 'no_page'],
  ])('%s: %s', (path, expected) => {
    const found = seen(path);
    expect(typeof found === 'string' ? found : found.kind).toBe(expected);
  });

  test.each<[string, number, string]>([
    ['/mcp', 200, 'mcp'],
    ['/acme/mcp?session=1', 202, 'mcp'],
    ['/mcp', 401, 'error'],
    ['/mcp', 404, 'error'],
    ['/mcp/more', 200, 'method'],
    ['/guide-mcp', 200, 'method'],
    ['/guide', 200, 'method'],
    ['/app.js', 200, 'method'],
  ])('POST %s with %i: %s', (path, status, expected) => {
    const found = seen(path, { method: 'POST', status });
    expect(typeof found === 'string' ? found : found.format).toBe(expected);
    expect(seen('/mcp')).toMatchObject({ kind: 'view', format: 'html' });
  });

  test('HEAD and 206 are none, a 410 is a broken link, and a missing image is not', () => {
    expect(seen('/a', { method: 'HEAD' })).toBe('method');
    expect(seen('/a', { status: 206 })).toBe('part');
    expect(seen('/a', { status: 410 })).toMatchObject({ kind: 'not-found' });
    expect(seen('/a.png', { status: 404 })).toBe('asset');
    expect(seen('/a', { status: 101 })).toBe('error');
  });
});

test('any bytes are answered with a record or a known problem', () => {
  const fragment = fc.oneof(
    fc.constantFrom(
      '1.2.3.4 ',
      '- ',
      '[21/Nov/2026:03:42:13 +0000] ',
      '"GET / HTTP/1.1" ',
      '200 ',
      '"',
      '\\',
      '\\x4',
      '[',
      ']',
      '{',
      '}',
      '"status":',
    ),
    fc.string({ unit: anyCharacter, maxLength: 6 }),
  );
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 20 }), (fragments) => {
      const found = read(fragments.join(''));
      if (typeof found === 'string') expect(LINE_PROBLEMS).toHaveProperty(found);
      else expect(Number.isSafeInteger(found.timestampMs)).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

test('a path survives the escapes of Apache and nginx', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (text) => {
      const target = `/${encodeURI(text.toWellFormed())}`;
      const userAgent = text.toWellFormed();
      const escaped = [...Buffer.from(userAgent)]
        .map((byte) =>
          byte > 32 && byte < 127 && byte !== 34 && byte !== 92
            ? String.fromCharCode(byte)
            : `\\x${byte.toString(16).padStart(2, '0')}`,
        )
        .join('');
      const record = recordIn(
        `1.2.3.4 - - [21/Nov/2026:03:42:13 +0000] "GET ${target} HTTP/1.1" 200 1 "-" "${escaped}"`,
      );
      expect(record.pathOrUrl).toBe(target);
      expect(record.userAgent).toBe(userAgent === '-' ? '' : userAgent);
    }),
  );
});
