import type { KeyRow } from '../../store/keys.ts';
import type { components } from '../generated/openapi.ts';

/** A key's record. Neither the key nor its hash is in it. */
export function presentKey(row: KeyRow): components['schemas']['Key'] {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: row.scopes,
    projectIds: row.projectIds,
    allowedAddresses: row.allowedAddresses,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}
