import { LRUCache } from 'lru-cache';
import { copyOf, SharedValue } from '../../platform/shared-value.ts';

/** The host that a referrer names; null for none. The same object for the same host, most of the time. */
export type ReferrerHost = SharedValue<string> | null;

const LONGEST = 253;
const LONGEST_REFERRER = 2_048;
/** A name with a dot and no scheme, perhaps with a port, and then a path or nothing. */
const BARE_HOST = /^[^\s/?#@:]+\.[^\s/?#@:]+(?::\d{1,5})?(?:[/?#]|$)/;
/** A label of more than 63 characters: DNS has none. */
const NO_HOST = /(?:^|\.)[^.]{64}/;
const NONE = { host: null };
const known = new LRUCache<string, { readonly host: ReferrerHost }>({ max: 20_000 });
const hosts = new LRUCache<string, SharedValue<string>>({ max: 20_000 });
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
  const name = hostOfReferrer(referrer);
  if (name === null) return null;
  let host = hosts.get(name);
  if (!host) hosts.set(name, (host = new SharedValue(copyOf(name))));
  return host;
}

/**
 * The host that a referrer names, lower case, without `www.`; null where it names none. The rule for events and for logs alike. What
 * stands behind the first 2,048 characters is not looked at; a name of more than 253 is no host (RFC 1035, section 2.3.4).
 */
export function hostOfReferrer(referrer: string): string | null {
  const text = referrer.slice(0, LONGEST_REFERRER);
  // Some senders leave the scheme out: `example.org/page`.
  const url = URL.parse(BARE_HOST.test(text) ? `http://${text}` : text);
  const host = url?.hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\./, '');
  return host && host.length <= LONGEST && !NO_HOST.test(host) ? host : null;
}
