import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { projects } from '../schema.ts';

/** What is deleted when it has been over for long enough, in the order in which it is. */
export const RETENTION_RULES = ['transcripts', 'job_events', 'jobs', 'audit_log', 'temporal'] as const;
export type RetentionRule = (typeof RETENTION_RULES)[number];

/** How each rule was carried out last: a row for each, written by the worker that did. */
export const retentionRuns = pgTable('retention_runs', {
  rule: text('rule').$type<RetentionRule>().primaryKey(),
  /** Days, as that worker's settings say; null forever, or as Temporal's namespace has it. */
  keepDays: integer('keep_days'),
  ranAt: instant('ran_at').notNull().defaultNow(),
  /** Jobs, or entries of the audit log: in that run, and in all. */
  removed: bigint('removed', { mode: 'number' }).notNull().default(0),
  removedInAll: bigint('removed_in_all', { mode: 'number' }).notNull().default(0),
  /** Why it could not be carried out, and what to do, in sentences; null where it was. */
  problem: text('problem'),
});

/**
 * What jobs took that are no longer kept: sums over their `model_calls`, by hour, so that the usage of a
 * project stays what it was. Written by the transaction that removes them.
 */
export const removedUsage = pgTable(
  'removed_usage',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The beginning of an hour of UTC. */
    hour: instant('hour').notNull(),
    /** Jobs whose first call of their day (UTC) was in this hour: the hours of a day add up to its jobs. */
    jobs: integer('jobs').notNull(),
    modelCalls: bigint('model_calls', { mode: 'number' }).notNull(),
    inputTokens: bigint('input_tokens', { mode: 'number' }).notNull(),
    cachedInputTokens: bigint('cached_input_tokens', { mode: 'number' }).notNull(),
    outputTokens: bigint('output_tokens', { mode: 'number' }).notNull(),
    costNanoUsd: bigint('cost_nano_usd', { mode: 'number' }).notNull(),
    unpricedCalls: bigint('unpriced_calls', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.hour] })],
);
