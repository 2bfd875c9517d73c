import { boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { jobs } from '../schema.ts';

/**
 * What a job's overlay changes, as of the end of the last step or check that looked: the API shows it, and
 * never asks git.
 */
export const pendingDiffs = pgTable('pending_diffs', {
  jobId: text('job_id')
    .primaryKey()
    .references(() => jobs.id, { onDelete: 'cascade' }),
  turnNo: integer('turn_no').notNull(),
  stepNo: integer('step_no').notNull(),
  /** The commit that it lies on. */
  baseCommit: text('base_commit').notNull(),
  /** Unified, as `git apply` takes it; of a limited length. */
  diff: text('diff').notNull(),
  /** Whether it lacks parts for its length, or is withheld because it has what looks like a secret. */
  isCut: boolean('is_cut').notNull(),
  files: integer('files').notNull(),
  additions: integer('additions').notNull(),
  deletions: integer('deletions').notNull(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
});

/**
 * Of a diff that is shown, the pages as they are before and after: `pending` as in `pending_diffs`,
 * `pull_request` of the job's newest.
 */
export const changedPages = pgTable(
  'changed_pages',
  {
    jobId: text('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    of: text('of').$type<'pending' | 'pull_request'>().notNull(),
    path: text('path').notNull(),
    /** Null where the page is not there. */
    before: text('before'),
    after: text('after'),
  },
  (t) => [primaryKey({ columns: [t.jobId, t.of, t.path] })],
);

/** What a reviewer should look at: see `ReviewNote` of docs-site/checks. */
export interface StoredNote {
  path: string;
  message: string;
}

/** See `Problem` of docs-site/checks, which may have more. */
export interface StoredProblem extends StoredNote {
  line: number;
  code: string;
  severity: 'error' | 'warning' | 'notice';
  column?: number;
  /** Equal for problems of one cause. */
  cause?: string;
  suggestion?: string;
  /** Whether an earlier turn of the same pull request brought it. */
  earlier?: boolean;
}

/** What looks like a secret, without its value. */
export interface StoredSecret {
  where: string;
  kind: string;
  id: string;
}

/** What the docs checks found, a row per round: recorded with the check itself. */
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
    /** What the site is, in words. */
    site: text('site').notNull(),
    /** What the change brings that the base does not have. */
    problems: jsonb('problems').$type<StoredProblem[]>().notNull(),
    /** Problems that the base had before. */
    earlierProblems: integer('earlier_problems').notNull(),
    notes: jsonb('notes').$type<StoredNote[]>().notNull(),
    secrets: jsonb('secrets').$type<StoredSecret[]>().notNull(),
    /** Whether the agent was told, and looked again. */
    told: boolean('told').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.jobId, t.turnNo, t.stepNo] })],
);
