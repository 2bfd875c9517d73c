import { canonicalAddress } from '@docent/base/net/ip-address';
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AgentRanges, SHIPPED_RANGES } from '@docent/access-log/agents/verify-agent';
import { readPublishedRanges } from '../../../src/analytics/ingest/agent-lists.ts';
import { ClaimChecks, LISTED_ONLY } from '@docent/access-log/agents/check-claim';
import { AGENT_HOSTS, type Names, ReverseDns } from '@docent/access-log/agents/reverse-dns';
import { knownAgent } from '@docent/access-log/agents/user-agent';

const OPENAI = { operator: 'OpenAI', agents: ['GPTBot'], url: 'https://openai.com/gptbot.json', date: '2026-09-02' };
const ranges = new AgentRanges([
  { ...OPENAI, ranges: ['132.196.86.0/24', '2001:db8:1::/48'] },
  { ...OPENAI, agents: ['GPTBot', 'Other'], ranges: ['20.0.0.1/32'] },
  { ...OPENAI, agents: ['Unread'], date: null, ranges: [] },
]);

test.each([
  ['GPTBot', '132.196.86.0', true],
  ['GPTBot', '132.196.86.255', true],
  ['GPTBot', '132.196.87.0', false],
  ['GPTBot', '::ffff:132.196.86.7', true],
  ['GPTBot', '2001:DB8:1:0::7', true],
  ['GPTBot', '2001:db8:2::7', false],
  ['GPTBot', '20.0.0.1', true],
  ['GPTBot', '20.0.0.2', false],
  ['Other', '20.0.0.1', true],
  ['Other', '132.196.86.1', false],
  ['GPTBot', 'crawl-1.gptbot.example.com', null],
  ['GPTBot', null, null],
  ['Unread', '132.196.86.1', null],
  ['Cursor', '132.196.86.1', null],
  [null, '132.196.86.1', null],
])('%s from %s is verified: %s', (agent, address, verified) => {
  for (let again = 0; again < 2; again += 1) expect(ranges.verify(agent, address)).toBe(verified);
});

test('the shipped lists name their source and date, and agents that are recognized', () => {
  for (const { agents, url, date, ranges: list } of SHIPPED_RANGES) {
    for (const agent of agents) expect(knownAgent(`${agent}/1.0`).kinds.html.unknown.value.agent).toBe(agent);
    expect(new URL(url).protocol).toBe('https:');
    if (list.length > 0) expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
  }
});

const of = (userAgent: string, address: string | null, checks = LISTED_ONLY) => {
  const kind = checks.check({ agent: knownAgent(userAgent), format: 'html', address, signed: null, at: 0 });
  return kind instanceof Promise ? kind.then(({ value }) => value) : kind.value;
};

test('a false claim counts as other, and an agent without a check is believed', () => {
  expect(of('GPTBot/1.3', '132.196.86.1')).toMatchObject({ class: 'training', verified: true, verifiedBy: 'ranges' });
  expect(of('GPTBot/1.3', '203.0.113.7')).toMatchObject({ class: 'other', agent: 'GPTBot', verified: false });
  expect(of('GPTBot/1.3', null)).toMatchObject({ class: 'training', verified: null, verifiedBy: null });
  expect(of('Claude-User (claude-code/2.1.83)', '203.0.113.7')).toMatchObject({ class: 'assistant', verified: null });
  expect(of('Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', '132.196.86.1')).toMatchObject({
    class: 'human',
    verified: null,
  });
});

test('a published list becomes ranges that can be checked', () => {
  const list = { creationTime: 'x', prefixes: [{ ipv4Prefix: '20.0.0.0/24' }, { ipv6Prefix: '2001:DB8::/48' }] };
  const read = readPublishedRanges(JSON.stringify(list));
  expect(read).toEqual(['20.0.0.0/24', '2001:db8::/48']);
  const checked = new AgentRanges([
    { ...OPENAI, ranges: readPublishedRanges('{"prefixes":[{"ipv4Prefix":"20.0.0.1"}]}') },
  ]);
  expect([checked.verify('GPTBot', '20.0.0.1'), checked.verify('GPTBot', '20.0.0.2')]).toEqual([true, false]);
});

test.each([
  ['<html>', 'no JSON'],
  ['{}', 'no list'],
  ['{"prefixes":[]}', 'no list'],
  ['{"prefixes":["20.0.0.0/24"]}', 'no list'],
  ['{"prefixes":[{"ipv4Prefix":"everyone"}]}', 'invalid'],
  ['{"prefixes":[{"ipv4Prefix":"0.0.0.0/0"}]}', 'too wide'],
  ['{"prefixes":[{"ipv6Prefix":"2001::/16"}]}', 'too wide'],
])('a list that verifies no one, or everyone, is refused: %s', (text, problem) => {
  expect(() => readPublishedRanges(text)).toThrow(problem);
});

/** The address whose name is at this one; null for other names. */
function addressAt(name: string): string | null {
  const [, v4, v6] = /^([\d.]+)\.in-addr\.arpa$|^([\da-f.]+)\.ip6\.arpa$/.exec(name) ?? [];
  if (v4 !== undefined) return v4.split('.').toReversed().join('.');
  const digits = v6?.split('.').toReversed().join('');
  return digits === undefined ? null : canonicalAddress(digits.replaceAll(/(.{4})(?=.)/g, '$1:'));
}

/** Name servers with these records, by address and by name; others do not exist. Counts the questions. */
function namesWith(records: Record<string, string[] | string>) {
  const asked: string[] = [];
  const answer = async (given: string) => {
    const name = addressAt(given) ?? given;
    asked.push(name);
    const found = records[name];
    if (typeof found === 'object') return found;
    throw Object.assign(new Error(name), { code: found ?? 'ENOTFOUND' });
  };
  const names: Names = {
    resolvePtr: answer,
    resolve4: answer as Names['resolve4'],
    resolve6: answer as Names['resolve6'],
  };
  return { names, asked };
}

const never = () => new Promise<never>(() => {});

describe('reverse DNS', () => {
  const YANDEX = '5.255.253.1';
  const V6 = '2a02:6b8::1';
  const records = {
    [YANDEX]: ['5-255-253-1.spider.yandex.com.'],
    '5-255-253-1.spider.yandex.com': [YANDEX],
    [V6]: ['V6.Yandex.NET'],
    'v6.yandex.net': ['2a02:06b8:0::0001'],
    '198.51.100.1': ['forged.yandex.com'],
    'forged.yandex.com': [YANDEX],
    '198.51.100.2': ['yandex.com.evil.example', 'notyandex.com', 'yandex.com'],
    'yandex.com.evil.example': ['198.51.100.2'],
    'notyandex.com': ['198.51.100.2'],
    'yandex.com': ['198.51.100.2'],
    '198.51.100.3': 'ESERVFAIL',
    '198.51.100.4': ['slow.yandex.com'],
    'slow.yandex.com': 'ETIMEOUT',
    '198.51.100.5': ['a.example', 'b.example', 'c.example', 'd.example', 'e.example', 'late.yandex.com'],
    'late.yandex.com': ['198.51.100.5'],
  };
  test.each([
    ['a name of the operator that has the address', 'YandexBot', YANDEX, true],
    ['an IPv6 address, in any spelling', 'YandexBot', V6, true],
    ['an IPv4 address in an IPv6 one', 'YandexBot', `::ffff:${YANDEX}`, true],
    ['a name of the operator that has another address', 'YandexBot', '198.51.100.1', false],
    ['names that only look like the operator', 'YandexBot', '198.51.100.2', false],
    ['a name of another operator', 'Baiduspider', YANDEX, false],
    ['no name', 'YandexBot', '198.51.100.9', false],
    ['more names than are read', 'YandexBot', '198.51.100.5', false],
    ['no answer about the address', 'YandexBot', '198.51.100.3', null],
    ['no answer about the name', 'YandexBot', '198.51.100.4', null],
    ['a private address', 'YandexBot', '10.0.0.1', null],
    ['a name instead of an address', 'YandexBot', 'spider.yandex.com', null],
    ['an agent without a published domain', 'Cursor', YANDEX, null],
    ['a person', null, YANDEX, null],
  ])('%s', async (_, agent, address, verified) => {
    expect(await new ReverseDns(namesWith(records).names).verify(agent, address)).toBe(verified);
  });

  test('asks once for an address, and never for names that a client chose', async () => {
    const { names, asked } = namesWith(records);
    const dns = new ReverseDns(names);
    const [one, other] = [dns.verify('YandexBot', YANDEX), dns.verify('YandexBot', YANDEX)];
    expect([await one, await other]).toEqual([true, true]);
    expect(dns.verify('YandexBot', YANDEX)).toBe(true);
    await dns.verify('YandexBot', '198.51.100.2');
    expect(asked).toEqual([YANDEX, '5-255-253-1.spider.yandex.com', '198.51.100.2']);
  });

  test('waits for no server that is silent, and soon asks it nothing', async () => {
    const dns = new ReverseDns({ resolvePtr: never, resolve4: never, resolve6: never }, 1);
    const checks = Array.from({ length: 100 }, async (_, no) => dns.verify('YandexBot', `198.51.100.${no}`));
    expect(await Promise.all(checks)).toEqual(checks.map(() => null));
    expect(dns.verify('YandexBot', '198.51.100.200')).toBeNull();
  });

  test('keeps a limited number of checks waiting', () => {
    const dns = new ReverseDns({ resolvePtr: never, resolve4: never, resolve6: never });
    const check = (no: number) => dns.verify('YandexBot', `198.51.${no >> 8}.${no & 255}`);
    const results = Array.from({ length: 5_000 }, (_, no) => check(no));
    expect(results.filter((result) => result instanceof Promise).length).toBeLessThan(1_100);
  });

  test('a false claim counts as other, and ranges come first', async () => {
    const { names, asked } = namesWith(records);
    const checks = new ClaimChecks(new ReverseDns(names));
    const yandex = 'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)';
    expect(await of(yandex, YANDEX, checks)).toMatchObject({
      class: 'search',
      verified: true,
      verifiedBy: 'reverse-dns',
    });
    expect(await of(yandex, '198.51.100.1', checks)).toMatchObject({
      class: 'other',
      agent: 'YandexBot',
      verified: false,
    });
    expect(await of(yandex, '198.51.100.3', checks)).toMatchObject({
      class: 'search',
      verified: null,
      verifiedBy: null,
    });
    asked.length = 0;
    expect(await of('GPTBot/1.3', '203.0.113.7', checks)).toMatchObject({ verified: false, verifiedBy: 'ranges' });
    expect(asked).toEqual([]);
  });

  test('the shipped domains name their source and date, and agents that are recognized', () => {
    for (const { agents, hosts, source, date } of AGENT_HOSTS) {
      for (const agent of agents) expect(knownAgent(`${agent}/1.0`).kinds.html.unknown.value.agent).toBe(agent);
      for (const host of hosts) expect(host).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
      expect(new URL(source).protocol).toBe('https:');
      expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
    }
    const listed = SHIPPED_RANGES.flatMap(({ agents }) => agents);
    expect(AGENT_HOSTS.flatMap(({ agents }) => agents).filter((agent) => listed.includes(agent))).toEqual([]);
  });
});

describe('a name server', () => {
  /** The records of a zone by question, as `type name`: 1 is A, 12 is PTR (RFC 1035). */
  const zone = new Map([
    ['12 1.253.255.5.in-addr.arpa', nameBytes('a.yandex.com')],
    ['1 a.yandex.com', Buffer.from([5, 255, 253, 1])],
  ]);
  const server = createSocket('udp4');
  const resolver = new Resolver({ timeout: 1_000, tries: 1 });

  beforeAll(async () => {
    server.on('message', (question, { port }) => server.send(answerTo(question), port));
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    resolver.setServers([`127.0.0.1:${server.address().port}`]);
  });
  afterAll(() => void server.close());

  function answerTo(question: Buffer): Buffer {
    const labels: string[] = [];
    let at = 12;
    for (let length = question[at]!; length > 0; length = question[at]!) {
      labels.push(question.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const end = at + 5;
    const name = labels.join('.');
    const isBusy = name.startsWith('3.');
    const record = zone.get(`${question[at + 2]} ${name}`);
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(0x8180 | (isBusy ? 2 : record ? 0 : 3), 2);
    header.fill(0, 6);
    header.writeUInt16BE(record ? 1 : 0, 6);
    const asked = question.subarray(12, end);
    if (!record) return Buffer.concat([header, asked]);
    const about = Buffer.from([0xc0, 12, 0, question[at + 2]!, 0, 1, 0, 0, 0, 60, 0, record.length]);
    return Buffer.concat([header, asked, about, record]);
  }

  test.each([
    ['confirms a crawler', '5.255.253.1', true],
    ['says that an address has no name', '198.51.100.1', false],
    ['is busy', '198.51.100.3', null],
  ])('%s', async (_, address, verified) => {
    expect(await new ReverseDns(resolver).verify('YandexBot', address)).toBe(verified);
  });
});

function nameBytes(name: string): Buffer {
  return Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);
}
