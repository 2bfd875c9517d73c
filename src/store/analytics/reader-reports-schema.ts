import { bigint, bigserial, boolean, index, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { projects } from '../schema.ts';

export const FEEDBACK_SOURCES = ['code_snippet', 'contextual', 'agent', 'thumbs_only'] as const;
export type FeedbackSource = (typeof FEEDBACK_SOURCES)[number];
export const FEEDBACK_STATUSES = ['pending', 'in_progress', 'resolved', 'dismissed'] as const;
export type FeedbackStatus = (typeof FEEDBACK_STATUSES)[number];

/** The first 64 bits of a hash, as PostgreSQL's signed number: see `visitorOf` of the analytics. */
const visitor = () => bigint('visitor', { mode: 'bigint' });

/** Readers' comments about pages. Their text is never HTML, and never trusted. */
export const readerFeedback = pgTable(
  'reader_feedback',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    path: text('path').notNull(),
    source: text('source').$type<FeedbackSource>().notNull(),
    status: text('status').$type<FeedbackStatus>().notNull().default('pending'),
    helpful: boolean('helpful'),
    comment: text('comment'),
    contact: text('contact'),
    code: text('code'),
    filename: text('filename'),
    lang: text('lang'),
    /** Notes of the team; null for none. */
    notes: text('notes'),
    /** Null for readers who object to being counted, and for programs on pages. */
    visitor: visitor(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [index('reader_feedback_project').on(t.projectId, t.createdAt)],
);

/** What readers search for, and which of the results they open. */
export const readerSearches = pgTable(
  'reader_searches',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    query: text('query').notNull(),
    /** The found page that was opened; null for the search itself. */
    clickedPath: text('clicked_path'),
    visitor: visitor(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [index('reader_searches_project').on(t.projectId, t.createdAt)],
);
