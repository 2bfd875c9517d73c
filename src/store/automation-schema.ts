import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytea, instant } from './columns.ts';
import type { JobMetadata, JobOptions } from './job-options.ts';
import { projects } from './schema.ts';
import type { WebhookEvent } from './webhook-events.ts';

/** What its jobs are created with. `branch` is a pattern: see branchOfRun of automations.ts. */
export type AutomationOptions = Omit<JobOptions, 'attachments' | 'webhook'>;

/** A prompt that is kept, with what its jobs are created with: whoever triggers it creates one. */
export const automations = pgTable(
  'automations',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The client's own, or a new one: unique in its project. */
    id: text('id').notNull(),
    name: text('name').notNull(),
    prompt: text('prompt').notNull(),
    options: jsonb('options').$type<AutomationOptions>().notNull().default({}),
    /** Null: that of the project, whenever a job is created. */
    model: text('model'),
    metadata: jsonb('metadata').$type<JobMetadata>().notNull().default({}),
    /** Who is told of each of its jobs alone; null where nobody is. */
    webhook: jsonb('webhook').$type<{ url: string; events: WebhookEvent[] }>(),
    /** The secret of that webhook, encrypted: see secret-box.ts. Null where there is none. */
    webhookSecret: bytea('webhook_secret'),
    webhookKeyId: text('webhook_key_id'),
    enabled: boolean('enabled').notNull().default(true),
    /** How often it was triggered: the number of its last run. */
    runs: integer('runs').notNull().default(0),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When somebody last changed it; runs do not. */
    updatedAt: instant('updated_at').notNull().defaultNow(),
    lastTriggeredAt: instant('last_triggered_at'),
    /** The job of its last run, which may be gone. */
    lastJobId: text('last_job_id'),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    uniqueIndex('automations_name').on(t.projectId, sql`lower(${t.name})`),
    index('automations_of_project').on(t.projectId, t.createdAt, t.id),
  ],
);
