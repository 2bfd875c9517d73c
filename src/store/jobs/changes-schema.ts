import { boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { jobs } from '../schema.ts';

/** The change in a job's overlay, as of the last step or check. The API shows it without using git. */
export const pendingDiffs = pgTable('pending_diffs', {
  jobId: text('job_id')
    .primaryKey()
    .references(() => jobs.id, { onDelete: 'cascade' }),
  turnNo: integer('turn_no').notNull(),
  stepNo: integer('step_no').notNull(),
  /** The commit below the overlay. */
  baseCommit: text('base_commit').notNull(),
  /** Unified, as `git apply` takes it; limited in length. */
  diff: text('diff').notNull(),
  /** Whether parts are cut for its length, or withheld because of an apparent secret. */
  isCut: boolean('is_cut').notNull(),
  files: integer('files').notNull(),
  additions: integer('additions').notNull(),
  deletions: integer('deletions').notNull(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
});

/**
 * The pages of a diff before and after: `pending` as in `pending_diffs`, `pull_request` of the newest one.
 */
export const changedPages = pgTable(
  'changed_pages',
  {
    jobId: text('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    of: text('of').$type<'pending' | 'pull_request'>().notNull(),
    path: text('path').notNull(),
    /** Null if the page does not exist. */
    before: text('before'),
    after: text('after'),
  },
  (t) => [primaryKey({ columns: [t.jobId, t.of, t.path] })],
);

/** A point for reviewers: see `ReviewNote` in docs-site/checks. */
export interface StoredNote {
  path: string;
  message: string;
}

/** See `Problem` in docs-site/checks, which may have more. */
export interface StoredProblem extends StoredNote {
  line: number;
  code: string;
  severity: 'error' | 'warning' | 'notice';
  column?: number;
  /** Equal for problems of one cause. */
  cause?: string;
  suggestion?: string;
  /** Whether an earlier turn of the same pull request caused it. */
  earlier?: boolean;
}

/** An apparent secret, without its value. */
export interface StoredSecret {
  where: string;
  kind: string;
  id: string;
}

/** A changed page by its path in the repository: see `PageAddresses` of the agent. */
export interface StoredAddresses {
  path: string;
  /** The newest first. */
  addresses: string[];
}

/** The findings of the docs checks, a row per round, recorded with the check itself. */
export const checkRounds = pgTable(
  'check_rounds',
  {
    jobId: text('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    turnNo: integer('turn_no').notNull(),
    /** The step that it came after. */
    stepNo: integer('step_no').notNull(),
    /** Pages of the site that were checked. */
    pages: integer('pages').notNull(),
    site: text('site').notNull(),
    /** Problems of the change that the base does not have. */
    problems: jsonb('problems').$type<StoredProblem[]>().notNull(),
    /** Problems that the base had before. */
    earlierProblems: integer('earlier_problems').notNull(),
    notes: jsonb('notes').$type<StoredNote[]>().notNull(),
    secrets: jsonb('secrets').$type<StoredSecret[]>().notNull(),
    addresses: jsonb('addresses').$type<StoredAddresses[]>().notNull().default([]),
    /** Whether the agent got a notice and checked again. */
    told: boolean('told').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.jobId, t.turnNo, t.stepNo] })],
);
