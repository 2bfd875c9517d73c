import { LRUCache } from 'lru-cache';
import { AppError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { Db } from '../../store/database.ts';
import { hashKey, isWellFormedKey } from '../../store/key-format.ts';
import { findKeyByHash, touchKey, type KeyRow } from '../../store/keys.ts';
import type { SignInLimit } from './sign-in-limit.ts';

/** Who calls. */
export type Principal = { kind: 'operator' } | { kind: 'key'; key: KeyRow };

/** A revoked key must stop within a second: what is remembered lives half of it. */
const CACHE_MS = 500;
const CACHE_SIZE = 1_000;
const TOUCH_MS = 60_000;

/** Finds out who calls by the token. Knows operator tokens and API keys; what a caller may do is decided elsewhere. */
export class Authenticator {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #isOperatorToken: (token: string) => boolean;
  readonly #limit: SignInLimit;
  readonly #keys = new LRUCache<string, KeyRow>({ max: CACHE_SIZE, ttl: CACHE_MS });
  /** The ids of keys whose use was noted in the last minute. */
  readonly #touched = new LRUCache<string, true>({ max: CACHE_SIZE, ttl: TOUCH_MS });

  constructor(options: { db: Db; log: Logger; isOperatorToken: (token: string) => boolean; limit: SignInLimit }) {
    this.#db = options.db;
    this.#log = options.log;
    this.#isOperatorToken = options.isOperatorToken;
    this.#limit = options.limit;
  }

  /**
   * @param token of the Authorization header, null where there is none of the form `Bearer <token>`
   * @param address where the request comes from: attempts that fail are counted by it
   * @throws AppError `unauthorized`, `rate_limited` for one wrong token too many
   */
  async authenticate(token: string | null, address: string | null): Promise<Principal> {
    if (token === null) throw unauthorized('Send a key in the header "Authorization: Bearer <key>".');
    // A token of the operator's may look like a key, so what is no known key is compared with it in any case.
    const isWellFormed = isWellFormedKey(token);
    const key = isWellFormed ? await this.#find(token) : null;
    if (!key) {
      if (this.#isOperatorToken(token)) return { kind: 'operator' };
      const said = isWellFormed ? 'This key is unknown.' : 'This is no key of Docent: it is incomplete or mistyped.';
      throw this.#limit.failed(address, unauthorized(said));
    }
    if (key.revokedAt) throw unauthorized('This key was revoked. Create another one.');
    if (key.expiresAt && key.expiresAt.getTime() <= Date.now()) {
      throw unauthorized(`This key expired on ${key.expiresAt.toISOString().slice(0, 10)}. Create another one.`);
    }
    this.#touch(key);
    return { kind: 'key', key };
  }

  async #find(token: string): Promise<KeyRow | null> {
    const hash = hashKey(token);
    const id = hash.toString('base64');
    const known = this.#keys.get(id);
    if (known) return known;
    // As old as the question, not as the answer.
    const start = performance.now();
    const key = await findKeyByHash(this.#db, hash);
    if (key) this.#keys.set(id, key, { start });
    return key;
  }

  /** Notes the key's use, at most once a minute and without making anybody wait. */
  #touch(key: KeyRow): void {
    const last = key.lastUsedAt?.getTime() ?? 0;
    if (this.#touched.has(key.id) || Date.now() - last < TOUCH_MS) return;
    this.#touched.set(key.id, true);
    touchKey(this.#db, key.id).catch((err: unknown) => {
      this.#log.warn({ err, keyId: key.id }, 'the time of a key’s last use could not be stored');
    });
  }
}

export function unauthorized(message: string): AppError {
  return new AppError('unauthorized', message);
}
