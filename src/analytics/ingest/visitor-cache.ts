import { BoundedCache } from '../bounded-cache.ts';

/**
 * Remembers what was worked out for a client, so that a log import hashes and classifies each client once and not each
 * line. Holds at most `capacity` clients.
 * @param make pure for one cache: a new one is needed when the salt changes
 */
export function visitorCache<V extends object | string | number | bigint>(
  capacity: number,
  make: (ip: string, userAgent: string | null) => V,
): (ip: string, userAgent: string | null) => V {
  const cache = new BoundedCache<string, V>(capacity);
  return (ip, userAgent) => {
    // An address holds no blank, so that no two clients share a key. No user agent is not the same as an empty one.
    const key = userAgent === null ? ip : `${ip} ${userAgent}`;
    const found = cache.get(key);
    if (found !== undefined) return found;
    const made = make(ip, userAgent);
    cache.set(key, made);
    return made;
  };
}
