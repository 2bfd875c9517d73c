import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { jobs, projects } from '../schema.ts';

/** Where a person wrote at a code host: see `CommentPlace` in code-hosts/talk.ts. */
export interface HostPlace {
  on: { type: 'issue' | 'pull_request'; number: number };
  kind: 'comment' | 'review' | 'review_comment' | 'label' | 'description';
  id: string;
  threadId: string | null;
  /** The code host and the repository of comments outside Docent's pull requests. */
  hostId?: string;
  repositoryId?: string;
  /** The URL of a source's repository; absent for the project's own. */
  source?: string;
  /** For a review: the newest commit of the pull request, whose diff the agent gets. */
  commit?: string;
  /** For a comment on lines. */
  path?: string;
  line?: number | null;
  startLine?: number | null;
}

export interface CheckedCommit {
  kind: 'check';
  commit: string;
}

export const REPLY_IS_DUE = sql.raw('message_no IS NOT NULL AND answered_at IS NULL');

/** Comments and failed checks that became messages or were refused, each once; replies depend on it. */
export const hostMessages = pgTable(
  'host_messages',
  {
    /** Host and key of the event: see deliveryIdOf. */
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** Null if a job was not started. */
    jobId: text('job_id').references(() => jobs.id, { onDelete: 'cascade' }),
    /** Number of the job's message; null if refused. */
    messageNo: integer('message_no'),
    /** The pull request of the comment; null outside Docent's pull requests: see `HostPlace.repositoryId`. */
    pullRequestId: text('pull_request_id'),
    place: jsonb('place').$type<HostPlace | CheckedCommit>().notNull(),
    /** The id of the reply's thread, which several messages may share. */
    thread: text('thread').notNull(),
    reactedAt: instant('reacted_at'),
    /** When a turn's reply was there, and its id at the host. */
    answeredAt: instant('answered_at'),
    replyId: text('reply_id'),
    attempts: integer('attempts').notNull().default(0),
    dueAt: instant('due_at').notNull().defaultNow(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    index('host_messages_of_job').on(t.jobId, t.thread),
    index('host_messages_of_project').on(t.projectId),
    index('host_messages_due').on(t.dueAt).where(REPLY_IS_DUE),
  ],
);
