import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea, instant } from '../columns.ts';
import { projects } from '../schema.ts';

/** Secrets that automations refer to by name, encrypted: see secret-box.ts. */
export const projectSecrets = pgTable(
  'project_secrets',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    secret: bytea('secret').notNull(),
    keyId: text('key_id').notNull(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.name] })],
);
