import { readIpRange, type IpRange } from './ip-address.ts';

/** The format of the setting DOCENT_PRIVATE_HOSTS, for a message after its name. */
export const PRIVATE_HOSTS_RULE =
  'must be comma-separated host names, addresses or CIDR ranges, such as git.example.com:8443,10.1.0.0/16';

/** One entry of DOCENT_PRIVATE_HOSTS: a name or a range of addresses, optionally with one port. */
export type PrivateHostRule =
  | { kind: 'name'; name: string; port: number | null }
  | { kind: 'range'; range: IpRange; port: number | null };

const NAME = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

/**
 * Reads `name`, `name:port`, an address with or without port (IPv6 then in brackets), or a CIDR range; null
 * if it is not one.
 */
export function readPrivateHost(entry: string): PrivateHostRule | null {
  const whole = readIpRange(entry);
  if (whole) return { kind: 'range', range: whole, port: null };

  const [, bracketed, plain, digits] = /^(?:\[([^\]/]+)\]|([^:[\]/]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const port = digits === undefined ? null : Number(digits);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  const range = readIpRange(bracketed ?? plain ?? '');
  if (range) return { kind: 'range', range, port };
  const name = plain?.toLowerCase();
  // URLs read a name that ends in a number as an address, so here it is a misspelled one.
  if (name === undefined || !NAME.test(name) || /(^|\.)(\d+|0x[0-9a-f]*)$/.test(name)) return null;
  return { kind: 'name', name, port };
}
