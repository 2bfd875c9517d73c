import * as openId from 'openid-client';
import type { Config } from '../../config/config.ts';
import { createGuardedFetch } from '@docent/base/net/guarded-fetch';
import type { Attempt } from './attempt.ts';
import { OpenIdProblem } from './problem.ts';
import { identityOf, type Identity } from './roles.ts';

export type OpenIdConfig = Pick<
  Config,
  'openIdIssuer' | 'openIdClientId' | 'openIdClientSecret' | 'openIdScopes' | 'openIdRolesClaim' | 'privateHosts'
>;

/** The time limit of one request to the provider. */
const TIMEOUT_SECONDS = 10;
/** How long the provider's metadata is cached. */
const KEPT_MS = 3_600_000;
/** Clocks may differ by this much. */
const TOLERANCE_SECONDS = 60;
const MAX_BYTES = 1024 * 1024;

/** The identity provider, first asked at a sign-in. Rejects only with {@link OpenIdProblem}. */
export class OpenIdProvider {
  readonly issuer: string;
  readonly #config: OpenIdConfig;
  readonly #fetch: openId.CustomFetch;
  #known: { client: Promise<openId.Configuration>; until: number } | undefined;

  constructor(issuer: string, config: OpenIdConfig) {
    this.issuer = issuer;
    this.#config = config;
    // The configured issuer is always allowed, whatever its address.
    const allowed = [...config.privateHosts, new URL(issuer).host];
    const guarded = createGuardedFetch({ allowed, timeoutMs: TIMEOUT_SECONDS * 1_000, maxBytes: MAX_BYTES });
    this.#fetch = (url, options) => guarded(url, options as RequestInit);
  }

  async authorizationUrl({ state, nonce, codeVerifier }: Attempt, redirectUri: string): Promise<string> {
    const client = await this.#discovered();
    const url = openId.buildAuthorizationUrl(client, {
      redirect_uri: redirectUri,
      scope: this.#config.openIdScopes.join(' '),
      response_type: 'code',
      code_challenge: await openId.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return url.href;
  }

  /** Identifies the returning person. @param callback the called address with its query */
  async identify(callback: URL, { state, nonce, codeVerifier }: Attempt): Promise<Identity> {
    const client = await this.#discovered();
    try {
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      };
      const tokens = await openId.authorizationCodeGrant(client, callback, checks);
      const claims = tokens.claims();
      if (!claims) throw new OpenIdProblem('openid_invalid');
      // Many providers keep names and addresses out of the token. Claims in the token take precedence.
      const more = client.serverMetadata().userinfo_endpoint
        ? await openId.fetchUserInfo(client, tokens.access_token, claims.sub)
        : {};
      return identityOf({ ...more, ...claims }, this.#config.openIdRolesClaim);
    } catch (err) {
      throw problemOf(err);
    }
  }

  #discovered(): Promise<openId.Configuration> {
    if (this.#known && performance.now() < this.#known.until) return this.#known.client;
    const client = this.#discover();
    const known = { client, until: performance.now() + KEPT_MS };
    this.#known = known;
    client.catch(() => {
      // The next one asks again.
      if (this.#known === known) this.#known = undefined;
    });
    return client;
  }

  async #discover(): Promise<openId.Configuration> {
    const { openIdClientId = '', openIdClientSecret } = this.#config;
    const issuer = new URL(this.issuer);
    try {
      return await openId.discovery(
        issuer,
        openIdClientId,
        { [openId.clockTolerance]: TOLERANCE_SECONDS },
        openIdClientSecret ? openId.ClientSecretPost(openIdClientSecret.reveal()) : openId.None(),
        {
          [openId.customFetch]: this.#fetch,
          timeout: TIMEOUT_SECONDS,
          execute: [
            // The token's signature, though it comes from the provider itself.
            openId.enableNonRepudiationChecks,
            // The operator has named an address without TLS.
            ...(issuer.protocol === 'http:' ? [openId.allowInsecureRequests] : []),
          ],
        },
      );
    } catch (err) {
      throw new OpenIdProblem('openid_unavailable', { cause: err });
    }
  }
}

/** The provider answered with an invalid response. */
const INVALID =
  /^OAUTH_(?:INVALID_RESPONSE|JWT_|JSON_ATTRIBUTE_|PARSE_ERROR|KEY_SELECTION|JWKS|UNSUPPORTED|MISSING|INVALID)/;

function problemOf(err: unknown): OpenIdProblem {
  if (err instanceof OpenIdProblem) return err;
  if (err instanceof openId.AuthorizationResponseError) return new OpenIdProblem('openid_denied', { cause: err });
  // The code was used before or is too old, or the provider does not know the client.
  if (err instanceof openId.ResponseBodyError) {
    return new OpenIdProblem(err.error === 'invalid_grant' ? 'openid_expired' : 'openid_unavailable', { cause: err });
  }
  const isInvalid = err instanceof openId.ClientError && INVALID.test(err.code ?? '');
  return new OpenIdProblem(isInvalid ? 'openid_invalid' : 'openid_unavailable', { cause: err });
}
