import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/**
 * What a model is writing just now, of the jobs that someone watches: one row a job, overwritten several
 * times a second. The table is UNLOGGED: it costs no write-ahead log, and is empty after a crash of
 * PostgreSQL. Nothing rests on it: whatever counts is in the transcript and in the job's events.
 */
export const liveWords = pgTable('live_words', {
  jobId: text('job_id').primaryKey(),
  /** Until then someone watches; a worker writes nothing after it. */
  watchedUntil: instant('watched_until').notNull(),
  turnNo: integer('turn_no'),
  stepNo: integer('step_no'),
  attempt: integer('attempt'),
  /** From the beginning of the answer, without what looks like a secret. */
  text: text('text').notNull().default(''),
  /** Another one with each change of the text: the time of it, in microseconds. */
  revision: bigint('revision', { mode: 'number' }).notNull().default(0),
});
