import type { IncomingMessage } from 'node:http';
import type { Logger } from '../../platform/log.ts';
import { forwardedClient } from '@docent/base/net/forwarded-client';
import { isInRange, readIpAddress, readIpRange, type IpAddress, type IpRange } from '@docent/base/net/ip-address';

/** The origin of requests that came through trusted proxies. */
export class ClientAddresses {
  readonly #proxies: IpRange[];
  readonly #log: Logger;
  #warned = false;

  /** @throws RangeError if a trusted proxy is neither an address nor a range */
  constructor(trustedProxies: readonly string[], log: Logger) {
    this.#log = log;
    this.#proxies = trustedProxies.map((text) => {
      const range = readIpRange(text);
      if (!range) throw new RangeError(`"${text}" is neither an IP address nor a CIDR range.`);
      return range;
    });
  }

  /**
   * The right-most hop that is not a trusted proxy; the others are unverified. Null if it is not an address.
   */
  of(req: IncomingMessage): IpAddress | null {
    const address = readIpAddress(req.socket.remoteAddress ?? '');
    const forwarded = req.headers['x-forwarded-for'];
    if (forwarded === undefined) return address;
    if (!address || !this.#isProxy(address)) {
      this.#warn();
      return address;
    }
    const client = forwardedClient(address, [forwarded].flat().join(','), this.#proxies);
    return client.isReadable ? client.address : null;
  }

  /** Whether the caller is in one of the ranges. A caller without an address is in none. */
  isWithin(req: IncomingMessage, ranges: readonly string[]): boolean {
    const address = this.of(req);
    if (!address) return false;
    return ranges.some((text) => {
      const range = readIpRange(text);
      return range !== null && isInRange(address, range);
    });
  }

  /** Warns once if an untrusted proxy forwards requests: all callers then seem to come from one address. */
  watch(req: IncomingMessage): void {
    if (!this.#warned && req.headers['x-forwarded-for'] !== undefined) this.of(req);
  }

  #isProxy(address: IpAddress): boolean {
    return this.#proxies.some((range) => isInRange(address, range));
  }

  #warn(): void {
    if (this.#warned) return;
    this.#warned = true;
    this.#log.warn(
      'Ignored X-Forwarded-For from an address that is not a trusted proxy. ' +
        'If it is your reverse proxy, add it to DOCENT_TRUSTED_PROXIES. This is logged once.',
    );
  }
}
