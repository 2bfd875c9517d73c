import { forwardedClient } from '@docent/base/net/forwarded-client';
import { readIpAddress, type IpRange } from '@docent/base/net/ip-address';
import type { LogRecord } from './record.ts';

/** The most clients that are distinguished; above it, only a minimum is known. */
const MOST = 100_000;
/** Fewer requests are not evidence of the layout of a log. */
const ENOUGH = 50;

const NO_AGENTS =
  'The log has no field for the user agent, so bots count as people, and people with one address as one. Log the user agent to tell them apart.';

/** The number of clients in an import, to notice if another field was read as the client. */
export class ClientCounts {
  readonly #requests = new Map<string, number>();
  #all = 0;
  #withAgents = 0;
  /** The client of the last request with proxy addresses that were not used. */
  #forwarding: string | null = null;

  add({ ip, forwardedFor, userAgent }: Pick<LogRecord, 'ip' | 'forwardedFor' | 'userAgent'>): void {
    this.#all += 1;
    if (userAgent !== null) this.#withAgents += 1;
    if (forwardedFor && forwardedFor !== '-' && !forwardedFor.includes(ip)) this.#forwarding = ip;
    const known = this.#requests.get(ip);
    if (known !== undefined || this.#requests.size < MOST) this.#requests.set(ip, (known ?? 0) + 1);
  }

  /** A minimum if it is {@link MOST}. */
  get distinct(): number {
    return this.#requests.size;
  }

  /** Sentences about implausible clients; null if there is no problem. */
  warning(): string | null {
    if (this.#all < ENOUGH) return null;
    const sentences = [this.#aboutAddresses(), this.#withAgents === 0 ? NO_AGENTS : null].filter(
      (each) => each !== null,
    );
    return sentences.join(' ') || null;
  }

  #aboutAddresses(): string | null {
    let most = 0;
    for (const requests of this.#requests.values()) most = Math.max(most, requests);
    if (most >= 0.95 * this.#all) {
      const only = this.distinct === 1 ? 'All requests have' : 'Nearly all requests have';
      const behind =
        this.#forwarding === null
          ? 'If that is a proxy, log the client address, or set the layout with --format.'
          : `The lines also name the addresses behind it: if ${this.#forwarding} is your proxy, add it with --trusted-proxies.`;
      return `${only} one client. ${behind}`;
    }
    if (this.distinct < 0.95 * this.#all || this.distinct >= MOST) return null;
    return 'Nearly every request has a different client. If that is wrong, set the layout with --format.';
  }
}

/** The client of a request behind trusted proxies; for an unreadable list, the last proxy. */
export function clientBehind({ ip, forwardedFor }: LogRecord, trusted: readonly IpRange[]): string {
  const peer = readIpAddress(ip);
  return peer ? forwardedClient(peer, forwardedFor ?? '', trusted).address.toString() : ip;
}
