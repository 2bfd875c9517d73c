import { pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/** Tasks that one of all processes runs periodically, and the process that runs each now. */
export const periodicTasks = pgTable('periodic_tasks', {
  name: text('name').primaryKey(),
  /** An id that the process drew when it started. */
  holder: text('holder').notNull(),
  /** When it is done next. Others wait a little longer, and take it over where it was not. */
  dueAt: instant('due_at').notNull(),
});
