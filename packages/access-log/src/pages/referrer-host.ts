import { LRUCache } from 'lru-cache';
import { parse } from 'tldts';
import { copyOf, SharedValue } from '../shared-value.ts';

/** The host that a referrer names; null for none. The same object for the same host, most of the time. */
export type ReferrerHost = SharedValue<string> | null;

const LONGEST = 253;
const LONGEST_REFERRER = 2_048;
/** A name with a dot and no scheme, perhaps with a port, and then a path or nothing. */
const BARE_HOST = /^([^\s/?#@:]+\.[^\s/?#@:]+)(?::\d{1,5})?(?:[/?#]|$)/;
/** A DNS name (RFC 1035, section 2.3.1, and underscores), or an IPv6 address as in a URL. */
const NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.|$))+$|^\[[0-9a-f:.]+\]$/;
/** Schemes of pages, and of apps that open links. Extensions and editors have made-up hosts. */
const SCHEMES = new Set(['http:', 'https:', 'android-app:']);
const NONE = { host: null };
const known = new LRUCache<string, { readonly host: ReferrerHost }>({ max: 20_000 });
const hosts = new LRUCache<string, SharedValue<string>>({ max: 20_000 });
/** Longer ones hardly occur twice. */
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
 * A referrer's host in lower case without `www.`; null for no DNS name, or text without a scheme that only
 * looks like one (`index.html`). Reads 2,048 characters; a name has at most 253 (RFC 1035, section 2.3.4).
 */
export function hostOfReferrer(referrer: string): string | null {
  const text = referrer.slice(0, LONGEST_REFERRER);
  // Some senders leave the scheme out: `example.org/page`.
  const bare = BARE_HOST.exec(text)?.[1];
  if (bare !== undefined && !isOfInternet(bare)) return null;
  const url = URL.parse(bare === undefined ? text : `http://${text}`);
  if (!url || !SCHEMES.has(url.protocol)) return null;
  const host = url.hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\./, '');
  return host.length <= LONGEST && NAME.test(host) ? host : null;
}

/** Whether its ending is a public suffix (https://publicsuffix.org), or it is a complete IP address. */
function isOfInternet(name: string): boolean {
  const { isIp, isIcann, isPrivate } = parse(name, { extractHostname: false });
  return isIp === true || isIcann === true || isPrivate === true;
}
