import type { IncomingMessage } from 'node:http';
import { AppError } from '../../platform/errors.ts';
import { isIpAddress } from '@docent/base/net/ip-address';

/**
 * Rejects requests for other host names than this server's. Otherwise, a page on another domain that resolves
 * to 127.0.0.1 (DNS rebinding) could use the server. Loopback names, IP addresses (which cannot be rebound),
 * the public URL's host and the configured names pass.
 */
export class HostCheck {
  readonly #publicUrl: () => string;
  readonly #allowed: readonly string[];

  constructor(publicUrl: () => string, allowedHosts: readonly string[]) {
    this.#publicUrl = publicUrl;
    this.#allowed = allowedHosts.map((host) => host.toLowerCase());
  }

  /** @throws AppError `forbidden_host`, `bad_request` for several Host headers (RFC 9112, 3.2) */
  check({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): void {
    const [header, second] = rawHeaders.filter(
      (_, index) => rawHeaders[index - 1]?.toLowerCase() === 'host' && index % 2,
    );
    if (second !== undefined) {
      // A proxy on the way may have read a different one than we would.
      throw new AppError('bad_request', 'The request has more than one Host header. Send one.', { param: 'Host' });
    }
    // HTTP/1.0 has no Host; browsers do not speak it.
    if (header === undefined) return;
    const name = hostName(header);
    if (name !== null && this.#isOurs(name)) return;
    throw new AppError(
      'forbidden_host',
      "The name in the Host header is not allowed. Use the server's public URL, or add the name to its " +
        'allowed hosts.',
    );
  }

  #isOurs(name: string): boolean {
    if (name === 'localhost' || name.endsWith('.localhost') || isIpAddress(name)) return true;
    if (this.#allowed.some((host) => (host.startsWith('.') ? name.endsWith(host) : name === host))) return true;
    return name === hostName(new URL(this.#publicUrl()).host);
  }
}

/** The name without port, brackets, final dot and capitals; null if it is not one. */
function hostName(header: string): string | null {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s/?#@:[\]\\]+))(?::\d{0,5})?$/.exec(header);
  return match ? (match[1] ?? match[2] ?? '').toLowerCase().replace(/\.$/, '') : null;
}
