import { sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';

/** Secrets of one kind that are encrypted with one key. */
export interface SealedSecrets {
  kind: 'model key' | 'webhook secret' | 'automation secret' | 'project secret' | 'code host webhook secret';
  keyId: string;
  count: number;
}

const SEALED = sql`
  SELECT kind, key_id AS "keyId", count(*)::int AS count FROM (
    SELECT 'model key' AS kind, key_id FROM model_keys
    UNION ALL SELECT 'webhook secret', key_id FROM webhooks
    UNION ALL SELECT 'automation secret', webhook_key_id FROM automations
    UNION ALL SELECT 'automation secret', hook_key_id FROM automations
    UNION ALL SELECT 'project secret', key_id FROM project_secrets
    UNION ALL SELECT 'code host webhook secret', key_id FROM host_hooks
  ) sealed WHERE key_id IS NOT NULL GROUP BY kind, key_id ORDER BY kind, key_id`;

/** Everything that is stored encrypted, except code hosts' credentials, without the secrets themselves. */
export async function listSealedSecrets(q: Queryable): Promise<SealedSecrets[]> {
  const { rows } = await q.execute<SealedSecrets & Record<string, unknown>>(SEALED);
  return rows;
}
