import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytea, instant } from '../columns.ts';
import { apiKeys, projects, type KeyScope } from '../schema.ts';

/** Secrets that a key had before it was rotated. They grant the same access as the key until they expire. */
export const formerKeySecrets = pgTable(
  'former_key_secrets',
  {
    /** SHA-256 of the whole key, as in `api_keys`. */
    hash: bytea('hash').primaryKey(),
    keyId: text('key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    hint: text('hint').notNull(),
    createdAt: instant('created_at').notNull(),
    /** By the database's clock. */
    validUntil: instant('valid_until').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [index('former_key_secrets_key').on(t.keyId)],
);

/** Short-lived, narrow tokens of a key. Each ends with its key, and with the secret that made it. */
export const accessTokens = pgTable(
  'access_tokens',
  {
    id: text('id').primaryKey(),
    keyId: text('key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    /** The hash of the key's secret that it was made with. */
    secretHash: bytea('secret_hash').notNull(),
    /** SHA-256 of the whole token. The token itself is stored nowhere. */
    hash: bytea('hash').notNull(),
    scopes: text('scopes').array().$type<KeyScope[]>().notNull(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The one job that it opens; null for all of the project. */
    jobId: text('job_id'),
    /** The origin whose pages may use it; null for any caller. */
    origin: text('origin'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** By the database's clock. */
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    uniqueIndex('access_tokens_hash').on(t.hash),
    index('access_tokens_expires').on(t.expiresAt),
    index('access_tokens_key').on(t.keyId),
  ],
);
