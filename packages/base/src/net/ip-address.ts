import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address without a zone. One of IPv4 inside IPv6 (`::ffff:10.0.0.1`) is the IPv4 address. */
export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** The addresses that begin with the same `bits` bits. */
export interface IpRange {
  readonly address: IpAddress;
  readonly bits: number;
}

/**
 * Whether Node connects to this host without a lookup: four plain decimals, or IPv6 with or without a zone,
 * and no brackets. Octal, hexadecimal and shortened IPv4 (`010.0.0.1`, `0x7f.1`, `2130706433`) does not
 * count, because programs read it differently.
 */
export function isIpAddress(text: string): boolean {
  return isIP(text) !== 0;
}

/**
 * Null for a text that is not an address by {@link isIpAddress}. A zone (`fe80::1%eth0`) names a link of this
 * machine, and is left out.
 */
export function readIpAddress(text: string): IpAddress | null {
  return isIpAddress(text) ? ipaddr.process(text.replace(/%.*$/, '')) : null;
}

/** The canonical spelling of an address: RFC 5952 for IPv6. Null for other texts. */
export function canonicalAddress(text: string): string | null {
  // Log files are read with this. The parser takes twenty times as long as it takes to see that an address is
  // spelled so already.
  if (isIPv4(text)) return text;
  if (EIGHT_GROUPS.test(text) && !TWO_ZEROS.test(text)) return text;
  return readIpAddress(text)?.toString() ?? null;
}

/**
 * Eight groups of IPv6 without capitals and leading zeros: the canonical spelling, unless two groups can be
 * left out.
 */
const EIGHT_GROUPS = /^(?:0|[1-9a-f][0-9a-f]{0,3})(?::(?:0|[1-9a-f][0-9a-f]{0,3})){7}$/;
const TWO_ZEROS = /(?:^|:)0:0(?::|$)/;

/**
 * Reads `203.0.113.7`, `10.0.0.0/8`, `2001:db8::/32`. An address is the range that holds it alone. Null for
 * anything else.
 */
export function readIpRange(text: string): IpRange | null {
  const [, start = '', digits] = /^([^/]*)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const address = readIpAddress(start);
  if (!address) return null;
  const widest = widthOf(address);
  if (digits === undefined) return { address, bits: widest };
  // In `::ffff:10.0.0.0/104`, the first 96 bits mean IPv4.
  const bits = Number(digits) - (start.includes(':') && widest === 32 ? 96 : 0);
  return bits >= 0 && bits <= widest ? { address, bits } : null;
}

/** The range as it is stored and shown. */
export function rangeText({ address, bits }: IpRange): string {
  return bits === widthOf(address) ? address.toString() : `${address.toString()}/${bits}`;
}

export function isInRange(address: IpAddress, { address: start, bits }: IpRange): boolean {
  return address.kind() === start.kind() && address.match(start, bits);
}

/** A host as a URL has it: IPv6 in brackets. */
export function hostInUrl(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** The key under which to count what one subscriber does: the address, or the /64 network of an IPv6 one. */
export function subscriberOf(text: string): string {
  const address = readIpAddress(text);
  if (!address) return text;
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : address.toString();
}

/** `special`: link-local, a cloud's metadata service, or any other address outside the internet. */
export type AddressKind = 'public' | 'loopback' | 'private' | 'special';

/** Azure's host service answers every virtual machine under this public address, and gives it secrets. */
const AZURE_HOST_SERVICE = '168.63.129.16';
/** Clouds' metadata services that are not link-local: AWS, Google, Alibaba. */
const METADATA_SERVICES = ['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200'];
/** The range of internet addresses (RFC 4291, IANA's registry); others are not assigned. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Carries an IPv4 address in its last 32 bits (RFC 6052); networks with IPv6 alone reach IPv4 servers so. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

export function kindOfAddress(address: IpAddress): AddressKind {
  if ([AZURE_HOST_SERVICE, ...METADATA_SERVICES].includes(address.toString())) return 'special';
  if (address instanceof ipaddr.IPv6) {
    if (address.match(NAT64)) return kindOfAddress(new ipaddr.IPv4(address.toByteArray().slice(12)));
    const range = address.range();
    if (range === 'loopback') return 'loopback';
    if (range === 'uniqueLocal') return 'private';
    return range === 'unicast' && address.match(GLOBAL_UNICAST) ? 'public' : 'special';
  }
  const range = address.range();
  if (range === 'unicast') return 'public';
  if (range === 'loopback') return 'loopback';
  return range === 'private' || range === 'carrierGradeNat' ? 'private' : 'special';
}

function widthOf(address: IpAddress): number {
  return address.kind() === 'ipv4' ? 32 : 128;
}
