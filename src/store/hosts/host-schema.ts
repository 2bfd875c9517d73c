import { index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea, instant } from '../columns.ts';
import { codeHosts } from '../schema.ts';

/** The signature secrets of code hosts' deliveries, and whether deliveries arrive. */
export const hostHooks = pgTable('host_hooks', {
  hostId: text('host_id')
    .primaryKey()
    .references(() => codeHosts.id, { onDelete: 'cascade' }),
  /** Encrypted: see secret-box.ts. */
  secret: bytea('secret').notNull(),
  keyId: text('key_id').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  /** The last delivery with a valid signature: its time and kind. */
  receivedAt: instant('received_at'),
  receivedEvent: text('received_event'),
  /** The last one that was refused, and why, in a sentence. */
  refusedAt: instant('refused_at'),
  refusedReason: text('refused_reason'),
});

/** A repository's polling state. Each kind of host has its own form: see `pollRepository`. */
export type HostCursor = Record<string, unknown>;

/** Repositories of projects on network code hosts whose events Docent wants. */
export const hostRepositories = pgTable(
  'host_repositories',
  {
    hostId: text('host_id')
      .notNull()
      .references(() => codeHosts.id, { onDelete: 'cascade' }),
    /** The host's own id, as in `projects`. */
    repositoryId: text('repository_id').notNull(),
    /** The last delivery with the right signature. */
    deliveredAt: instant('delivered_at'),
    /** Up to where polling has written events into the inbox. */
    cursor: jsonb('cursor').$type<HostCursor>().notNull().default({}),
    polledAt: instant('polled_at'),
    /** Why the last poll failed, in a sentence; null if it did not. */
    pollProblem: text('poll_problem'),
    pollAt: instant('poll_at').notNull().defaultNow(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.hostId, t.repositoryId] }), index('host_repositories_due').on(t.pollAt)],
);
