import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { projects } from '../schema.ts';

export const MAIL_STATES = ['waiting', 'sending', 'sent', 'failed'] as const;
type MailState = (typeof MAIL_STATES)[number];

/**
 * Reports and alerts, one row for each recipient. The row without a recipient, `''`, is written with the
 * others and says that the message was made: there is none twice.
 */
export const analyticsMessages = pgTable(
  'analytics_messages',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** `report week`, `report month`, `alert human`, `alert ai`. */
    kind: text('kind').notNull(),
    /** The first day of the period, such as 2026-11-16. */
    period: text('period').notNull(),
    /** An e-mail address; `''` for the message itself. */
    recipient: text('recipient').notNull(),
    subject: text('subject'),
    /** Null once it was sent. */
    body: text('body'),
    state: text('state').$type<MailState>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Attempts whose end is unknown: the process died. One is repeated. */
    unknownAttempts: integer('unknown_attempts').notNull().default(0),
    /** Of the next attempt, or when the current one is given up. */
    dueAt: instant('due_at').notNull().defaultNow(),
    problem: text('problem'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.kind, t.period, t.recipient] }),
    index('analytics_messages_due')
      .on(t.dueAt)
      .where(sql`state IN ('waiting', 'sending')`),
    index('analytics_messages_created').on(t.createdAt),
  ],
);
