import { faultPoint } from '../platform/faults.ts';
import type { Queryable } from '../store/database.ts';
import { addEvent, type NewJobEvent } from '../store/jobs/job-events.ts';
import { pullRequestsOfJobs } from '../store/jobs/job-state.ts';
import { updateJob, type JobRow } from '../store/jobs/jobs.ts';
import { enqueueWebhooks } from '../store/webhooks/webhook-outbox.ts';
import { changeBy, type JobEvent } from './job-life.ts';

/**
 * Applies an event to a job's row, which the caller has locked. All status changes go through here. Webhooks
 * for the job's end are enqueued in the same transaction.
 * @param more other columns to update
 * @param historyEvent an event for the job's history, which is added in any case
 * @returns the updated row, or the same row if the event changes nothing
 * @throws AppError `job_archived`, `job_active`, `job_not_active` or `job_not_archived` (409)
 */
export async function advance(
  tx: Queryable,
  job: JobRow,
  event: JobEvent,
  more: Partial<Pick<JobRow, 'lastMessageNo' | 'publishOrder' | 'pendingChanges'>> = {},
  historyEvent?: NewJobEvent,
): Promise<JobRow> {
  const change = changeBy(job, event, new Date());
  if (!change) {
    if (historyEvent) await addEvent(tx, { jobId: job.id, ...historyEvent });
    return job;
  }
  const updated = await updateJob(tx, job.id, { ...change, ...more }, historyEvent);
  // A job that returns from the archive has ended before.
  if (updated.status !== job.status && updated.status !== 'active' && event.type !== 'unarchive') {
    faultPoint('job-changed');
    const jobPullRequest = (await pullRequestsOfJobs(tx, [updated])).get(job.id);
    const about = { job: updated, ...(jobPullRequest && { jobPullRequest }) };
    await enqueueWebhooks(tx, `job.${updated.status}`, { projectId: job.projectId, jobId: job.id }, about);
  }
  return updated;
}
