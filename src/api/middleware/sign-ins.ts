import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { faultPoint } from '../../platform/faults.ts';
import type { Logger } from '../../platform/log.ts';
import {
  createBrowserSession,
  deleteOldSignIns,
  findBrowserSession,
  type FoundSession,
  hashSecret,
  rotateSecret,
  type SessionOwner,
  touchBrowserSession,
} from '../../store/access/browser-sessions.ts';
import type { Db, Queryable } from '../../store/database.ts';
import type { Role } from '../../store/access/people-schema.ts';
import { SessionCookie } from './session-cookie.ts';

/** A browser that is signed in. */
export interface PersonPrincipal {
  kind: 'person';
  /** Null: the operator, signed in with the operator token or a link. */
  person: { id: string; name: string | null; email: string | null } | null;
  role: Role;
  /** The projects that the role is for; null for all. */
  projectIds: string[] | null;
  sessionId: string;
  sessionExpiresAt: Date;
}

/** An ended session must stop within a second, so entries are cached for half of one. */
const CACHE_MS = 500;
const CACHE_SIZE = 1_000;
const TOUCH_MS = 60_000;
const DELETE_EVERY_MS = 10 * 60_000;
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Authenticates browsers by their cookie. */
export class SignIns {
  readonly cookie: SessionCookie;
  /** SHA-256 of the operator tokens: each session of the operator depends on one of them. */
  readonly operatorTokenHashes: readonly Buffer[];
  readonly idleDays: number;
  readonly #absoluteDays: number;
  readonly #db: Db;
  readonly #log: Logger;
  readonly #known = new LRUCache<string, FoundSession>({ max: CACHE_SIZE, ttl: CACHE_MS });
  /** Hashes of the secrets whose use was recorded in the last minute. */
  readonly #touched = new LRUCache<string, true>({ max: CACHE_SIZE, ttl: TOUCH_MS });
  #deletedAt = -Infinity;

  constructor(options: {
    db: Db;
    log: Logger;
    publicUrl: () => string;
    operatorTokenHashes: readonly Buffer[];
    absoluteDays: number;
    idleDays: number;
  }) {
    this.#db = options.db;
    this.#log = options.log;
    this.cookie = new SessionCookie(options.publicUrl);
    this.operatorTokenHashes = options.operatorTokenHashes;
    this.#absoluteDays = options.absoluteDays;
    this.idleDays = options.idleDays;
  }

  /**
   * The person of the request's cookie, or null. Sometimes replaces the browser's secret.
   * @throws AppError `forbidden_origin` for changes by other sites' pages
   */
  async enter(ctx: Context): Promise<PersonPrincipal | null> {
    const secret = this.cookie.read(ctx.req);
    if (secret === null) return null;
    if (!SAFE_METHODS.has(ctx.method)) this.cookie.refuseForeign(ctx.req, { isCookieUsed: true });
    const hash = hashSecret(secret);
    const found = await this.#find(hash.toString('base64'), { hash });
    if (!found) return null;
    if (found.rotationDue) await this.#rotate(ctx, found);
    this.#touch(hash, found);
    return principalOf(found);
  }

  /** Repeats the check for a long request, which may have outlasted its secret. */
  async again({ sessionId }: PersonPrincipal): Promise<PersonPrincipal | null> {
    const found = await this.#find(sessionId, { id: sessionId });
    return found && principalOf(found);
  }

  /** Signs the browser of a request in: its answer brings a new secret. */
  async begin(
    q: Queryable,
    owner: SessionOwner,
    from: { address: string | null; userAgent: string | null },
  ): Promise<{ principal: PersonPrincipal; cookie: string }> {
    const { row, secret } = await createBrowserSession(q, owner, { ...from, absoluteDays: this.#absoluteDays });
    const found = await findBrowserSession(q, { id: row.id }, this);
    if (!found) throw new Error('A new session is not valid.');
    this.#deleteNowAndThen();
    return { principal: principalOf(found), cookie: this.cookie.set(secret, secondsUntil(row.expiresAt)) };
  }

  /** This process drops the session from its cache. */
  forget(): void {
    this.#known.clear();
  }

  async #find(id: string, by: { hash: Buffer } | { id: string }): Promise<FoundSession | null> {
    const before = this.#known.get(id);
    if (before) return before;
    // As old as the question, not as the answer.
    const start = performance.now();
    const found = await findBrowserSession(this.#db, by, this);
    if (found) this.#known.set(id, found, { start });
    return found;
  }

  async #rotate(ctx: Context, found: FoundSession): Promise<void> {
    const secret = await rotateSecret(this.#db, found);
    if (secret === null) return;
    faultPoint('session-rotated');
    ctx.append('Set-Cookie', this.cookie.set(secret, secondsUntil(found.session.expiresAt)));
  }

  /** Notes the use, at most once a minute and without making anyone wait. */
  #touch(hash: Buffer, { session }: FoundSession): void {
    const id = hash.toString('base64');
    const isNew = session.secretUsedAt === null && session.hash.equals(hash);
    if (this.#touched.has(id) || (!isNew && Date.now() - session.lastUsedAt.getTime() < TOUCH_MS)) return;
    this.#touched.set(id, true);
    touchBrowserSession(this.#db, hash).catch((err: unknown) => {
      this.#log.warn({ err, sessionId: session.id }, 'the last use of a session could not be stored');
    });
  }

  #deleteNowAndThen(): void {
    const now = performance.now();
    if (now - this.#deletedAt < DELETE_EVERY_MS) return;
    this.#deletedAt = now;
    deleteOldSignIns(this.#db, this.idleDays).catch((err: unknown) => {
      this.#log.warn({ err }, 'the deletion of old sessions failed');
    });
  }
}

function principalOf({ session, person }: FoundSession): PersonPrincipal {
  const { id: sessionId, expiresAt: sessionExpiresAt } = session;
  if (!person) {
    return { kind: 'person', person: null, role: 'admin', projectIds: null, sessionId, sessionExpiresAt };
  }
  const { id, name, email, role, projectIds } = person;
  return { kind: 'person', person: { id, name, email }, role, projectIds, sessionId, sessionExpiresAt };
}

function secondsUntil(time: Date): number {
  return (time.getTime() - Date.now()) / 1_000;
}
