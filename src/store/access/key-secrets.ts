import { and, desc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { AppError } from '../../platform/errors.ts';
import { accessTokens, formerKeySecrets } from './access-schema.ts';
import type { Queryable } from '../database.ts';
import { generateKey, hashKey, hintOf, looksLikeToken } from './key-format.ts';
import { apiKeys } from '../schema.ts';

export type KeyRow = typeof apiKeys.$inferSelect;
export type FormerSecret = typeof formerKeySecrets.$inferSelect;
export type AccessToken = typeof accessTokens.$inferSelect;

/** How long a replaced secret is remembered, so that its users get a clear error. */
const REMEMBERED = sql`interval '30 days'`;

/** The key or token of a secret. Also finds revoked and expired ones. */
export interface Credential {
  key: KeyRow;
  /** The hash of the key's secret that was sent, or that the token was made with. */
  secretHash: Buffer;
  /** Null if it is the secret that the key has now. */
  former: FormerSecret | null;
  /** Null if it is a key. */
  token: AccessToken | null;
  /** Milliseconds left by the database's clock, whatever the key's end; null: no such limit. */
  leftMs: number | null;
}

/** Finds what a key or token is. Null for one that is unknown. */
export async function findCredential(q: Queryable, text: string): Promise<Credential | null> {
  const hash = hashKey(text);
  if (!looksLikeToken(text)) return (await findSecret(q, hash)) ?? (await findToken(q, hash));
  return (await findToken(q, hash)) ?? (await findSecret(q, hash));
}

async function findSecret(q: Queryable, hash: Buffer): Promise<Credential | null> {
  const [key] = await q.select().from(apiKeys).where(eq(apiKeys.hash, hash));
  if (key) return { key, secretHash: hash, former: null, token: null, leftMs: null };
  const [found] = await q
    .select({ key: apiKeys, former: formerKeySecrets, leftMs: millisecondsUntil(formerKeySecrets.validUntil) })
    .from(formerKeySecrets)
    .innerJoin(apiKeys, eq(apiKeys.id, formerKeySecrets.keyId))
    .where(eq(formerKeySecrets.hash, hash));
  return found ? { ...found, secretHash: hash, token: null } : null;
}

async function findToken(q: Queryable, hash: Buffer): Promise<Credential | null> {
  const [found] = await q
    .select({
      key: apiKeys,
      token: accessTokens,
      former: formerKeySecrets,
      // Null for a secret that is neither the key's own nor remembered.
      leftMs: sql<number>`CASE WHEN ${accessTokens.secretHash} = ${apiKeys.hash} THEN ${millisecondsUntil(accessTokens.expiresAt)}
        ELSE LEAST(${millisecondsUntil(accessTokens.expiresAt)}, COALESCE(${millisecondsUntil(formerKeySecrets.validUntil)}, 0)) END`,
    })
    .from(accessTokens)
    .innerJoin(apiKeys, eq(apiKeys.id, accessTokens.keyId))
    .leftJoin(formerKeySecrets, eq(formerKeySecrets.hash, accessTokens.secretHash))
    .where(eq(accessTokens.hash, hash));
  return found ? { ...found, secretHash: found.token.secretHash } : null;
}

const millisecondsUntil = (column: typeof formerKeySecrets.validUntil | typeof accessTokens.expiresAt) =>
  sql<number>`(extract(epoch FROM ${column} - clock_timestamp()) * 1000)::float8`;

/**
 * Gives the key a new secret. Its two previous ones stay valid for `overlapSeconds` more, but no longer than
 * before. The new secret lives as long as the previous one was given. `key` is returned only here.
 * @throws AppError `key_not_found`, `key_revoked` (409)
 */
export async function rotateKey(
  tx: Queryable,
  id: string,
  { overlapSeconds, prefix }: { overlapSeconds: number; prefix: string },
): Promise<{ row: KeyRow; key: string }> {
  const [before] = await tx.select().from(apiKeys).where(eq(apiKeys.id, id)).for('update');
  if (!before) throw keyNotFound(id);
  if (before.revokedAt) throw keyRevoked(id);
  const end = sql`now() + make_interval(secs => ${overlapSeconds})`;
  await tx
    .delete(formerKeySecrets)
    .where(and(eq(formerKeySecrets.keyId, id), lt(formerKeySecrets.validUntil, sql`now() - ${REMEMBERED}`)));
  await tx
    .update(formerKeySecrets)
    .set({ validUntil: sql`LEAST(${formerKeySecrets.validUntil}, ${end})` })
    .where(eq(formerKeySecrets.keyId, id));
  const { hash, hint, createdAt, secretCreatedAt, expiresAt, lastUsedAt } = before;
  await tx.insert(formerKeySecrets).values({
    hash,
    keyId: id,
    hint,
    createdAt: secretCreatedAt ?? createdAt,
    validUntil: sql`LEAST(${end}, ${expiresAt?.toISOString() ?? null}::timestamptz)`,
    lastUsedAt,
  });
  const key = generateKey(prefix);
  const given = sql`${apiKeys.expiresAt} - COALESCE(${apiKeys.secretCreatedAt}, ${apiKeys.createdAt})`;
  const [row] = await tx
    .update(apiKeys)
    .set({
      hash: hashKey(key),
      hint: hintOf(key),
      secretCreatedAt: sql`now()`,
      lastUsedAt: null,
      expiresAt: sql`now() + (${given})`,
    })
    .where(eq(apiKeys.id, id))
    .returning();
  if (!row) throw new Error('The rotated key was not returned.');
  return { row, key };
}

/** The secrets that keys had before, newest first. */
export async function formerSecretsOf(q: Queryable, keyIds: readonly string[]): Promise<FormerSecret[]> {
  if (keyIds.length === 0) return [];
  return q
    .select()
    .from(formerKeySecrets)
    .where(inArray(formerKeySecrets.keyId, [...keyIds]))
    .orderBy(desc(formerKeySecrets.createdAt), desc(formerKeySecrets.validUntil));
}

/** Notes the secret's use, at most once a minute. */
export async function touchSecret(q: Queryable, hash: Buffer): Promise<void> {
  const old = sql`now() - interval '1 minute'`;
  const set = { lastUsedAt: sql`now()` };
  const { rowCount } = await q
    .update(formerKeySecrets)
    .set(set)
    .where(
      and(
        eq(formerKeySecrets.hash, hash),
        or(isNull(formerKeySecrets.lastUsedAt), lt(formerKeySecrets.lastUsedAt, old)),
      ),
    );
  if (rowCount) return;
  await q
    .update(apiKeys)
    .set(set)
    .where(and(eq(apiKeys.hash, hash), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, old))));
}

export function keyNotFound(id: string): AppError {
  return new AppError('key_not_found', `Key ${id} does not exist.`);
}

export function keyRevoked(id: string): AppError {
  return new AppError('key_revoked', `The key ${id} is permanently revoked. Create a new one.`);
}
