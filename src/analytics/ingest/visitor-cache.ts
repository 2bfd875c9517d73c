type ByAddress<V> = Map<string, V>;

/** Stands for clients of which no user agent was recorded, which is not the same as an empty one. No client can send it. */
const UNRECORDED = '\0';

/**
 * Remembers what was worked out for a client, so that a log import hashes and classifies each client once and not each
 * line. Holds at most `capacity` clients, and forgets those that were not seen for long.
 * @param make pure for one cache: a new one is needed when the salt changes
 */
export function visitorCache<V extends object | string | number | bigint>(
  capacity: number,
  make: (ip: string, userAgent: string | null) => V,
): (ip: string, userAgent: string | null) => V {
  // Two generations, as in BoundedCache; two levels, so that no key is put together for each line.
  let young = new Map<string, ByAddress<V>>();
  let old = new Map<string, ByAddress<V>>();
  let size = 0;
  return (ip, userAgent) => {
    const agent = userAgent ?? UNRECORDED;
    let addresses = young.get(agent);
    const recent = addresses?.get(ip);
    if (recent !== undefined) return recent;
    const value = old.get(agent)?.get(ip) ?? make(ip, userAgent);
    if (size >= capacity / 2) {
      old = young;
      young = new Map();
      addresses = undefined;
      size = 0;
    }
    if (!addresses) young.set(agent, (addresses = new Map()));
    addresses.set(ip, value);
    size += 1;
    return value;
  };
}
