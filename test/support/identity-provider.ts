import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

type Claims = Record<string, unknown>;

export interface IdentityProvider {
  issuer: string;
  /** Who signs in next, without a password; null: they leave. */
  account: (Claims & { sub: string }) | null;
  /** While set, tokens have these claims instead, signed with a key of the provider's or of someone else. */
  forged: { claims: (claims: Claims) => Claims; isForeignKey?: boolean } | null;
  /** While set, tokens have these claims about any person. */
  userInfo: Claims | null;
  /** Begins to answer, for a client that is sent back there. */
  open(redirectUri: string): void;
  close(): Promise<void>;
}

export const CLIENT = { id: 'docent', secret: 'a-secret-of-the-client-with-some-length' };

type Answer = (req: IncomingMessage, res: ServerResponse) => Promise<void> | void;

const hangUp: Answer = (_req, res) => void res.destroy();

/** A real OpenID Connect provider on this machine, whose people sign in without being asked. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let answer: Answer = hangUp;
  const server = createServer((req, res) => void answer(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let nonce: string | null = null;

  const self: IdentityProvider = {
    issuer,
    account: null,
    forged: null,
    userInfo: null,
    open(redirectUri) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: CLIENT.id,
            client_secret: CLIENT.secret,
            redirect_uris: [redirectUri],
            token_endpoint_auth_method: 'client_secret_post',
          },
        ],
        jwks: {
          keys: [{ ...own.privateKey.export({ format: 'jwk' }), kid: 'own', use: 'sig', alg: 'RS256' }],
        },
        claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email', 'email_verified'] },
        findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ ...self.account, sub: accountId }) }),
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
        cookies: { keys: ['a key for cookies'] },
        renderError: (ctx, out) => void (ctx.body = JSON.stringify(out)),
      });
      const serve = provider.callback();
      answer = async (req, res) => {
        const url = new URL(req.url ?? '/', issuer);
        if (url.pathname === '/auth') nonce = url.searchParams.get('nonce') ?? nonce;
        if (self.forged && url.pathname === '/token') return sendForged(res, self.forged);
        if (self.userInfo && url.pathname === '/me') return sendJson(res, self.userInfo);
        if (!url.pathname.startsWith('/interaction/')) return serve(req, res);
        if (!self.account) return provider.interactionFinished(req, res, { error: 'access_denied' });
        const grant = new provider.Grant({ accountId: self.account.sub, clientId: CLIENT.id });
        grant.addOIDCScope('openid profile email');
        const result = { login: { accountId: self.account.sub }, consent: { grantId: await grant.save() } };
        await provider.interactionFinished(req, res, result);
      };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  function sendForged(res: ServerResponse, { claims, isForeignKey }: NonNullable<IdentityProvider['forged']>): void {
    const now = Math.floor(Date.now() / 1_000);
    const right = { iss: issuer, sub: self.account?.sub, aud: CLIENT.id, iat: now, exp: now + 600, nonce };
    const body = {
      access_token: 'none',
      token_type: 'bearer',
      id_token: signed(claims(right), isForeignKey ? foreign.privateKey : own.privateKey),
    };
    sendJson(res, body);
  }
  return self;
}

function sendJson(res: ServerResponse, body: object): void {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed(claims: Claims, key: KeyObject): string {
  const text = `${part({ alg: 'RS256', kid: 'own' })}.${part(claims)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`;
}

/** As much of a browser as signing in takes: it keeps cookies by origin, and shows where it is sent. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** @returns where it is sent, or null */
  async open(url: string): Promise<{ status: number; to: string | null; text: string }> {
    const { origin } = new URL(url);
    const cookie = this.cookies(origin);
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'text/html', ...(cookie ? { cookie } : {}) },
    });
    for (const header of response.headers.getSetCookie()) this.keep(origin, header);
    const location = response.headers.get('location');
    return { status: response.status, to: location && new URL(location, url).href, text: await response.text() };
  }

  /** Keeps a cookie that an origin has set. @param header the value of `Set-Cookie` */
  keep(origin: string, header: string): void {
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar);
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
    // Kept as it was when it is taken back: someone may have copied it.
    if (value !== '') jar.set(name, value);
  }

  /** The cookies of an origin, as a header. */
  cookies(origin: string): string {
    return [...(this.#cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

/** Someone at the provider, with an address that it says is verified. */
export const account = (sub: string, claims: Claims = {}) => ({
  sub,
  name: `Name of ${sub}`,
  email: `${sub}@example.com`,
  email_verified: true,
  ...claims,
});

interface SignInOptions {
  browser?: Browser;
  next?: string;
  /** Changes the address at the provider, as a page in between could. */
  change?: (url: URL) => void;
}

/**
 * Signs in with the provider, and follows the browser until it is back.
 * @param url of the server
 * @returns where it ends, as a path where that is the server, and the address by which it came back from the
 * provider
 */
export async function signInWithProvider(
  url: string,
  { browser = new Browser(), next, change }: SignInOptions = {},
): Promise<{ end: string; callback: string; browser: Browser }> {
  const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
  const start = await browser.open(`${url}/sign-in/openid${query}`);
  const provider = new URL(start.to ?? '');
  change?.(provider);
  let at = provider.href;
  let callback = '';
  for (let hop = 0; hop < 8; hop++) {
    if (at.startsWith(`${url}/sign-in/openid/callback`)) callback = at;
    const { to } = await browser.open(at);
    if (to === null || callback !== '') {
      const end = to ?? at;
      return { end: end.startsWith(`${url}/`) ? end.slice(url.length) : end, callback, browser };
    }
    at = to;
  }
  throw new Error(`It ends nowhere: ${at}`);
}
