import { createHash, createHmac, randomBytes } from 'node:crypto';
import { and, desc, eq, gt, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import { browserSessions, people, signInLinks } from './people-schema.ts';

export type PersonRow = typeof people.$inferSelect;
export type BrowserSessionRow = typeof browserSessions.$inferSelect;

/** A signed-in browser and its owner; a null `person` is the operator. */
export interface BrowserSession {
  session: BrowserSessionRow;
  person: PersonRow | null;
}

/** A person's id, or the SHA-256 of the operator token that the session depends on. */
export type SessionOwner = { personId: string } | { operatorTokenHash: Buffer };

/** How old a secret gets before it is replaced. */
const ROTATED_AFTER = sql`interval '1 day'`;
/** How long the old secret works after the new one arrived: other tabs' requests are in flight. */
const OVERLAP = sql`interval '5 minutes'`;
/** The answer with the new secret was lost if the browser does not use it within this time. */
const LOST_AFTER = sql`interval '1 minute'`;
const USER_AGENT_LENGTH = 200;

/** The stored form of a secret. It has 256 random bits, so one fast hash is enough. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Identifies the operator token. Differs in each row, so that rows do not reveal the token's hash. */
function fingerprintOf(operatorTokenHash: Buffer, id: Buffer | string): Buffer {
  return createHmac('sha256', operatorTokenHash).update(id).digest();
}

/** Whether the operator's row depends on one of these tokens. */
function restsOn(
  fingerprint: Buffer | null,
  id: Buffer | string,
  operatorTokenHashes: readonly Buffer[],
): Buffer | null {
  return operatorTokenHashes.find((hash) => fingerprint?.equals(fingerprintOf(hash, id))) ?? null;
}

/** Signs a browser in with a new secret; its previous one becomes invalid. `secret` is returned only here. */
export async function createBrowserSession(
  q: Queryable,
  owner: SessionOwner,
  input: { absoluteDays: number; address: string | null; userAgent: string | null },
): Promise<{ row: BrowserSessionRow; secret: string }> {
  const secret = newSecret();
  const id = `sin_${newId()}`;
  const [row] = await q
    .insert(browserSessions)
    .values({
      id,
      ...('personId' in owner
        ? { personId: owner.personId }
        : { operatorFingerprint: fingerprintOf(owner.operatorTokenHash, id) }),
      hash: hashSecret(secret),
      // The browser that signs in waits for the answer: a request with the secret is not needed to know that
      // it came.
      expiresAt: sql`now() + make_interval(days => ${input.absoluteDays})`,
      address: input.address,
      userAgent: input.userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
    })
    .returning();
  if (!row) throw new Error('The inserted session was not returned.');
  return { row, secret };
}

/** The conditions for a valid session. */
function isAlive(idleDays: number): SQL | undefined {
  return and(
    gt(browserSessions.expiresAt, sql`clock_timestamp()`),
    gt(browserSessions.lastUsedAt, sql`clock_timestamp() - make_interval(days => ${idleDays})`),
    or(isNull(browserSessions.personId), isNull(people.disabledAt)),
  );
}

/** The session of a cookie's secret. */
export interface FoundSession extends BrowserSession {
  /** Whether the answer should give the browser a new secret. */
  rotationDue: boolean;
  /** Whether the request had the session's current secret. */
  isCurrent: boolean;
}

/** Finds a session by its current or former secret. Null if it ended or its person may not sign in. */
export async function findBrowserSession(
  q: Queryable,
  by: { hash: Buffer } | { id: string },
  { idleDays, operatorTokenHashes }: { idleDays: number; operatorTokenHashes: readonly Buffer[] },
): Promise<FoundSession | null> {
  const isCurrent = 'hash' in by ? eq(browserSessions.hash, by.hash) : undefined;
  const isMeant =
    'hash' in by
      ? or(
          isCurrent,
          and(
            eq(browserSessions.formerHash, by.hash),
            or(isNull(browserSessions.formerValidUntil), gt(browserSessions.formerValidUntil, sql`clock_timestamp()`)),
          ),
        )
      : eq(browserSessions.id, by.id);
  const [found] = await q
    .select({
      session: browserSessions,
      person: people,
      isCurrent: sql<boolean>`${isCurrent ?? sql`true`}`,
      rotationDue: sql<boolean>`CASE WHEN ${isCurrent ?? sql`true`}
        THEN ${browserSessions.secretCreatedAt} < now() - ${ROTATED_AFTER}
        ELSE ${browserSessions.formerValidUntil} IS NULL AND ${browserSessions.secretCreatedAt} < now() - ${LOST_AFTER} END`,
    })
    .from(browserSessions)
    .leftJoin(people, eq(people.id, browserSessions.personId))
    .where(and(isMeant, isAlive(idleDays)));
  if (!found) return null;
  const { session } = found;
  if (session.personId === null && !restsOn(session.operatorFingerprint, session.id, operatorTokenHashes)) return null;
  return found;
}

/**
 * Replaces a session's secret; of concurrent requests, one succeeds. The old one works until the new one was
 * used, and some minutes more.
 * @returns the only copy of the new secret; null if another request was first
 */
export async function rotateSecret(q: Queryable, seen: FoundSession): Promise<string | null> {
  const secret = newSecret();
  const { id, hash } = seen.session;
  const { rowCount } = await q
    .update(browserSessions)
    .set({
      hash: hashSecret(secret),
      secretCreatedAt: sql`now()`,
      secretUsedAt: null,
      // A secret that never arrived need not stay valid: the browser has the previous one.
      ...(seen.isCurrent ? { formerHash: hash, formerValidUntil: null } : {}),
      lastUsedAt: sql`now()`,
    })
    .where(and(eq(browserSessions.id, id), eq(browserSessions.hash, hash)));
  return rowCount ? secret : null;
}

/** Notes the session's use and that its newest secret arrived, at most once a minute. */
export async function touchBrowserSession(q: Queryable, hash: Buffer): Promise<void> {
  const old = sql`now() - interval '1 minute'`;
  await q
    .update(browserSessions)
    .set({
      lastUsedAt: sql`now()`,
      secretUsedAt: sql`COALESCE(${browserSessions.secretUsedAt}, now())`,
      formerValidUntil: sql`CASE WHEN ${browserSessions.formerHash} IS NULL THEN NULL
        ELSE COALESCE(${browserSessions.formerValidUntil}, now() + ${OVERLAP}) END`,
    })
    .where(
      and(
        eq(browserSessions.hash, hash),
        or(isNull(browserSessions.secretUsedAt), lt(browserSessions.lastUsedAt, old)),
      ),
    );
  await q
    .update(browserSessions)
    .set({ lastUsedAt: sql`now()` })
    .where(and(eq(browserSessions.formerHash, hash), lt(browserSessions.lastUsedAt, old)));
}

/** The sessions of a person, or of the operator. */
function isOf(personId: string | null): SQL {
  return personId === null ? isNull(browserSessions.personId) : eq(browserSessions.personId, personId);
}

function isLinkOf(personId: string | null): SQL {
  return personId === null ? isNull(signInLinks.personId) : eq(signInLinks.personId, personId);
}

/** Sessions that are alive, newest use first, 100 at most. */
export async function listBrowserSessions(
  q: Queryable,
  personId: string | null,
  { idleDays, operatorTokenHashes }: { idleDays: number; operatorTokenHashes: readonly Buffer[] },
): Promise<BrowserSessionRow[]> {
  const rows = await q
    .select({ session: browserSessions })
    .from(browserSessions)
    .leftJoin(people, eq(people.id, browserSessions.personId))
    .where(and(isOf(personId), isAlive(idleDays)))
    .orderBy(desc(browserSessions.lastUsedAt), desc(browserSessions.id))
    .limit(100);
  return rows
    .map(({ session }) => session)
    .filter((row) => row.personId !== null || restsOn(row.operatorFingerprint, row.id, operatorTokenHashes));
}

/** Ends one session, or all of its owner, with their links. Idempotent. Returns how many ended. */
export async function endBrowserSessions(
  q: Queryable,
  which: { personId: string | null; id?: string },
): Promise<number> {
  // Before the sessions: one that a link is opening now has begun when its link is gone.
  if (which.id === undefined) await q.delete(signInLinks).where(isLinkOf(which.personId));
  const { rowCount } = await q
    .delete(browserSessions)
    .where(and(isOf(which.personId), which.id === undefined ? undefined : eq(browserSessions.id, which.id)));
  return rowCount ?? 0;
}

/** Creates a link that signs a browser in once, as the link's creator. `secret` is returned only here. */
export async function createSignInLink(
  q: Queryable,
  owner: SessionOwner,
  minutes: number,
): Promise<{ secret: string; expiresAt: Date }> {
  const secret = newSecret();
  const hash = hashSecret(secret);
  const [row] = await q
    .insert(signInLinks)
    .values({
      hash,
      ...('personId' in owner
        ? { personId: owner.personId }
        : { operatorFingerprint: fingerprintOf(owner.operatorTokenHash, hash) }),
      expiresAt: sql`now() + make_interval(mins => ${minutes})`,
    })
    .returning();
  if (!row) throw new Error('The inserted link was not returned.');
  return { secret, expiresAt: row.expiresAt };
}

/**
 * Takes a link; of concurrent requests, one succeeds.
 * @returns its owner; null if it is unknown, used, expired, or of a former operator token
 */
export async function useSignInLink(
  tx: Queryable,
  secret: string,
  operatorTokenHashes: readonly Buffer[],
): Promise<SessionOwner | null> {
  const hash = hashSecret(secret);
  const isMeant = eq(signInLinks.hash, hash);
  const [link] = await tx.select({ personId: signInLinks.personId }).from(signInLinks).where(isMeant);
  if (link?.personId) {
    // Locked until the session exists, so that disabling the person ends it.
    const isOwner = eq(people.id, link.personId);
    const [person] = await tx.select({ disabledAt: people.disabledAt }).from(people).where(isOwner).for('share');
    if (!person || person.disabledAt !== null) return null;
  }
  const [row] = await tx
    .update(signInLinks)
    .set({ usedAt: sql`now()` })
    .where(and(isMeant, isNull(signInLinks.usedAt), gt(signInLinks.expiresAt, sql`clock_timestamp()`)))
    .returning();
  if (!row) return null;
  if (row.personId !== null) return { personId: row.personId };
  const operatorTokenHash = restsOn(row.operatorFingerprint, hash, operatorTokenHashes);
  return operatorTokenHash && { operatorTokenHash };
}

/** Deletes sessions and links that are no longer valid. */
export async function deleteOldSignIns(q: Queryable, idleDays: number): Promise<void> {
  await q
    .delete(browserSessions)
    .where(
      or(
        lt(browserSessions.expiresAt, sql`now()`),
        lt(browserSessions.lastUsedAt, sql`now() - make_interval(days => ${idleDays})`),
      ),
    );
  await q.delete(signInLinks).where(lt(signInLinks.expiresAt, sql`now() - interval '1 day'`));
}
