import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/** What a model is writing, of watched jobs. UNLOGGED in the migration: lasting data is elsewhere. */
export const liveTexts = pgTable('live_texts', {
  jobId: text('job_id').primaryKey(),
  /** Until then someone watches; a worker writes nothing after it. */
  watchedUntil: instant('watched_until').notNull(),
  turnNo: integer('turn_no'),
  stepNo: integer('step_no'),
  attempt: integer('attempt'),
  /** From the beginning of the answer, without secrets. */
  text: text('text').notNull().default(''),
  /** Another one with each change of the text: the time of it, in microseconds. */
  revision: bigint('revision', { mode: 'number' }).notNull().default(0),
});
