import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { projects } from '../schema.ts';

/** The retention rules, in the order of deletion. */
export const RETENTION_RULES = ['transcripts', 'job_events', 'jobs', 'audit_log', 'temporal'] as const;
export type RetentionRule = (typeof RETENTION_RULES)[number];

/** The last run of each rule: a row per rule, written by the worker that ran it. */
export const retentionRuns = pgTable('retention_runs', {
  rule: text('rule').$type<RetentionRule>().primaryKey(),
  /** Days, by that worker's settings; null: forever, or as in Temporal's namespace. */
  keepDays: integer('keep_days'),
  ranAt: instant('ran_at').notNull().defaultNow(),
  /** Deleted jobs or audit log entries, in that run and in total. */
  removed: bigint('removed', { mode: 'number' }).notNull().default(0),
  removedInAll: bigint('removed_in_all', { mode: 'number' }).notNull().default(0),
  /** Why the run failed, and what to do; null if it succeeded. */
  problem: text('problem'),
});

/** Hourly sums over deleted `model_calls`, in the deleting transaction, so that usage stays complete. */
export const removedUsage = pgTable(
  'removed_usage',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The beginning of an hour of UTC. */
    hour: instant('hour').notNull(),
    /** Jobs whose first call of the day (UTC) was in this hour: the hours of a day add up to its jobs. */
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
