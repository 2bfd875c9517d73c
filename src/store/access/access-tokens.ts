import { eq, lt, sql } from 'drizzle-orm';
import { accessTokens } from './access-schema.ts';
import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import { generateToken, hashKey } from './key-format.ts';
import type { AccessToken, Credential } from './key-secrets.ts';
import { holdProject } from '../projects/projects.ts';
import { apiKeys, type KeyScope } from '../schema.ts';

export interface NewToken {
  scopes: KeyScope[];
  projectId: string;
  jobId: string | null;
  origin: string | null;
  expiresInSeconds: number;
  prefix: string;
}

/** How long an expired token is remembered, so that its users get a clear error. */
const REMEMBERED = sql`interval '1 day'`;

/**
 * `text` is the token's only copy. It expires, at the latest with the key's secret that made it.
 * @throws AppError `project_not_found`
 */
export async function createToken(
  tx: Queryable,
  { key, secretHash, former }: Pick<Credential, 'key' | 'secretHash' | 'former'>,
  input: NewToken,
): Promise<{ row: AccessToken; text: string }> {
  await holdProject(tx, input.projectId);
  const text = generateToken(input.prefix);
  const { scopes, projectId, jobId, origin } = input;
  const keyEnds = tx.select({ at: apiKeys.expiresAt }).from(apiKeys).where(eq(apiKeys.id, key.id));
  const [row] = await tx
    .insert(accessTokens)
    .values({
      id: `tok_${newId()}`,
      keyId: key.id,
      secretHash,
      hash: hashKey(text),
      scopes,
      projectId,
      jobId,
      origin,
      expiresAt: sql`LEAST(now() + make_interval(secs => ${input.expiresInSeconds}), (${keyEnds}), ${former?.validUntil.toISOString() ?? null}::timestamptz)`,
    })
    .returning();
  if (!row) throw new Error('The inserted token was not returned.');
  return { row, text };
}

/** Deletes tokens that expired more than a day ago. Returns how many. */
export async function deleteOldTokens(q: Queryable): Promise<number> {
  const { rowCount } = await q.delete(accessTokens).where(lt(accessTokens.expiresAt, sql`now() - ${REMEMBERED}`));
  return rowCount ?? 0;
}
