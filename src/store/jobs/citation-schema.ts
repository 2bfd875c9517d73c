import { boolean, foreignKey, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { turns } from '../schema.ts';

/**
 * `held`: the source's branch has the cited lines. `stale`: they were replaced. `gone`: the file, or
 * everything near the lines, was deleted.
 */
export const CITATION_STATES = ['held', 'stale', 'gone'] as const;
export type CitationState = (typeof CITATION_STATES)[number];

/** Claims of pages with the lines of a source that support them, as Docent has verified them in a turn. */
export const citations = pgTable(
  'citations',
  {
    jobId: text('job_id').notNull(),
    turnNo: integer('turn_no').notNull(),
    /** 1, 2, 3 … in the turn. */
    no: integer('no').notNull(),
    /** The page, the line where the claim begins, and the claim as on the page. */
    page: text('page').notNull(),
    line: integer('line').notNull(),
    claim: text('claim').notNull(),
    /** The source's name, and its repository then. */
    source: text('source').notNull(),
    repository: text('repository').notNull(),
    path: text('path').notNull(),
    commit: text('commit').notNull(),
    fromLine: integer('from_line').notNull(),
    toLine: integer('to_line').notNull(),
    /** Hash of the cited lines, in hexadecimal. */
    sha256: text('sha256').notNull(),
    /** The cited lines, at most 4,000 characters. */
    lines: text('lines').notNull().default(''),
    state: text('state').$type<CitationState>().notNull().default('held'),
    /**
     * The lines that replaced them on the source's branch; null if they are unchanged, or the file is gone.
     * At most 4,000 characters.
     */
    newLines: text('new_lines'),
    /**
     * Whether the base branch states the claim, as last seen. False after a later change rewords it. True
     * while its own change is open.
     */
    isStated: boolean('is_stated').notNull().default(true),
    /** Where the base branch states it, if not in the page and line of the change. */
    movedPage: text('moved_page'),
    movedLine: integer('moved_line'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.jobId, t.turnNo, t.no] }),
    foreignKey({
      name: 'citations_turn',
      columns: [t.jobId, t.turnNo],
      foreignColumns: [turns.jobId, turns.no],
    }).onDelete('cascade'),
  ],
);
