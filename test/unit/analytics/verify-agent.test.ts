import { expect, test } from 'vitest';
import { AGENT_RULES } from '../../../src/analytics/events/classify/agent-rules.ts';
import { AgentRanges, SHIPPED_RANGES } from '../../../src/analytics/events/classify/verify-agent.ts';
import { readPublishedRanges } from '../../../src/analytics/ingest/agent-lists.ts';
import { kindOf, knownAgent } from '../../../src/analytics/events/user-agent.ts';

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

test('the shipped lists name their source and date, and agents of the table', () => {
  const known = new Set(AGENT_RULES.map(({ agent }) => agent));
  for (const { agents, url, date, ranges: list } of SHIPPED_RANGES) {
    expect(agents.filter((agent) => !known.has(agent))).toEqual([]);
    expect(new URL(url).protocol).toBe('https:');
    if (list.length > 0) expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
  }
});

const of = (userAgent: string, address: string | null) => kindOf(knownAgent(userAgent), 'html', address).value;

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
