import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { and, desc, eq, gt, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm';
import { AppError } from '../../platform/errors.ts';
import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import { holdProject } from '../projects/projects.ts';
import { apiKeys } from '../schema.ts';
import { hashSecret } from './browser-sessions.ts';
import type { KeyRow } from './key-secrets.ts';

/** Of a project, expired ones included. */
const MAX_LINKS = 50;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** 32 MB and about 80 ms per attempt. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

/** The live share links of a project. Each is a key of the scope `analytics` for this project. */
const isOf = (projectId: string): SQL | undefined =>
  and(isNotNull(apiKeys.linkHash), isNull(apiKeys.revokedAt), sql`${apiKeys.projectIds} = ARRAY[${projectId}]::text[]`);

/** The stored form of a password: a new salt, and its scrypt hash. */
export async function hashPassword(password: string): Promise<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  return Buffer.concat([salt, await derived(password, salt)]);
}

/** Compares in constant time. @param stored as `hashPassword` returned it */
export async function isPassword(password: string, stored: Buffer): Promise<boolean> {
  return timingSafeEqual(await derived(password, stored.subarray(0, SALT_BYTES)), stored.subarray(SALT_BYTES));
}

function derived(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The same letters can be typed in several ways.
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, COST, (err, key) => (err ? reject(err) : resolve(key)));
  });
}

/**
 * `secret` is the link's only copy.
 * @param input.password as `hashPassword` returned it; null for none
 * @throws AppError `project_not_found`, `too_many_share_links`
 */
export async function createShareLink(
  tx: Queryable,
  input: { projectId: string; name: string; expiresAt: Date | null; password: Buffer | null },
): Promise<{ row: KeyRow; secret: string }> {
  const { projectId, name, expiresAt, password } = input;
  await holdProject(tx, projectId);
  if ((await tx.$count(apiKeys, isOf(projectId))) >= MAX_LINKS)
    throw new AppError('too_many_share_links', `The project has ${MAX_LINKS} share links. Delete one first.`);
  const secret = randomBytes(32).toString('base64url');
  const [row] = await tx
    .insert(apiKeys)
    .values({
      id: `shr_${newId()}`,
      name,
      // Of no secret: the key itself cannot be used.
      hash: randomBytes(HASH_BYTES),
      hint: '',
      scopes: ['analytics'],
      projectIds: [projectId],
      allowedAddresses: null,
      expiresAt,
      linkHash: hashSecret(secret),
      linkPassword: password,
    })
    .returning();
  if (!row) throw new Error('The inserted share link was not returned.');
  return { row, secret };
}

/** The share link of a secret; null if there is none, or if it was deleted or expired. */
export async function findShareLink(q: Queryable, secret: string): Promise<KeyRow | null> {
  const isAlive = or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`));
  const [row] = await q
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.linkHash, hashSecret(secret)), isNull(apiKeys.revokedAt), isAlive));
  return row ?? null;
}

/** Newest first. */
export function listShareLinks(q: Queryable, projectId: string): Promise<KeyRow[]> {
  return q.select().from(apiKeys).where(isOf(projectId)).orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
}

/** Ends a link with its tokens. @returns false if the project has no such link */
export async function deleteShareLink(q: Queryable, { projectId, id }: { projectId: string; id: string }) {
  const { rowCount } = await q
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(and(isOf(projectId), eq(apiKeys.id, id)));
  return rowCount === 1;
}
