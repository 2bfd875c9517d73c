import type { IncomingMessage } from 'node:http';
import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Logger } from '../../../src/platform/log.ts';
import {
  ClientAddresses,
  isInRange,
  parseAddress,
  parseRange,
  rangeText,
} from '../../../src/api/middleware/client-address.ts';

const request = (peer: string | undefined, forwarded?: string) =>
  ({ socket: { remoteAddress: peer }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

function inside(address: string, range: string): boolean {
  const [parsedAddress, parsedRange] = [parseAddress(address), parseRange(range)];
  return parsedAddress !== null && parsedRange !== null && isInRange(parsedAddress, parsedRange);
}

describe('ranges', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['::1', '::1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['10.0.0.1/32', '10.0.0.1'],
  ])('%s is %s', (text, canonical) => {
    const range = parseRange(text);
    expect(range && rangeText(range)).toBe(canonical);
  });

  test.each(
    (
      ' / 10 10.0 010.0.0.1 0x7f.0.0.1 2130706433 1.2.3.4.5 256.0.0.1 10.0.0.0/33 10.0.0.0/-1 10.0.0.0/8/8 10.0.0.0/08 ' +
      '10.0.0.0/ ::/129 localhost 1.2.3.4:80 :::'
    ).split(' '),
  )('%j is none', (text) => {
    expect(parseRange(text)).toBeNull();
    expect(parseRange(` ${text || '::1'}`)).toBeNull();
  });

  test('hold what is inside and nothing else, in one family', () => {
    expect(inside('10.255.0.1', '10.0.0.0/8')).toBe(true);
    expect(inside('11.0.0.0', '10.0.0.0/8')).toBe(false);
    expect(inside('::ffff:10.1.2.3', '10.0.0.0/8')).toBe(true);
    expect(inside('::1', '0.0.0.0/0')).toBe(false);
    expect(inside('1.2.3.4', '::/0')).toBe(false);
    expect(inside('fe80::1%eth0', 'fe80::/10')).toBe(true);
  });

  test('no text makes the parser throw', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseRange(text)));
  });
});

describe('the caller’s address', () => {
  const addresses = new ClientAddresses(['10.0.0.0/8', '::1'], { warn: vi.fn() } as unknown as Logger);
  const of = (peer: string | undefined, forwarded?: string) =>
    addresses.of(request(peer, forwarded))?.toString() ?? null;

  test.each<[string, string | undefined, string | undefined, string | null]>([
    ['the peer, without proxies', '198.51.100.1', undefined, '198.51.100.1'],
    ['a mapped peer', '::ffff:198.51.100.1', undefined, '198.51.100.1'],
    ['what a stranger claims is ignored', '198.51.100.1', '203.0.113.7', '198.51.100.1'],
    ['what a trusted proxy saw', '10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['over IPv6', '::1', '2001:db8::7', '2001:db8::7'],
    [
      'the right-most stranger, whatever stands left of it',
      '10.0.0.1',
      '1.1.1.1, 203.0.113.7, 10.0.0.2',
      '203.0.113.7',
    ],
    ['with a port', '10.0.0.1', '203.0.113.7:99', '203.0.113.7'],
    ['with a port, IPv6', '10.0.0.1', '[2001:db8::7]:99', '2001:db8::7'],
    ['only proxies: the left-most', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['a hop that is no address', '10.0.0.1', '203.0.113.7, unknown', null],
    ['an empty hop', '10.0.0.1', '', null],
    ['no peer', undefined, '203.0.113.7', null],
  ])('%s', (_what, peer, forwarded, expected) => {
    expect(of(peer, forwarded)).toBe(expected);
  });

  test('a stranger that forwards is warned about once', () => {
    const log = { warn: vi.fn() };
    const watched = new ClientAddresses(['10.0.0.0/8'], log as unknown as Logger);
    watched.watch(request('198.51.100.1'));
    watched.watch(request('10.0.0.1', '203.0.113.7'));
    expect(log.warn).not.toHaveBeenCalled();
    watched.watch(request('198.51.100.1', '203.0.113.7'));
    watched.watch(request('198.51.100.2', '203.0.113.7'));
    expect(log.warn).toHaveBeenCalledTimes(1);
  });

  test('a trusted proxy that is no address is refused at start', () => {
    expect(() => new ClientAddresses(['proxy.local'], {} as Logger)).toThrow('proxy.local');
  });
});
