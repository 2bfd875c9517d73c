import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** One entry of DOCENT_PRIVATE_HOSTS: a name or a range of addresses, and the port if only one is meant. */
export type PrivateHostRule =
  | { kind: 'name'; name: string; port: number | null }
  | { kind: 'range'; address: Address; bits: number; port: number | null };

const NAME = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

/** Reads `name`, `name:port`, an address with or without port (IPv6 then in brackets), or a CIDR range; null if it is none. */
export function readPrivateHost(entry: string): PrivateHostRule | null {
  if (entry.includes('/')) {
    if (!ipaddr.isValidCIDR(entry)) return null;
    const [address, bits] = ipaddr.parseCIDR(entry);
    return { kind: 'range', address, bits, port: null };
  }
  const whole = addressOf(entry);
  if (whole) return { kind: 'range', address: whole, bits: widthOf(whole), port: null };

  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const port = digits === undefined ? null : Number(digits);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  const address = addressOf(bracketed ?? plain ?? '');
  if (address) return { kind: 'range', address, bits: widthOf(address), port };
  const name = plain?.toLowerCase();
  // What ends in a number is an address to a URL, and a misspelt one here.
  if (name === undefined || !NAME.test(name) || /(^|\.)(\d+|0x[0-9a-f]*)$/.test(name)) return null;
  return { kind: 'name', name, port };
}

/** An address in its one usual spelling; an IPv4 address in IPv6 clothes (`::ffff:10.0.0.1`) is the IPv4 address. */
export function addressOf(text: string): Address | null {
  const usual = ipaddr.IPv4.isValidFourPartDecimal(text) || (text.includes(':') && ipaddr.IPv6.isValid(text));
  return usual ? ipaddr.process(text) : null;
}

function widthOf(address: Address): number {
  return address.kind() === 'ipv4' ? 32 : 128;
}
