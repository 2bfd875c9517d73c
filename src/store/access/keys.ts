import { and, desc, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import { generateKey, hashKey, hintOf } from './key-format.ts';
import { keyNotFound, keyRevoked, type KeyRow } from './key-secrets.ts';
import { holdProject } from '../projects/projects.ts';
import { apiKeys, type KeyScope } from '../schema.ts';

export type { KeyRow } from './key-secrets.ts';

export interface NewKey {
  name: string;
  scopes: KeyScope[];
  /** The projects that the key opens; null for all. */
  projectIds: string[] | null;
  /** Canonical addresses or CIDR ranges; null for any. */
  allowedAddresses: string[] | null;
  /** Null for never. */
  expiresAt: Date | null;
  prefix: string;
}

/** `key` is the key's only copy; its hash is stored. @throws AppError `project_not_found` */
export async function createKey(tx: Queryable, input: NewKey): Promise<{ row: KeyRow; key: string }> {
  // In a fixed order, so that two requests cannot deadlock.
  for (const id of (input.projectIds ?? []).toSorted()) await holdProject(tx, id);
  const key = generateKey(input.prefix);
  const [row] = await tx
    .insert(apiKeys)
    .values({
      id: `key_${newId()}`,
      name: input.name,
      hash: hashKey(key),
      hint: hintOf(key),
      scopes: input.scopes,
      projectIds: input.projectIds,
      allowedAddresses: input.allowedAddresses,
      expiresAt: input.expiresAt,
    })
    .returning();
  if (!row) throw new Error('The inserted key was not returned.');
  return { row, key };
}

/** Share links are keys that only share-links.ts handles. */
const isKey = (id: string) => and(eq(apiKeys.id, id), isNull(apiKeys.linkHash));

/** @throws AppError `key_not_found` */
export async function findKey(q: Queryable, id: string): Promise<KeyRow> {
  const [row] = await q.select().from(apiKeys).where(isKey(id));
  if (!row) throw keyNotFound(id);
  return row;
}

/**
 * @param check gets the locked key before the change, and throws to prevent it
 * @throws AppError `key_not_found`, `key_revoked` (409)
 */
export async function updateKey(
  tx: Queryable,
  id: string,
  set: Partial<Pick<KeyRow, 'name' | 'allowedAddresses' | 'expiresAt'>>,
  check: (current: KeyRow) => Promise<void> = async () => {},
): Promise<KeyRow> {
  const [current] = await tx.select().from(apiKeys).where(isKey(id)).for('update');
  if (!current) throw keyNotFound(id);
  await check(current);
  if (current.revokedAt) throw keyRevoked(id);
  const isChange = Object.values(set).some((value) => value !== undefined);
  if (!isChange) return current;
  const [row] = await tx.update(apiKeys).set(set).where(eq(apiKeys.id, id)).returning();
  if (!row) throw keyNotFound(id);
  return row;
}

/** Newest first, after the row `before`. `projectId`: keys with access to it; `within`: only to these. */
export function listKeys(
  q: Queryable,
  filter: {
    projectId?: string;
    within?: readonly string[] | null;
    limit: number;
    before?: { createdAt: Date; id: string };
  },
): Promise<KeyRow[]> {
  const { projectId, within = null, before } = filter;
  return q
    .select()
    .from(apiKeys)
    .where(
      and(
        isNull(apiKeys.linkHash),
        within === null
          ? undefined
          : sql`${apiKeys.projectIds} <@ ${sql.param([...within])}::text[] AND cardinality(${apiKeys.projectIds}) > 0`,
        projectId === undefined
          ? undefined
          : or(isNull(apiKeys.projectIds), sql`${projectId} = ANY(${apiKeys.projectIds})`),
        before &&
          or(
            lt(apiKeys.createdAt, before.createdAt),
            and(eq(apiKeys.createdAt, before.createdAt), lt(apiKeys.id, before.id)),
          ),
      ),
    )
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .limit(filter.limit);
}

/**
 * Revokes a key permanently; a repeat keeps the first time.
 * @param check gets the locked key, and throws to prevent it
 * @throws AppError `key_not_found`
 */
export async function revokeKey(tx: Queryable, id: string, check: (current: KeyRow) => Promise<void>): Promise<KeyRow> {
  const [current] = await tx.select().from(apiKeys).where(isKey(id)).for('update');
  if (!current) throw keyNotFound(id);
  await check(current);
  const [row] = await tx
    .update(apiKeys)
    .set({ revokedAt: sql`COALESCE(${apiKeys.revokedAt}, now())` })
    .where(eq(apiKeys.id, id))
    .returning();
  if (!row) throw keyNotFound(id);
  return row;
}
