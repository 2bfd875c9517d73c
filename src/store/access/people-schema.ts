import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytea, instant } from '../columns.ts';

/** Roles of people, the weakest first: see authorize.ts. */
export const ROLES = ['viewer', 'editor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** People who sign in with an identity provider. */
export const people = pgTable(
  'people',
  {
    id: text('id').primaryKey(),
    /** Together with `subject` the provider's identity of the person. Names and addresses change. */
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    name: text('name'),
    email: text('email'),
    role: text('role').$type<Role>().notNull(),
    /** The projects that the role is for; null means all. */
    projectIds: text('project_ids').array(),
    /** `claim`: follows the provider's claims at each sign-in. `person`: set manually here, and stays. */
    roleSetBy: text('role_set_by').$type<'claim' | 'person'>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastSeenAt: instant('last_seen_at'),
    /** Disabled people cannot sign in. */
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
    /** Fingerprint of the operator token that it depends on, see `fingerprintOf`; null for a person. */
    operatorFingerprint: bytea('operator_fingerprint'),
    /** SHA-256 of the secret in the cookie. The secret itself is stored nowhere. */
    hash: bytea('hash').notNull(),
    secretCreatedAt: instant('secret_created_at').notNull().defaultNow(),
    /** When the first request with this secret came, which proves that the browser has it. */
    secretUsedAt: instant('secret_used_at'),
    /** SHA-256 of the previous secret, for requests already in progress. */
    formerHash: bytea('former_hash'),
    /** Null while the browser has not shown that it has the new one. */
    formerValidUntil: instant('former_valid_until'),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at').notNull().defaultNow(),
    /** Independent of use. By the database's clock, like all of these. */
    expiresAt: instant('expires_at').notNull(),
    /** The client's address; null if it was not an address. */
    address: text('address'),
    /** The browser's `User-Agent`, truncated. */
    userAgent: text('user_agent'),
  },
  (t) => [
    uniqueIndex('browser_sessions_hash').on(t.hash),
    uniqueIndex('browser_sessions_former_hash').on(t.formerHash),
    index('browser_sessions_person').on(t.personId),
    index('browser_sessions_expires').on(t.expiresAt),
  ],
);

/** Links that sign a browser in once, as their creator. */
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
