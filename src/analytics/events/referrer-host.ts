import { BoundedCache } from '../../platform/bounded-cache.ts';
import { copyOf, SharedValue } from '../../platform/shared-value.ts';

/** The host that a referrer names; null for none. The same object for the same host, most of the time. */
export type ReferrerHost = SharedValue<string> | null;

const LONGEST = 253;
const NONE = { host: null };
const known = new BoundedCache<string, { readonly host: ReferrerHost }>(20_000);
const hosts = new BoundedCache<string, SharedValue<string>>(20_000);
/** Longer ones are nobody's link twice. */
const CACHED_LENGTH = 256;

export function referrerHost(referrer: string): ReferrerHost {
  if (referrer.length > CACHED_LENGTH) return hostIn(referrer);
  let found = known.get(referrer);
  if (!found) {
    const host = hostIn(referrer);
    known.set(referrer, (found = host ? { host } : NONE));
  }
  return found.host;
}

function hostIn(referrer: string): ReferrerHost {
  const name = URL.parse(referrer)
    ?.hostname.toLowerCase()
    .replace(/^www\./, '')
    .slice(0, LONGEST);
  if (!name) return null;
  let host = hosts.get(name);
  if (!host) hosts.set(name, (host = new SharedValue(copyOf(name))));
  return host;
}
