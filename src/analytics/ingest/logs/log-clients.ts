import { forwardedClient } from '../../../platform/net/forwarded-client.ts';
import { readIpAddress, type IpRange } from '@docent/base/net/ip-address';
import type { LogRecord } from './formats/record.ts';

/** Clients that are told apart; of more, only how many there are at least is known. */
const MOST = 100_000;
/** Fewer requests say nothing about the layout of a log. */
const ENOUGH = 50;

/**
 * How many clients the requests of an import have, to notice where something else was taken for the client.
 */
export class ClientCounts {
  readonly #requests = new Map<string, number>();
  #all = 0;
  /** The client of the last request that named proxies' addresses too, which were not used. */
  #forwarding: string | null = null;

  add({ ip, forwardedFor }: Pick<LogRecord, 'ip' | 'forwardedFor'>): void {
    this.#all += 1;
    if (forwardedFor && forwardedFor !== '-' && !forwardedFor.includes(ip)) this.#forwarding = ip;
    const known = this.#requests.get(ip);
    if (known !== undefined || this.#requests.size < MOST) this.#requests.set(ip, (known ?? 0) + 1);
  }

  /** At least so many, where it is {@link MOST}. */
  get distinct(): number {
    return this.#requests.size;
  }

  /** What is odd about the clients, as a sentence; null where nothing is. */
  warning(): string | null {
    if (this.#all < ENOUGH) return null;
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

/** The client of a request behind proxies that are trusted; of a list that cannot be read, the last proxy. */
export function clientBehind({ ip, forwardedFor }: LogRecord, trusted: readonly IpRange[]): string {
  const peer = readIpAddress(ip);
  return peer ? forwardedClient(peer, forwardedFor ?? '', trusted).address.toString() : ip;
}
