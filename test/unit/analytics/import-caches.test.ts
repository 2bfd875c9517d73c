import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ClientVisitors } from '../../../src/analytics/ingest/client-visitors.ts';
import { knownAgent } from '@docent/access-log/agents/user-agent';
import { RecentCounts } from '@docent/access-log/lines/recent-counts';
import { TextCache } from '@docent/access-log/lines/text-cache';
import { anyCharacter } from '../../support/any-character.ts';

const visitor = (visitors: ClientVisitors) => (BigInt(visitors.high) << 32n) | BigInt(visitors.low);

test('a client has the visitor that was made for it, however many others came: readers are not mixed up', () => {
  const address = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.string({ unit: anyCharacter, maxLength: 60 }),
    fc.constantFrom('', 'a', 'aa', 'a\0', '\0', 'x'.repeat(43), 'x'.repeat(44), 'x'.repeat(45), 'é', '€'),
  );
  const client = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.nat(3), address);
  fc.assert(
    fc.property(fc.array(client, { maxLength: 60 }), (clients) => {
      // So few places that most are taken by others again and again.
      const visitors = new ClientVisitors(8);
      const ids = new Map<string, bigint>();
      for (const [period, agent, ip] of [...clients, ...clients]) {
        const name = JSON.stringify([period, agent, ip]);
        if (!ids.has(name)) ids.set(name, BigInt.asUintN(64, BigInt(ids.size + 1) * 0x9e37_79b9_7f4a_7c15n));
        visitors.find(period, agent, ip, () => ids.get(name)!);
        expect(visitor(visitors)).toBe(ids.get(name));
      }
    }),
  );
});

test('a name beyond Latin-1 is not taken for another one whose bytes are alike', () => {
  const visitors = new ClientVisitors(4);
  visitors.find(1, 1, 'šb', () => 1n);
  visitors.find(1, 1, 'ac', () => 2n);
  expect(visitor(visitors)).toBe(2n);
});

test('a client is worked out once while there is room, and again after its salt was destroyed', () => {
  const visitors = new ClientVisitors(4_096);
  let made = 0;
  const comeAll = () => {
    for (let no = 0; no < 400; no += 1) visitors.find(1, no % 7, `198.51.100.${no}`, () => BigInt((made += 1)));
  };
  comeAll();
  comeAll();
  expect(made).toBe(400);
  visitors.forget();
  comeAll();
  expect(made).toBe(800);
});

const read = (buffer: Buffer, start: number, end: number) => buffer.toString('latin1', start, end);

test('a text is that of its bytes, whatever was read before in its place, and the same object while it is kept', () => {
  const texts = new TextCache<string>(4, 32);
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\0'), maxLength: 40 }), { maxLength: 30 }),
      fc.nat(9),
      (words, indent) => {
        const whole = Buffer.from(`${'-'.repeat(indent)}${words.join('')}--`, 'latin1');
        let at = indent;
        for (const word of words) {
          const found = texts.get(whole, at, at + word.length, read);
          expect(found.text).toBe(word);
          if (word.length <= 32) expect(texts.get(Buffer.from(word, 'latin1'), 0, word.length, read)).toBe(found);
          at += word.length;
        }
      },
    ),
  );
});

test('a line that comes again is counted with tens of thousands of others between, over and over', () => {
  const counts = new RecentCounts();
  const next = (no: number) => counts.next(no, Math.imul(no, 0x9e3779b1) >>> 0);
  const wrong: number[] = [];
  // Between the two times of a line, 60,000 others come: half of them for the first time.
  for (let no = 0; no < 300_000; no += 1) {
    if (next(no) !== 1) wrong.push(no);
    if (no >= 30_000 && next(no - 30_000) !== 2) wrong.push(no - 30_000);
  }
  expect(wrong).toEqual([]);
});

test('also the line with which one generation of lines ends and the next begins', () => {
  const counts = new RecentCounts();
  for (let no = 0; no < 65_536; no += 1) expect(counts.next(1, no)).toBe(1);
  // Its place is taken in the old generation, and free in the new one.
  for (const count of [1, 2, 3]) expect(counts.next(2, 5)).toBe(count);
  expect(counts.next(1, 5)).toBe(2);
});

test('a user agent is truncated, cleaned, and distinguished from a missing one', () => {
  const long = knownAgent(`${'x'.repeat(1_023)}\0${'y'.repeat(60_000)}`);
  expect(long.userAgent).toBe('x'.repeat(1_023));
  expect(knownAgent('\ud800')).toMatchObject({ userAgent: '\ufffd' });
  expect(knownAgent(null)).toMatchObject({
    userAgent: null,
    kinds: { html: { unknown: { value: { class: 'human' } } } },
  });
  expect(knownAgent('')).toMatchObject({ userAgent: '', kinds: { html: { unknown: { value: { class: 'other' } } } } });
  expect(knownAgent('curl/8.0').kinds.md.unknown.value).toMatchObject({
    class: 'assistant',
    format: 'md',
    userAgent: 'curl/8.0',
  });
  expect(knownAgent('curl/8.0')).toBe(knownAgent('curl/8.0'));
  expect(knownAgent('curl/8.1').no).not.toBe(knownAgent('curl/8.0').no);
});
