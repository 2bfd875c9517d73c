import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/** `maintenance`: Docent itself, which removes expired data. */
export const ACTOR_KINDS = ['operator', 'key', 'token', 'person', 'anonymous', 'maintenance'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

export const WITHOUT_ID = sql.raw(`actor_kind IN ('operator', 'anonymous', 'maintenance')`);

/** Who changed what: a row per write with names and ids. No foreign keys: subjects may be gone. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: instant('at').notNull().defaultNow(),
    actorKind: text('actor_kind').$type<ActorKind>().notNull(),
    /** Id of the key, the token or the person; null for others. */
    actorId: text('actor_id'),
    /** As it was called then: a key's name, a person's address. */
    actorName: text('actor_name'),
    /** The key that a token was made from. */
    actorKeyId: text('actor_key_id'),
    operation: text('operation').notNull(),
    projectId: text('project_id'),
    /** The other ids of the path, by name. */
    target: jsonb('target').$type<Record<string, string>>().notNull().default({}),
    createdId: text('created_id'),
    /** The names of the fields that were sent. */
    changed: text('changed').array().notNull(),
    address: text('address'),
    userAgent: text('user_agent'),
    requestId: text('request_id').notNull(),
    /** The status of the answer. Null while there is none, and forever if the process died before it. */
    status: integer('status'),
    errorCode: text('error_code'),
    /** The answer was an earlier one's, by its Idempotency-Key. */
    replayed: boolean('replayed').notNull().default(false),
  },
  (t) => [
    index('audit_log_at').on(t.at, t.id),
    index('audit_log_project').on(t.projectId, t.at, t.id),
    index('audit_log_actor').on(t.actorId, t.at, t.id),
    index('audit_log_key').on(t.actorKeyId, t.at, t.id),
    index('audit_log_operation').on(t.operation, t.at, t.id),
    // Those without an id: see audit-log.ts.
    index('audit_log_actor_kind').on(t.actorKind, t.at, t.id).where(WITHOUT_ID),
  ],
);
