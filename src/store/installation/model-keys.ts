import { asc, eq, sql } from 'drizzle-orm';
import type { StorableProvider } from '@docent/models/model-id';
import { Secret } from '../../platform/secret.ts';
import type { Encrypted, SecretBox } from '../../platform/secret-box.ts';
import type { Queryable } from '../database.ts';
import { modelKeys } from '../schema.ts';

export interface StoredModelKey {
  provider: StorableProvider;
  baseUrl: string | null;
  updatedAt: Date;
}

/** Without the keys themselves. */
export function listModelKeys(q: Queryable): Promise<StoredModelKey[]> {
  const { provider, baseUrl, updatedAt } = modelKeys;
  return q.select({ provider, baseUrl, updatedAt }).from(modelKeys).orderBy(asc(provider));
}

/** Bound to the provider and its address: a changed row cannot send the key elsewhere. */
export function encryptModelKey(
  box: SecretBox,
  provider: StorableProvider,
  baseUrl: string | null,
  key: string,
): Encrypted {
  return box.encrypt(key, purposeOf(provider, baseUrl));
}

/** Adds or replaces a provider's key. Idempotent. */
export async function putModelKey(
  q: Queryable,
  provider: StorableProvider,
  baseUrl: string | null,
  { box, keyId }: Encrypted,
): Promise<StoredModelKey> {
  const row = { baseUrl, secret: box, keyId, updatedAt: sql`clock_timestamp()` };
  const [stored] = await q
    .insert(modelKeys)
    .values({ provider, ...row })
    .onConflictDoUpdate({ target: modelKeys.provider, set: row })
    .returning();
  if (!stored) throw new Error('The key was not stored.');
  return stored;
}

/** @returns whether there was one */
export async function deleteModelKey(q: Queryable, provider: StorableProvider): Promise<boolean> {
  const gone = await q.delete(modelKeys).where(eq(modelKeys.provider, provider)).returning();
  return gone.length > 0;
}

/** A worker's access to a provider; null if no key is stored. @throws Expected `secret_key` */
export async function readModelKey(
  q: Queryable,
  box: SecretBox,
  provider: StorableProvider,
): Promise<{ apiKey: Secret; baseUrl: string | undefined } | null> {
  const [row] = await q.select().from(modelKeys).where(eq(modelKeys.provider, provider));
  if (!row) return null;
  const key = box.decrypt({ box: row.secret, keyId: row.keyId }, purposeOf(provider, row.baseUrl));
  return { apiKey: new Secret(key), baseUrl: row.baseUrl ?? undefined };
}

function purposeOf(provider: StorableProvider, baseUrl: string | null): string {
  return JSON.stringify(['model key', provider, baseUrl]);
}
