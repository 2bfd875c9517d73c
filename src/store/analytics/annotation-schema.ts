import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { projects } from '../schema.ts';

/** Events that people mark in the chart of a project's readers. */
export const annotations = pgTable(
  'annotations',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    at: instant('at').notNull(),
    text: text('text').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [index('annotations_project').on(t.projectId, t.at)],
);
