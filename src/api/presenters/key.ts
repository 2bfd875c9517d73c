import type { AccessToken, FormerSecret } from '../../store/access/key-secrets.ts';
import type { KeyRow } from '../../store/access/keys.ts';
import type { components } from '@docent/client';

/** A key without its secret and hash. @param former earlier secrets of keys, including this one's */
export function presentKey(row: KeyRow, former: readonly FormerSecret[] = []): components['schemas']['Key'] {
  const before = former.filter(({ keyId }) => keyId === row.id);
  const uses = [row, ...before]
    .flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
    .toSorted((a, b) => a.getTime() - b.getTime());
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: row.scopes,
    projectIds: row.projectIds,
    allowedAddresses: row.allowedAddresses,
    createdAt: row.createdAt.toISOString(),
    expiresAt: textOf(row.expiresAt),
    revokedAt: textOf(row.revokedAt),
    lastUsedAt: textOf(uses.at(-1) ?? null),
    secrets: [{ ...row, createdAt: row.secretCreatedAt ?? row.createdAt, validUntil: row.expiresAt }, ...before].map(
      ({ hint, createdAt, validUntil, lastUsedAt }) => ({
        hint,
        createdAt: createdAt.toISOString(),
        validUntil: textOf(validUntil),
        lastUsedAt: textOf(lastUsedAt),
      }),
    ),
  };
}

/** A token's record, without the token. */
export function presentToken(row: AccessToken): components['schemas']['Token'] {
  return {
    id: row.id,
    scopes: row.scopes,
    projectId: row.projectId,
    jobId: row.jobId,
    origin: row.origin,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}

const textOf = (time: Date | null) => time?.toISOString() ?? null;
