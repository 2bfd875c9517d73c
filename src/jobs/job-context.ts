import type { Queryable } from '../store/database.ts';
import { pullRequestsOfJobs, type JobPullRequest } from '../store/jobs/job-state.ts';
import type { JobRow } from '../store/jobs/jobs.ts';
import { positionsOf, type QueuePosition, type Queued } from './queue.ts';

/** The facts that a job's state depends on, in addition to its own row. */
export interface JobContext {
  /** Its position while it waits in the queue. */
  queue: QueuePosition | null;
  /** Its newest pull request; null without one, and while the job is active. */
  pullRequest: JobPullRequest | null;
}

export async function contextOf(q: Queryable, job: Queued): Promise<JobContext> {
  // Active, so no pull request.
  if (job.queue !== undefined) return { queue: job.queue, pullRequest: null };
  return (await contextsOf(q, [job]))(job);
}

/**
 * The contexts of these jobs, in two queries at most; none for a job that was just accepted and does not
 * wait.
 */
export async function contextsOf(q: Queryable, rows: readonly JobRow[]): Promise<(job: JobRow) => JobContext> {
  const positions = await positionsOf(q, rows);
  const pullRequests = await pullRequestsOfJobs(q, rows);
  return ({ id }) => ({ queue: positions.get(id) ?? null, pullRequest: pullRequests.get(id) ?? null });
}
