import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { Db } from '../../store/database.ts';
import { hashKey, isWellFormedKey } from '../../store/access/key-format.ts';
import {
  type AccessToken,
  type Credential,
  findCredential,
  type KeyRow,
  touchSecret,
} from '../../store/access/key-secrets.ts';
import type { SignInLimit } from './sign-in-limit.ts';
import type { PersonPrincipal, SignIns } from './sign-ins.ts';

/** The caller. */
export type Principal = { kind: 'operator' } | KeyPrincipal | PersonPrincipal;

export interface KeyPrincipal {
  kind: 'key';
  /** The key, restricted to the projects and scopes of a token made from it. */
  key: KeyRow;
  /** The credential that authenticated it. */
  credential: Credential;
}

/** How long a credential may still be used, from when it was looked up. */
interface Known {
  credential: Credential;
  /** On the clock of `performance.now()`. */
  until: number;
}

/** A revoked key must stop within a second, so entries are cached for half of one. */
const CACHE_MS = 500;
const CACHE_SIZE = 1_000;
const TOUCH_MS = 60_000;

/** Authenticates callers by operator token, API key, or browser cookie. Authorization happens elsewhere. */
export class Authenticator {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #isOperatorToken: (token: string) => boolean;
  readonly #limit: SignInLimit;
  readonly #signIns: SignIns;
  readonly #keys = new LRUCache<string, Known>({ max: CACHE_SIZE, ttl: CACHE_MS });
  /** Hashes of the secrets whose use was recorded in the last minute. */
  readonly #touched = new LRUCache<string, true>({ max: CACHE_SIZE, ttl: TOUCH_MS });

  constructor(options: {
    db: Db;
    log: Logger;
    isOperatorToken: (token: string) => boolean;
    limit: SignInLimit;
    signIns: SignIns;
  }) {
    this.#db = options.db;
    this.#log = options.log;
    this.#isOperatorToken = options.isOperatorToken;
    this.#limit = options.limit;
    this.#signIns = options.signIns;
  }

  /**
   * The sender; a token wins over a cookie.
   * @param token of `Authorization: Bearer`, or null
   * @throws AppError `unauthorized`, `rate_limited`, `forbidden_origin`
   */
  async enter(ctx: Context, token: string | null, address: string | null): Promise<Principal> {
    if (token !== null) return this.authenticate(token, address);
    const person = await this.#signIns.enter(ctx);
    if (person) return person;
    // Cookies have 256 random bits, and open pages send old ones: this counts as no attempt.
    if (this.#signIns.cookie.read(ctx.req) !== null) throw signedOut();
    return this.authenticate(null, address);
  }

  /** The same again, for a request that lasts. @throws AppError as at the beginning */
  async again(
    ctx: Context,
    before: Principal | null,
    token: string | null,
    address: string | null,
  ): Promise<Principal> {
    if (before?.kind !== 'person') return this.enter(ctx, token, address);
    const person = await this.#signIns.again(before);
    if (person) return person;
    throw signedOut();
  }

  /**
   * @param token of `Authorization: Bearer`, or null
   * @param address by which failed attempts are counted
   * @throws AppError `unauthorized`, `rate_limited` after too many wrong tokens
   */
  async authenticate(token: string | null, address: string | null): Promise<Principal> {
    if (token === null) throw unauthorized('Send a key in the header "Authorization: Bearer <key>".');
    // An operator token may look like a key, so an unknown key is always compared with it.
    const isWellFormed = isWellFormedKey(token);
    const known = isWellFormed ? await this.#find(token) : null;
    if (!known) {
      if (this.#isOperatorToken(token)) return { kind: 'operator' };
      const said = isWellFormed
        ? 'This key is unknown.'
        : 'This is not a valid Docent key. It is incomplete or mistyped.';
      throw this.#limit.failed(address, unauthorized(said));
    }
    const { credential } = known;
    refuseEnded(credential, known.until <= performance.now());
    this.#touch(credential);
    const { key, token: narrow } = credential;
    return { kind: 'key', key: narrow ? narrowed(key, narrow) : key, credential };
  }

  async #find(token: string): Promise<Known | null> {
    const id = hashKey(token).toString('base64');
    const before = this.#keys.get(id);
    if (before) return before;
    // As old as the question, not as the answer.
    const start = performance.now();
    const credential = await findCredential(this.#db, token);
    if (!credential) return null;
    const known = { credential, until: credential.leftMs === null ? Infinity : start + credential.leftMs };
    this.#keys.set(id, known, { start });
    return known;
  }

  /** Notes the use of the key's secret, at most once a minute and without making anyone wait. */
  #touch({ key, former, secretHash }: Credential): void {
    const last = (former ?? key).lastUsedAt?.getTime() ?? 0;
    const id = secretHash.toString('base64');
    if (this.#touched.has(id) || Date.now() - last < TOUCH_MS) return;
    this.#touched.set(id, true);
    touchSecret(this.#db, secretHash).catch((err: unknown) => {
      this.#log.warn({ err, keyId: key.id }, 'the last use of a key could not be stored');
    });
  }
}

/** @throws AppError `unauthorized` for a revoked, expired or replaced secret */
function refuseEnded({ key, former, token }: Credential, isOver: boolean): void {
  const keyExpired = key.expiresAt !== null && key.expiresAt.getTime() <= Date.now();
  if (token) {
    if (!isOver && !key.revokedAt && !keyExpired) return;
    throw unauthorized('This token has expired or was revoked. Get a new one from its issuer.');
  }
  if (key.revokedAt) throw unauthorized('This key was revoked. Create a new one.');
  if (former && isOver) throw unauthorized('This secret was rotated and has expired. Use the new secret of the key.');
  if (keyExpired) {
    throw unauthorized(`This key expired on ${key.expiresAt?.toISOString().slice(0, 10)}. Create a new one.`);
  }
}

/**
 * The key's current access, limited to that of the token. The key may have lost the project in the meantime.
 */
function narrowed(key: KeyRow, token: AccessToken): KeyRow {
  const opens = key.projectIds === null || key.projectIds.includes(token.projectId);
  return { ...key, scopes: token.scopes, projectIds: opens ? [token.projectId] : [] };
}

function signedOut(): AppError {
  return unauthorized('Your session has ended. Sign in again.');
}

export function unauthorized(message: string): AppError {
  return new AppError('unauthorized', message);
}
