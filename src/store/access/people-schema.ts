import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytea, instant } from '../columns.ts';

/** What a person may do, least first: see authorize.ts. */
export const ROLES = ['viewer', 'editor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** People who sign in with an identity provider. */
export const people = pgTable(
  'people',
  {
    id: text('id').primaryKey(),
    /** With `subject`: who it is, in the provider's words. Names and addresses change. */
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    name: text('name'),
    email: text('email'),
    role: text('role').$type<Role>().notNull(),
    /** The projects that the role is for; null means all. */
    projectIds: text('project_ids').array(),
    /**
     * `claim`: it follows what the provider says at each sign-in. `person`: someone set it here, and it
     * stays.
     */
    roleSetBy: text('role_set_by').$type<'claim' | 'person'>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastSeenAt: instant('last_seen_at'),
    /** Whoever is disabled is no one. */
    disabledAt: instant('disabled_at'),
  },
  (t) => [uniqueIndex('people_subject').on(t.issuer, t.subject)],
);

/** Browsers that are signed in. A row that is gone is signed out. */
export const browserSessions = pgTable(
  'browser_sessions',
  {
    id: text('id').primaryKey(),
    /** Null: the operator. */
    personId: text('person_id').references(() => people.id, { onDelete: 'cascade' }),
    /** Of the operator token that it rests on, see `fingerprintOf`; null for a person. */
    operatorFingerprint: bytea('operator_fingerprint'),
    /** SHA-256 of the secret in the cookie. The secret itself is stored nowhere. */
    hash: bytea('hash').notNull(),
    secretCreatedAt: instant('secret_created_at').notNull().defaultNow(),
    /** When a request came with this secret first: the browser has it. */
    secretUsedAt: instant('secret_used_at'),
    /** SHA-256 of the secret before, which requests may still have that were under way. */
    formerHash: bytea('former_hash'),
    /** Null while the browser has not shown that it has the new one. */
    formerValidUntil: instant('former_valid_until'),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at').notNull().defaultNow(),
    /** However much it is used. By the database's clock, like all of these. */
    expiresAt: instant('expires_at').notNull(),
    /** Where it was made from; null where that was no address. */
    address: text('address'),
    /** What the browser called itself, cut short. */
    userAgent: text('user_agent'),
  },
  (t) => [
    uniqueIndex('browser_sessions_hash').on(t.hash),
    uniqueIndex('browser_sessions_former_hash').on(t.formerHash),
    index('browser_sessions_person').on(t.personId),
    index('browser_sessions_expires').on(t.expiresAt),
  ],
);

/** Links that sign a browser in once, as whoever had them made. */
export const signInLinks = pgTable(
  'sign_in_links',
  {
    /** SHA-256 of the link's secret. */
    hash: bytea('hash').primaryKey(),
    /** Null: the operator. */
    personId: text('person_id').references(() => people.id, { onDelete: 'cascade' }),
    operatorFingerprint: bytea('operator_fingerprint'),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [index('sign_in_links_expires').on(t.expiresAt)],
);
