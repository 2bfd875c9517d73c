import { boolean, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
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
    /** A new tag of a repository, which Docent marks itself. */
    isRelease: boolean('is_release').notNull().default(false),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [index('annotations_project').on(t.projectId, t.at)],
);

/** The tags of a project's repositories that were seen: those of the first poll are not releases of today. */
export const seenTags = pgTable(
  'seen_tags',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The name of a source; `.` for the project's own repository. */
    name: text('name').notNull(),
    /** Another repository begins again. */
    repository: text('repository').notNull(),
    tags: text('tags').array().notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.name] })],
);
