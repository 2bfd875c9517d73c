import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { jobs } from '../schema.ts';

/** Web pages that a job has read, as Markdown: hostile. */
export const webPages = pgTable(
  'web_pages',
  {
    jobId: text('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    /** The address as the agent wrote it, and after redirects. */
    asked: text('asked').notNull(),
    url: text('url').notNull(),
    text: text('text').notNull(),
    readAt: instant('read_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.jobId, t.asked] })],
);
