import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import type * as Undici from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GuardedFetch } from '@docent/base/net/guarded-fetch';
import { agentListUpdates } from '../../src/activities/maintenance/agent-list-updates.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { agentRanges, SHIPPED_RANGES } from '@docent/access-log/agents/verify-agent';
import {
  agentListFetch,
  type ListUpdate,
  type DirectoryUpdate,
  loadAgentLists,
  updateAgentLists,
} from '../../src/analytics/ingest/agent-lists.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { importLogs } from '../../src/analytics/ingest/log-import.ts';
import { readLogSource } from '@docent/access-log/files/read-log';
import { CLASSIFIER_VERSION } from '@docent/access-log/agents/classify';
import { rebuildProject } from '../../src/analytics/maintenance/rebuild.ts';
import { ClaimChecks } from '@docent/access-log/agents/check-claim';
import { type AgentKey, directoryUrl, SHIPPED_DIRECTORIES } from '@docent/access-log/agents/signatures';
import { type Names, ReverseDns } from '@docent/access-log/agents/reverse-dns';
import { PinnedVersions } from '../../src/analytics/query/pinned-version.ts';
import { countPageSignal } from '../../src/analytics/query/reader-signals.ts';
import { exportVersion } from '../../src/analytics/maintenance/export-events.ts';
import { createLogger } from '../../src/platform/log.ts';
import { saveAgentRanges } from '../../src/store/analytics/agent-ranges.ts';
import { agentRanges as agentRangesTable } from '../../src/store/analytics/analytics-schema.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { startAnalyticsApi, type AnalyticsApi } from '../support/analytics-api.ts';
import { commandEnv } from '../support/command.ts';
import { signedHeaders } from '../support/sign-request.ts';
import { runInside } from '../support/run-inside.ts';

/** Imitates the operators of agents. */
const operatorsAt = vi.hoisted(() => ({ origin: null as string | null }));
vi.mock('undici', async (load) => {
  const real = await load<typeof Undici>();
  const fetch: typeof real.fetch = (url, init) =>
    real.fetch(operatorsAt.origin === null ? url : `${operatorsAt.origin}/${encodeURIComponent(String(url))}`, init);
  return { ...real, fetch };
});

/** One request for a page, in texts as clients and servers write them. */
interface Request {
  time: string;
  page: string;
  ip: string;
  userAgent: string;
  referrer: string;
  status: number;
}

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)';
const ASSISTANT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot';
const YANDEXBOT = 'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)';
/** Name servers that know one crawler's address, and do not answer about another one's. */
const records: Record<string, string[]> = {
  '1.253.255.5.in-addr.arpa': ['a.yandex.com'],
  'a.yandex.com': ['5.255.253.1'],
};
const recordsOf = async (name: string) => {
  const code = name === '9.113.0.203.in-addr.arpa' ? 'ETIMEOUT' : 'ENOTFOUND';
  return records[name] ?? Promise.reject(Object.assign(new Error(name), { code }));
};
const claims = new ClaimChecks(
  new ReverseDns({
    resolvePtr: recordsOf,
    resolve4: recordsOf as Names['resolve4'],
    resolve6: recordsOf as Names['resolve6'],
  }),
);
const USUAL: Request = {
  time: '2026-11-18T10:00:00Z',
  page: '/guide',
  ip: '203.0.113.7',
  userAgent: FIREFOX,
  referrer: '-',
  status: 200,
};
/** A row of the file of all events, by column. */
type StoredEvent = Record<string, unknown>;
const STORED: StoredEvent = {
  time: '2026-11-18 10:00:00',
  path: '/guide',
  class: 'human',
  class_given: false,
  user_agent: FIREFOX,
  agent: null,
  format: 'html',
  referrer: null,
  not_found: false,
  verified: null,
  verified_by: null,
};

let server: AnalyticsApi;
let database: Database;
let duck: Duck;
let versions: PinnedVersions;
let folder: AnalyticsFolder;
let project: string;
let outside: string;
beforeAll(async () => {
  server = await startAnalyticsApi({ claims });
  outside = await mkdtemp(path.join(tmpdir(), 'docent-both-ways-'));
  database = openDatabase(server.api.database.url);
  folder = new AnalyticsFolder(server.folder);
  duck = await Duck.open({ memoryMb: 256, threads: 1, connections: 2, temporaryFolder: path.join(outside, 'duck') });
  versions = new PinnedVersions(database, folder, duck);
  project = await server.api.addProject();
});
afterAll(async () => {
  await versions.close();
  duck.close();
  await database.close();
  await server.close();
  await rm(outside, { recursive: true, force: true });
});

const sendEvents = async (requests: readonly Request[]) => {
  const events = requests.map(({ time, page, ip, userAgent, referrer, status }) => ({
    timestamp: time,
    path: page,
    ip,
    userAgent,
    referrer,
    notFound: status === 404,
  }));
  const { status } = await server.api.call(`/v1/analytics/${project}/events`, { body: { events } });
  expect(status).toBe(202);
  await server.analytics.ingestor.flush();
};

const importLines = (lineOf: (request: Request) => string) => async (requests: readonly Request[]) => {
  const log = createLogger({ level: 'fatal', name: 'import' });
  const stdin = Readable.from([Buffer.from(requests.map((request) => `${lineOf(request)}\n`).join(''))]);
  const done = await importLogs({ database, folder, duck, log }, project, readLogSource('-', { stdin }), {
    claims,
  });
  expect(done?.lines).toBe(requests.length);
};

/** As nginx writes a field of its log: bytes that are not printable, quotes and backslashes in hex. */
const escaped = (text: string) =>
  [...Buffer.from(text)]
    .map((byte) =>
      byte >= 32 && byte < 127 && byte !== 34 && byte !== 92
        ? String.fromCharCode(byte)
        : `\\x${byte.toString(16).padStart(2, '0')}`,
    )
    .join('');

const WAYS: Record<string, (requests: readonly Request[]) => Promise<void>> = {
  'the API': sendEvents,
  'a combined log': importLines(
    ({ time, page, ip, userAgent, referrer, status }) =>
      `${ip} - - [${time}] "GET ${escaped(page)} HTTP/1.1" ${status} 5 "${escaped(referrer)}" "${escaped(userAgent)}"`,
  ),
  'a log of nginx as JSON': importLines(({ time, page, ip, userAgent, referrer, status }) =>
    JSON.stringify({
      time_iso8601: time,
      request_method: 'GET',
      request_uri: page,
      remote_addr: ip,
      http_user_agent: userAgent,
      http_referer: referrer,
      status,
    }),
  ),
  'a log of Caddy': importLines(({ time, page, ip, userAgent, referrer, status }) =>
    JSON.stringify({
      ts: time,
      status,
      request: {
        client_ip: ip,
        method: 'GET',
        uri: page,
        headers: { 'User-Agent': [userAgent], Referer: [referrer] },
      },
    }),
  ),
  'a log of Vercel': importLines(({ time, page, ip, userAgent, referrer, status }) =>
    JSON.stringify({
      proxy: {
        timestamp: time,
        method: 'GET',
        path: page,
        clientIp: ip,
        userAgent: [userAgent],
        referer: referrer,
        statusCode: status,
      },
    }),
  ),
  'a log of Cloudflare': importLines(({ time, page, ip, userAgent, referrer, status }) =>
    JSON.stringify({
      EdgeStartTimestamp: time,
      ClientRequestMethod: 'GET',
      ClientRequestURI: page,
      ClientIP: ip,
      ClientRequestUserAgent: userAgent,
      ClientRequestReferer: referrer,
      EdgeResponseStatus: status,
    }),
  ),
};

type Row = [what: string, request: Partial<Request>, expected: StoredEvent | null];

/** The last one of each: whether all of its rows are of the visitor of the usual request. */
const GROUPS: [title: string, rows: Row[], isUsualVisitor: boolean][] = [
  [
    'page',
    [
      ['a plain path', {}, {}],
      ['a query and a final slash', { page: '/guide/?utm_source=news#top' }, {}],
      ['a link of ChatGPT', { page: '/guide?x=1&utm_source=chatgpt.com' }, { referrer: 'chatgpt.com' }],
      ['a whole address', { page: 'https://docs.example.com/guide/index.html' }, {}],
      ['another spelling', { page: '//a/../%67uide/index' }, {}],
      ['Markdown', { page: '/guide.md' }, { format: 'md', class: 'assistant' }],
      ['a long query', { page: `/guide?code=${'x'.repeat(10_000)}` }, {}],
      ['a long path that is encoded', { page: `/${'%E6%96%87'.repeat(400)}` }, { path: `/${'文'.repeat(400)}` }],
      ['a path of 2,048 bytes', { page: `/${'a'.repeat(2_047)}` }, { path: `/${'a'.repeat(2_047)}` }],
      ['a path that is too long', { page: `/${'a'.repeat(2_048)}` }, null],
      ['NUL', { page: '/a\0b' }, null],
      ['NUL, encoded', { page: '/a%00b' }, null],
      ['a control character', { page: '/a%1b[31mb' }, null],
      ['bytes that are no UTF-8', { page: '/a%F0%9F' }, { path: '/a%F0%9F' }],
      ['a broken link', { page: '/gone', status: 404 }, { path: '/gone', not_found: true }],
    ],
    true,
  ],
  [
    'user agent',
    [
      [
        'an agent that claims a name from another address',
        { userAgent: GPTBOT },
        { user_agent: GPTBOT, class: 'other', agent: 'GPTBot', verified: false, verified_by: 'ranges' },
      ],
      [
        'an agent from an address of its operator',
        { userAgent: GPTBOT, ip: '132.196.86.1' },
        { user_agent: GPTBOT, class: 'training', agent: 'GPTBot', verified: true, verified_by: 'ranges' },
      ],
      [
        'a crawler that its name confirms',
        { userAgent: YANDEXBOT, ip: '5.255.253.1' },
        { user_agent: YANDEXBOT, class: 'search', agent: 'YandexBot', verified: true, verified_by: 'reverse-dns' },
      ],
      [
        'a crawler without the name',
        { userAgent: YANDEXBOT },
        { user_agent: YANDEXBOT, class: 'other', agent: 'YandexBot', verified: false, verified_by: 'reverse-dns' },
      ],
      [
        'a crawler whose name is not known in time',
        { userAgent: YANDEXBOT, ip: '203.0.113.9' },
        { user_agent: YANDEXBOT, class: 'search', agent: 'YandexBot' },
      ],
      ['a library', { userAgent: 'curl/8.0' }, { user_agent: 'curl/8.0', class: 'other', agent: 'curl' }],
      [
        'a library that reads Markdown',
        { userAgent: 'curl/8.0', page: '/guide.md' },
        { user_agent: 'curl/8.0', class: 'assistant', format: 'md' },
      ],
      ['none', { userAgent: '' }, { user_agent: '', class: 'other' }],
      ['none, as servers write it', { userAgent: '-' }, { user_agent: '', class: 'other' }],
      ['quotes and letters', { userAgent: 'Ünï "q" \\ 𝄞' }, { user_agent: 'Ünï "q" \\ 𝄞' }],
      ['NUL', { userAgent: `${FIREFOX}\0` }, {}],
      ['a control character', { userAgent: `${FIREFOX}\u001b` }, { user_agent: `${FIREFOX}\u001b` }],
      ['half a character', { userAgent: `${FIREFOX}\ud800` }, { user_agent: `${FIREFOX}\ufffd` }],
      ['a long one', { userAgent: 'x'.repeat(5_000) }, { user_agent: 'x'.repeat(1_024), class: 'other' }],
    ],
    false,
  ],
  [
    'address',
    [
      ['with a port', { ip: '203.0.113.7:4711' }, {}],
      ['within IPv6', { ip: '::ffff:203.0.113.7' }, {}],
      ['within IPv6, in brackets with a port', { ip: '[::FFFF:CB00:7107]:443' }, {}],
      ['a list of proxies', { ip: '203.0.113.7, 10.0.0.1' }, {}],
    ],
    true,
  ],
  [
    'address of another visitor',
    [
      ['IPv6', { ip: '2001:DB8:0:0::7' }, {}],
      ['none', { ip: '-' }, null],
    ],
    false,
  ],
  [
    'referrer',
    [
      ['a page', { referrer: 'https://www.Example.org:8443/a?b' }, { referrer: 'example.org' }],
      ['without a scheme', { referrer: 'example.org/a' }, { referrer: 'example.org' }],
      ['none', { referrer: '' }, {}],
      ['junk', { referrer: 'not a page' }, {}],
      ['a host with NUL', { referrer: 'https://exa\0mple.org/' }, {}],
      ['a path with NUL', { referrer: 'https://example.org/\0' }, { referrer: 'example.org' }],
      ['half a character', { referrer: 'https://example.org/\ud800' }, { referrer: 'example.org' }],
      ['a long one', { referrer: `https://example.org/${'a'.repeat(5_000)}` }, { referrer: 'example.org' }],
    ],
    true,
  ],
  [
    'time',
    [
      ['an offset', { time: '2026-11-18T11:30:00+01:30' }, {}],
      ['no seconds', { time: '2026-11-18T10:00Z' }, {}],
      ['no offset', { time: '2026-11-18T10:00:00' }, {}],
      ['small letters', { time: '2026-11-18t10:00:00z' }, {}],
      ['milliseconds', { time: '2026-11-18T10:00:00.057Z' }, { time: '2026-11-18 10:00:00.057' }],
      ['the last microsecond of a day', { time: '2026-11-17T23:59:59.999999Z' }, { time: '2026-11-17 23:59:59.999' }],
      ['many digits', { time: '2026-11-18T10:00:00.123456789012Z' }, { time: '2026-11-18 10:00:00.123' }],
      ['a leap second', { time: '2016-12-31T23:59:60Z' }, { time: '2017-01-01 00:00:00' }],
      ['no such day', { time: '2026-02-30T10:00:00Z' }, null],
      ['no such hour', { time: '2026-11-18T25:00:00Z' }, null],
      ['no such offset', { time: '2026-11-18T10:00:00+01:75' }, null],
      ['before the year 2000', { time: '1999-12-31T23:59:59Z' }, null],
      ['to come', { time: new Date(Date.now() + 2 * 86_400_000).toISOString() }, null],
    ],
    true,
  ],
];

/**
 * A second, or for a row with its own time a path, that no other row has, to find the stored row.
 */
const ROWS = GROUPS.flatMap(([title, rows, isUsualVisitor]) =>
  rows.map(([what, given, expected]) => ({ title, what, given, expected, isUsualVisitor })),
).map(({ given, expected, ...row }, no) => {
  const time = new Date(Date.parse(USUAL.time) + (3_600 + no) * 1_000).toISOString();
  const mark = given.time === undefined ? { time: time.slice(0, 19).replace('T', ' ') } : { path: `/time-${no}` };
  const request = { ...USUAL, time, ...given, ...(mark.path && { page: mark.path }) };
  return { ...row, mark, request, expected: expected && { ...STORED, ...mark, ...expected } };
});

const stored = new Map<string, StoredEvent[]>();
let usualVisitor: unknown;

beforeAll(async () => {
  const known = new Set<string>();
  for (const [way, bring] of Object.entries(WAYS)) {
    await bring(ROWS.map(({ request }) => request));
    const file = path.join(outside, `${stored.size}.parquet`);
    await versions.use(project, undefined, (pinned) => exportVersion(folder, duck, pinned, file));
    const rows = await duck.use((session) =>
      session.all<StoredEvent & { id: string }>(
        'SELECT * EXCLUDE (classifier) REPLACE (id::VARCHAR AS id, time::VARCHAR AS time) FROM read_parquet($file)',
        { file },
      ),
    );
    const added = rows.filter(({ id }) => !known.has(id));
    for (const { id } of added) known.add(id);
    stored.set(
      way,
      added.map(({ id: _id, ...event }) => event),
    );
  }
  [usualVisitor] = eventsOf('the API', ROWS[0]!.mark).map(({ visitor }) => visitor);
  expect(usualVisitor).toBeTypeOf('bigint');
});

const eventsOf = (way: string, mark: StoredEvent) =>
  (stored.get(way) ?? []).filter((event) => Object.entries(mark).every(([name, value]) => event[name] === value));

describe.each(Object.keys(WAYS))('a page view is stored alike, whichever way it comes: %s', (way) => {
  test.each(ROWS)('$title: $what', ({ mark, expected, isUsualVisitor }) => {
    const events = eventsOf(way, mark);
    const visitor = isUsualVisitor ? usualVisitor : eventsOf('the API', mark)[0]?.visitor;
    expect(events).toEqual(expected ? [{ ...expected, visitor }] : []);
  });
});

const visit = (page: string, no: number, userAgent = FIREFOX, status = 200) => ({
  ...USUAL,
  page,
  userAgent,
  status,
  ip: `203.0.113.${no}`,
});

describe('pages that start an automation', () => {
  test('are those that many humans miss, or that AI alone reads, however often one visitor comes', async () => {
    const from = new Date('2026-11-18T00:00:00Z');
    const [missed, busy, robots, read] = ['/signal/missed', '/signal/busy', '/signal/robots', '/signal/read'];
    await sendEvents([
      ...[1, 2, 3].map((no) => visit(missed, no, FIREFOX, 404)),
      ...[1, 1, 1, 1].map((no, minute) => ({
        ...visit(busy, no, FIREFOX, 404),
        time: `2026-11-18T11:0${minute}:00Z`,
      })),
      ...[1, 2, 3].map((no) => visit(robots, no, GPTBOT, 404)),
      ...[4, 5, 6].flatMap((no) =>
        [robots, read].map((page) => ({ ...visit(page, no, ASSISTANT), ip: `104.208.184.${200 + no}` })),
      ),
      visit(read, 7),
    ]);
    const count = (signal: 'not_found' | 'read_by_ai_only', since = from) =>
      versions.use(project, undefined, (pinned) =>
        countPageSignal({ folder, duck }, pinned, { signal, from: since, threshold: 3, limit: 20 }),
      );
    expect(await count('not_found')).toEqual([{ subject: missed, visitors: 3 }]);
    const byAi = (await count('read_by_ai_only')).filter(({ subject }) => subject.startsWith('/signal'));
    expect(byAi).toEqual([{ subject: robots, visitors: 3 }]);
    expect(await count('not_found', new Date('2026-11-19T00:00:00Z'))).toEqual([]);
  });
});

/** A list as operators publish it. */
const published = (ranges: readonly string[]) =>
  JSON.stringify({
    prefixes: ranges.map((range) => ({ [range.includes(':') ? 'ipv6Prefix' : 'ipv4Prefix']: range })),
  });

const storedLists = () => database.db.select().from(agentRangesTable);
const storedRanges = async (url: string) => (await storedLists()).find((row) => row.url === url)?.ranges ?? null;

describe('addresses of agents', () => {
  const ALL_LISTS = SHIPPED_RANGES.length + SHIPPED_DIRECTORIES.length;
  const GPTBOT_URL = 'https://openai.com/gptbot.json';
  const shipped = SHIPPED_RANGES.find(({ url }) => url === GPTBOT_URL)!;
  /** The operators' answers; every other list is as shipped. */
  let answers: Record<string, string | null>;
  const asked: string[] = [];
  const keys = generateKeyPairSync('ed25519');
  const publicKey = keys.publicKey.export({ format: 'jwk' }) as AgentKey;
  const operators = createServer((request, response) => {
    const url = decodeURIComponent(request.url!.slice(1));
    asked.push(url);
    const ranges = SHIPPED_RANGES.find((known) => known.url === url)?.ranges;
    const usual = ranges
      ? published(ranges.length > 0 ? ranges : ['20.1.2.3/32'])
      : JSON.stringify({ keys: [publicKey] });
    const answer = url in answers ? answers[url] : usual;
    if (answer === null) response.writeHead(503);
    response.end(answer ?? 'busy');
  });
  let fetch: GuardedFetch;
  let commandLine: Record<string, string>;

  beforeAll(async () => {
    await once(operators.listen(0, '127.0.0.1'), 'listening');
    const { port } = operators.address() as AddressInfo;
    operatorsAt.origin = `http://127.0.0.1:${port}`;
    fetch = agentListFetch(['127.0.0.1']);
    commandLine = commandEnv(outside, { DATABASE_URL: server.api.database.url, DOCENT_PRIVATE_HOSTS: '127.0.0.1' });
  });
  beforeEach(async () => {
    answers = {};
    asked.length = 0;
    await database.db.delete(agentRangesTable);
  });
  afterAll(async () => {
    operatorsAt.origin = null;
    operators.closeAllConnections();
    await once(operators.close(), 'close');
  });

  test('docent agents update stores the lists for all processes', async () => {
    const added = '198.51.100.77/32';
    answers[GPTBOT_URL] = published([...shipped.ranges, added]);
    const { code, stdout } = await runInside(['agents', 'update'], commandLine);
    const rows = stdout.split('\n').filter((line) => line !== '').length;
    expect({ code, rows }).toEqual({ code: 0, rows: ALL_LISTS + 2 });
    expect((await storedLists()).length).toBe(ALL_LISTS);
    await loadAgentLists(database.db, 0);
    expect(agentRanges.verify('GPTBot', '198.51.100.77')).toBe(true);
    expect(agentRanges.verify('ChatGPT-User', '104.208.184.193')).toBe(true);
  });

  test('agents that sign their requests are verified with the stored keys, in events and in logs', async () => {
    answers[directoryUrl('https://agent.bot.goog')] = null;
    const { code, stdout } = await runInside(['agents', 'update', '--json'], commandLine);
    const { directories } = JSON.parse(stdout) as { directories: DirectoryUpdate[] };
    expect({ code, directories }).toMatchObject({
      code: 1,
      directories: [{ keys: 1 }, { keys: null, problem: 'The server answered with status 503.' }],
    });
    await loadAgentLists(database.db, 0);

    const at = Date.parse('2026-11-18T10:00:00Z');
    const request = { authority: 'docs.example.com', path: '/guide/', at };
    const sent = signedHeaders(request, { publicKey, privateKey: keys.privateKey });
    const own = await server.api.addProject();
    const client = { ip: '203.0.113.7', userAgent: FIREFOX };
    const headers = {
      authority: 'docs.example.com',
      signature: sent.Signature,
      signatureInput: sent['Signature-Input'],
      signatureAgent: sent['Signature-Agent'],
    };
    const event = { timestamp: at, ...client, ...headers };
    const events = [
      { ...event, path: '/guide/?utm_source=x' },
      { ...event, path: '/forged/' },
    ];
    expect((await server.api.call(`/v1/analytics/${own}/events`, { body: { events } })).status).toBe(202);
    await server.analytics.ingestor.flush();
    const line = (path: string) => ({
      time_iso8601: new Date(at).toISOString(),
      request: `GET ${path} HTTP/2.0`,
      status: 200,
      remote_addr: client.ip,
      http_user_agent: FIREFOX,
      http_host: 'docs.example.com',
      http_signature: headers.signature,
      http_signature_input: headers.signatureInput,
      http_signature_agent: headers.signatureAgent,
    });
    const stdin = Readable.from([
      Buffer.from(['/guide/?x=1', '/forged/'].map((path) => `${JSON.stringify(line(path))}\n`).join('')),
    ]);
    const log = createLogger({ level: 'fatal', name: 'import' });
    await importLogs({ database, folder, duck, log }, own, readLogSource('-', { stdin }), { claims });
    const seen = { visitors: 1, views: 2 };
    const counted = async () => {
      const { agents } = (await server.api.call(`/v1/analytics/${own}/agents`)).json;
      const { totals } = (await server.api.call(`/v1/analytics/${own}/views`)).json;
      return { agents, totals } as unknown;
    };
    const expected = {
      agents: [{ agent: 'ChatGPT Agent', operator: 'OpenAI', class: 'assistant', ...seen, verified: seen }],
      totals: { human: 2, ai: 2, total: 4 },
    };
    expect(await counted()).toMatchObject(expected);
    // By its user agent, it is a person.
    const rules = { classify: () => ({ class: 'human' as const, agent: null, version: CLASSIFIER_VERSION + 1 }) };
    await rebuildProject({ database, folder, duck, log }, own, { rules });
    expect(await counted()).toMatchObject(expected);
  });

  test.each([
    ['an error', null, 'status 503'],
    ['garbage', '<!doctype html>', 'no JSON'],
    ['an empty list', published([]), 'no list'],
    ['10 MB', `{"prefixes":[${'{"ipv4Prefix":"20.1.2.3/32"},'.repeat(350_000)}]}`, '2 MB'],
    ['a list without nine tenths of its ranges', published(shipped.ranges.slice(0, 2)), 'drops 19 of 21 ranges'],
  ])('%s leaves the list as it is, and the other lists are updated', async (_, answer, problem) => {
    await saveAgentRanges(database.db, GPTBOT_URL, [...shipped.ranges]);
    answers[GPTBOT_URL] = answer;
    const { code, stdout } = await runInside(['agents', 'update', '--json'], commandLine);
    const lists = (JSON.parse(stdout) as { lists: ListUpdate[] }).lists.filter((list) => list.problem !== null);
    expect({ code, urls: lists.map(({ url }) => url) }).toEqual({ code: 1, urls: [GPTBOT_URL] });
    expect(lists[0]!.problem).toContain(problem);
    expect(await storedRanges(GPTBOT_URL)).toEqual(shipped.ranges);
    expect((await storedLists()).length).toBe(ALL_LISTS);
  });

  test('a list that drops most of its ranges is taken when you accept it', async () => {
    answers[GPTBOT_URL] = published(shipped.ranges.slice(0, 2));
    const { code } = await runInside(['agents', 'update', '--accept-drops'], commandLine);
    expect(code).toBe(0);
    expect(await storedRanges(GPTBOT_URL)).toEqual(shipped.ranges.slice(0, 2));
  });

  test('a list that merges its ranges keeps all of them', async () => {
    const networks = ['4.224.0.0', '20.112.0.0', '20.160.0.0', '52.224.0.0', '74.0.0.0', '132.192.0.0', '172.176.0.0'];
    answers[GPTBOT_URL] = published(networks.map((network) => `${network}/12`));
    await updateAgentLists(database.db, fetch);
    expect(await storedRanges(GPTBOT_URL)).toHaveLength(networks.length);
  });

  /** Two rounds of the weekly task: the first of a new process does nothing. */
  const weekly = async () => {
    const failures: unknown[] = [];
    const log = createLogger({ level: 'fatal', name: 'weekly' });
    log.info = (fields: unknown) => void failures.push(fields);
    const rounds = vi.waitUntil(() => asked.includes(directoryUrl(SHIPPED_DIRECTORIES.at(-1)!.origin)), {
      timeout: 20_000,
    });
    const task = agentListUpdates({ db: database.db, fetch, directories: SHIPPED_DIRECTORIES, log, everyMs: 50 });
    task.start();
    await rounds;
    await task.stop();
    return failures;
  };

  test('resumes an interrupted update with the missing lists', async () => {
    const dying = new AbortController();
    const dies: GuardedFetch = async (url, init) => {
      if (asked.length === 3) dying.abort(new Error('killed'));
      return fetch(url, init);
    };
    await expect(updateAgentLists(database.db, dies, { signal: dying.signal })).rejects.toThrow('killed');
    expect((await storedLists()).length).toBe(3);
    asked.length = 0;
    expect(await weekly()).toEqual([]);
    expect((await storedLists()).length).toBe(ALL_LISTS);
    expect(asked.filter((url) => SHIPPED_RANGES.slice(0, 3).some((list) => list.url === url))).toEqual([]);
  });

  test('a week later each list is read again, and a failed one is still due', async () => {
    await updateAgentLists(database.db, fetch);
    await database.db.update(agentRangesTable).set({ readAt: sql`now() - interval '8 days'` });
    asked.length = 0;
    answers[GPTBOT_URL] = null;
    expect(await weekly()).toMatchObject([
      { reason: expect.stringContaining('1 lists could not be updated') as string },
    ]);
    const old = (await storedLists()).filter(({ readAt }) => Date.now() - readAt.getTime() > 60_000);
    expect(old.map(({ url }) => url)).toEqual([GPTBOT_URL]);
  });
});
