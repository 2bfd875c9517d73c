import { isInRange, readIpAddress, type IpAddress, type IpRange } from './ip-address.ts';

/**
 * The client of a request through trusted proxies: the right-most untrusted hop, which may have invented the
 * others.
 * @param peer the sender
 * @param forwarded the value of `X-Forwarded-For`
 * @returns `isReadable`: false if the hop before `address` is not an address
 */
export function forwardedClient(
  peer: IpAddress,
  forwarded: string,
  proxies: readonly IpRange[],
): { address: IpAddress; isReadable: boolean } {
  let address = peer;
  for (const hop of forwarded.split(',').toReversed()) {
    if (!proxies.some((range) => isInRange(address, range))) break;
    const next = readIpAddress(withoutPort(hop.trim()));
    if (!next) return { address, isReadable: false };
    address = next;
  }
  return { address, isReadable: true };
}

/** Some proxies write `203.0.113.7:4711` or `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(hop);
  if (bracketed) return bracketed[1] ?? '';
  return /^[^:]+:\d+$/.test(hop) ? hop.slice(0, hop.indexOf(':')) : hop;
}
