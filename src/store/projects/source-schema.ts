import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { projects } from '../schema.ts';

/** Repositories that a project's jobs can read, and never change. */
export const sources = pgTable(
  'sources',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The name for the agent and in citations. */
    name: text('name').notNull(),
    /** As in `projects`: the code host, where the repository was last, and the host's own id of it. */
    host: text('host').notNull(),
    repository: text('repository').notNull(),
    repositoryId: text('repository_id'),
    ref: text('ref').notNull(),
    /** Readable folders and files; empty for the whole repository. */
    paths: text('paths').array().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.name] })],
);
