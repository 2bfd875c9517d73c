import { canonicalAddress } from '@docent/base/net/ip-address';
import { KeyedHash } from './keyed-hash.ts';
import { plainAddress } from './plain-address.ts';
import { cleanUserAgent } from './user-agent.ts';

/** A visitor before its id is computed: the normalized address, and the user agent as it is stored. */
export type VisitorSource = { visitorId: string } | { ip: string; userAgent: string };

/** A visitor identified by address and user agent, in any spelling. Null for an invalid address. */
export function clientSource(address: string, userAgent: string): VisitorSource | null {
  const ip = addressOf(address);
  return ip ? { ip, userAgent: cleanUserAgent(userAgent) } : null;
}

/** An address as servers and proxies write it, in its canonical spelling. Null for none. */
export function addressOf(text: string): string | null {
  const plain = plainAddress(text);
  return plain && canonicalAddress(plain);
}

/**
 * The first 64 bits of HMAC-SHA256. Delimiters separate ("a", "bc") from ("ab", "c"), and ids from addresses.
 */
export function visitorOf(salt: Buffer, source: VisitorSource): bigint {
  const text = 'visitorId' in source ? `id\0${source.visitorId}` : `ip\0${source.ip}\0${source.userAgent}`;
  let keyed = KEYED.get(salt);
  if (!keyed) KEYED.set(salt, (keyed = new KeyedHash(salt)));
  return keyed.first64(text);
}

/** Goes with its salt. */
const KEYED = new WeakMap<Buffer, KeyedHash>();
