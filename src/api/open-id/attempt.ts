import { createHmac, randomBytes } from 'node:crypto';

/** How long someone may take to sign in at the provider, in seconds. */
const LIFE_SECONDS = 600;
const COOKIE = /^(\d{13})\.([\w-]{43})\.([\w-]{0,3000})$/;

/** The parameters that the provider must return, by OpenID Connect and RFC 7636. */
export interface Attempt {
  state: string;
  nonce: string;
  codeVerifier: string;
  /** The path to go to afterwards. */
  next: string;
}

/**
 * A sign-in in progress, kept only in the browser, in a cookie that scripts cannot read. It is a random
 * secret from which state, nonce and verifier are derived, together with the time and the path; changing any
 * of them changes the state. Each of several sign-ins in one browser has its own cookie. The server stores
 * nothing, so anonymous clients cannot fill its storage.
 */
export class Attempts {
  readonly #publicUrl: () => string;

  /** @param publicUrl where browsers reach this server; with https, the cookie is `Secure` */
  constructor(publicUrl: () => string) {
    this.#publicUrl = publicUrl;
  }

  /** @returns the attempt, and the `Set-Cookie` that lets it end */
  begin(next: string, now = Date.now()): { attempt: Attempt; cookie: string } {
    const secret = randomBytes(32).toString('base64url');
    const attempt = attemptOf(String(now), secret, next);
    const value = `${now}.${secret}.${Buffer.from(next).toString('base64url')}`;
    return { attempt, cookie: this.#header(attempt.state, value, LIFE_SECONDS) };
  }

  /** The attempt with the returned state; null if this browser began none, or too long ago. */
  find(cookies: string | undefined, state: string, now = Date.now()): Attempt | null {
    const name = this.#nameOf(state);
    for (const pair of (cookies ?? '').split(';')) {
      const [, begun = '', secret = '', path = ''] = pair.trim().startsWith(`${name}=`)
        ? (COOKIE.exec(pair.trim().slice(name.length + 1)) ?? [])
        : [];
      const age = now - Number(begun);
      if (secret === '' || age < -LIFE_SECONDS * 1_000 || age > LIFE_SECONDS * 1_000) continue;
      const attempt = attemptOf(begun, secret, Buffer.from(path, 'base64url').toString('utf8'));
      if (attempt.state === state) return attempt;
    }
    return null;
  }

  /** The `Set-Cookie` that ends an attempt. */
  clear(state: string): string {
    return this.#header(state, '', 0);
  }

  get #isSecure(): boolean {
    return this.#publicUrl().startsWith('https:');
  }

  #nameOf(state: string): string {
    return `${this.#isSecure ? '__Host-' : ''}docent_openid_${/^[\w-]{8}/.exec(state)?.[0] ?? ''}`;
  }

  #header(state: string, value: string, seconds: number): string {
    // Lax: the provider sends the browser back by a link from another site.
    const secure = this.#isSecure ? '; Secure' : '';
    return `${this.#nameOf(state)}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`;
  }
}

function attemptOf(begun: string, secret: string, next: string): Attempt {
  const made = (what: string) => createHmac('sha256', secret).update(`${what}\n${begun}\n${next}`).digest('base64url');
  return { state: made('state'), nonce: made('nonce'), codeVerifier: made('verifier'), next };
}
