import { describe, expect, test } from 'vitest';
import { AddressGuard, AddressRefused } from '@docent/base/net/address-guard';
import { readPrivateHost } from '@docent/base/net/private-hosts';

/** What a server-side request would do to an address, without sending one. */
function verdict(address: string, { allowed = [] as string[], host = address, port = 443 } = {}): string {
  try {
    new AddressGuard(allowed).check(host, port, [address]);
    return 'sent';
  } catch (err) {
    if (!(err instanceof AddressRefused)) throw err;
    return 'refused';
  }
}

function checking(host: string, ...addresses: string[]): () => void {
  return () => new AddressGuard([]).check(host, 443, addresses);
}

describe('without any setting', () => {
  test.each([
    ['loopback', '127.0.0.1'],
    ['the end of loopback', '127.255.255.254'],
    ['this host', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private, class A', '10.0.0.1'],
    ['private, class B', '172.16.0.1'],
    ['the end of private, class B', '172.31.255.255'],
    ['private, class C', '192.168.1.1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['link-local', '169.254.1.1'],
    ['metadata of most clouds', '169.254.169.254'],
    ['metadata of AWS containers', '169.254.170.2'],
    ['metadata of Alibaba', '100.100.100.200'],
    ['metadata of Oracle', '192.0.0.192'],
    ['host service of Azure', '168.63.129.16'],
    ['multicast', '224.0.0.251'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['benchmarking', '198.18.0.1'],
    ['documentation', '192.0.2.1'],
    ['IPv6 loopback', '::1'],
    ['IPv6 unspecified', '::'],
    ['IPv6 link-local', 'fe80::1'],
    ['IPv6 link-local with a zone', 'fe80::1%eth0'],
    ['IPv6 unique local', 'fd12:3456::1'],
    ['metadata of AWS over IPv6', 'fd00:ec2::254'],
    ['IPv6 site-local', 'fec0::1'],
    ['IPv6 multicast', 'ff02::1'],
    ['IPv6 documentation', '2001:db8::1'],
    ['IPv6 discard', '100::1'],
    ['IPv6 that nobody was given', '4000::1'],
    ['loopback, IPv4-mapped', '::ffff:127.0.0.1'],
    ['private, IPv4-mapped in hex', '::ffff:a00:1'],
    ['loopback, IPv4-compatible', '::127.0.0.1'],
    ['loopback, IPv4-translated', '::ffff:0:127.0.0.1'],
    ['loopback behind NAT64', '64:ff9b::7f00:1'],
    ['metadata behind NAT64', '64:ff9b::a9fe:a9fe'],
    ['local NAT64', '64:ff9b:1::808:808'],
    ['loopback in 6to4', '2002:7f00:1::'],
    ['private in 6to4', '2002:a00:1::1'],
    ['Teredo', '2001:0:7f00:1::1'],
    ['no address at all', 'here'],
    ['an empty address', ''],
  ])('refuses %s (%s)', (_name, address) => {
    expect(verdict(address)).toBe('refused');
  });

  test.each(['140.82.121.3', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a01:4f8::1'])(
    'lets requests to %s on the internet through',
    (address) => {
      expect(verdict(address)).toBe('sent');
    },
  );

  test('reaches IPv4 servers of the internet from networks that have IPv6 alone', () => {
    expect(verdict('64:ff9b::8c52:7903', { host: 'github.com' })).toBe('sent');
    expect(verdict('::ffff:140.82.121.3')).toBe('sent');
  });

  test('refuses a name if one of its addresses is not on the internet', () => {
    expect(checking('both.example', '140.82.121.3', '10.0.0.1')).toThrow(AddressRefused);
  });

  test('says which setting allows it, and not which address a name has inside', () => {
    const check = checking('git.corp', '10.20.30.40');
    expect(check).toThrow(/git\.corp points to an address of a private network.*add git\.corp to DOCENT_PRIVATE_HOSTS/);
    expect(check).not.toThrow(/10\.20\.30\.40/);
  });
});

describe('with DOCENT_PRIVATE_HOSTS', () => {
  test.each([
    ['a name', ['git.corp'], { host: 'git.corp' }, 'sent'],
    ['a name in other letters, with a dot at its end', ['Git.Corp'], { host: 'GIT.corp.' }, 'sent'],
    ['another name', ['git.corp'], { host: 'wiki.corp' }, 'refused'],
    ['a name below', ['corp'], { host: 'git.corp' }, 'refused'],
    ['a name and its port', ['git.corp:8443'], { host: 'git.corp', port: 8443 }, 'sent'],
    ['a name and another port', ['git.corp:8443'], { host: 'git.corp', port: 22 }, 'refused'],
    ['a range', ['10.0.0.0/8'], { host: 'git.corp' }, 'sent'],
    ['another range', ['192.168.0.0/16'], { host: 'git.corp' }, 'refused'],
    ['the address', ['10.1.2.3'], { host: '10.1.2.3' }, 'sent'],
    ['the address and port', ['10.1.2.3:3000'], { host: '10.1.2.3', port: 3000 }, 'sent'],
    ['the address and another port', ['10.1.2.3:3000'], { host: '10.1.2.3', port: 443 }, 'refused'],
    ['one of several', ['git.corp', '10.1.2.0/24'], { host: 'x' }, 'sent'],
  ])('by %s', (_name, allowed, at, expected) => {
    expect(verdict('10.1.2.3', { allowed, ...at })).toBe(expected);
  });

  test('means the same IPv4 address written as IPv6', () => {
    expect(verdict('::ffff:10.1.2.3', { allowed: ['10.0.0.0/8'] })).toBe('sent');
    expect(verdict('10.1.2.3', { allowed: ['::ffff:10.1.2.3'] })).toBe('sent');
  });

  test('takes IPv6 with and without a port', () => {
    expect(verdict('fd00::5', { allowed: ['[fd00::5]:3000'], port: 3000 })).toBe('sent');
    expect(verdict('fd00::5', { allowed: ['[fd00::5]:3000'], port: 3001 })).toBe('refused');
    expect(verdict('fd00::5', { allowed: ['fd00::/8'] })).toBe('sent');
    expect(verdict('::1', { allowed: ['::1'] })).toBe('sent');
  });

  test('does not let the owner of an allowed name send requests to a metadata service', () => {
    for (const address of ['169.254.169.254', '168.63.129.16', '100.100.100.200', 'fd00:ec2::254', '0.0.0.0']) {
      expect(verdict(address, { allowed: ['git.corp'], host: 'git.corp' })).toBe('refused');
      expect(verdict(address, { allowed: [address], host: 'git.corp' })).toBe('sent');
    }
  });
});

describe('an entry', () => {
  test.each([
    '',
    '*',
    '*.corp',
    'http://git.corp',
    'git.corp:',
    'git.corp:0',
    'git.corp:65536',
    '10.0.0',
    '0x7f.1',
    '127.1',
    '2130706433',
    '10.0.0.0/33',
    '::1:x',
    '[::1',
    'a..b',
    '-a',
    'a b',
    '::/129',
  ])('that is no host, address or range is refused when Docent starts: %j', (entry) => {
    expect(readPrivateHost(entry)).toBeNull();
  });
});
