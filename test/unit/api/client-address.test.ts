import type { IncomingMessage } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import type { Logger } from '../../../src/platform/log.ts';
import { ClientAddresses } from '../../../src/api/middleware/client-address.ts';

const request = (peer: string | undefined, forwarded?: string) =>
  ({ socket: { remoteAddress: peer }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

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

  test('a trusted proxy that is not an address is refused at start', () => {
    expect(() => new ClientAddresses(['proxy.local'], {} as Logger)).toThrow('proxy.local');
  });
});
