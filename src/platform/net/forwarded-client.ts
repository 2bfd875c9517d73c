import { isInRange, readIpAddress, type IpAddress, type IpRange } from '@docent/base/net/ip-address';

/**
 * The client behind proxies that are trusted: the right-most hop that is none of them. What stands further
 * left was written by that hop and proves nothing.
 * @param peer who sent the request
 * @param forwarded the value of `X-Forwarded-For`
 * @returns the client; `isReadable` is false if the hop before `address` is no address at all
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
