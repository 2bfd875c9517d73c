import type { IncomingMessage } from 'node:http';
import { AppError } from '../../platform/errors.ts';

const SECRET = /^[\w-]{43}$/;

/** The cookie that a signed-in browser has. */
export class SessionCookie {
  readonly #publicUrl: () => string;

  /** @param publicUrl where browsers reach this server; with https, the cookie is `Secure` */
  constructor(publicUrl: () => string) {
    this.#publicUrl = publicUrl;
  }

  get #isSecure(): boolean {
    return this.#publicUrl().startsWith('https:');
  }

  /** `__Host-`: browsers take it from this very host alone, over TLS (RFC 6265bis, 4.1.3.2). */
  get name(): string {
    return this.#isSecure ? '__Host-docent_session' : 'docent_session';
  }

  /** The request's secret; null if there is none of the right form, or several (their origin is unclear). */
  read(req: IncomingMessage): string | null {
    const { name } = this;
    const found = (req.headers.cookie ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(`${name}=`))
      .map((pair) => pair.slice(name.length + 1));
    return found.length === 1 && SECRET.test(found[0] ?? '') ? (found[0] ?? null) : null;
  }

  /** `Set-Cookie` that gives a secret to the browser. @param seconds how long the session lives at most */
  set(secret: string, seconds: number): string {
    return this.#header(secret, Math.max(0, Math.floor(seconds)));
  }

  /** `Set-Cookie` that takes it back. */
  clear(): string {
    return this.#header('', 0);
  }

  #header(value: string, seconds: number): string {
    const secure = this.#isSecure ? '; Secure' : '';
    return `${this.name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`;
  }

  /**
   * Refuses requests from other sites' pages (OWASP: Fetch Metadata, else the origin).
   * @param isCookieUsed without a cookie, programs may send neither header
   * @throws AppError `forbidden_origin`
   */
  refuseForeign(req: IncomingMessage, { isCookieUsed }: { isCookieUsed: boolean }): void {
    const { 'sec-fetch-site': site, origin, host } = req.headers;
    if (site !== undefined) {
      if (site === 'same-origin') return;
    } else if (origin === undefined) {
      if (!isCookieUsed) return;
    } else if (this.#ownOrigins(host).includes(origin)) return;
    throw new AppError(
      'forbidden_origin',
      'A signed-in browser can only change data from pages of this server. Programs send a key in the ' +
        'Authorization header.',
    );
  }

  /** The public origin, and that of the request's own host name. */
  #ownOrigins(host: string | undefined): string[] {
    const { origin, protocol } = new URL(this.#publicUrl());
    return host === undefined ? [origin] : [origin, `${protocol}//${host.toLowerCase()}`];
  }
}
