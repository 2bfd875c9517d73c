import { and, eq, gt, sql } from 'drizzle-orm';
import { AppError } from '../platform/errors.ts';
import type { Queryable } from '../store/database.ts';
import { addEvent } from '../store/jobs/job-events.ts';
import { lockJob, type JobRow } from '../store/jobs/jobs.ts';
import { clearOverlay } from '../store/jobs/overlay.ts';
import { turns } from '../store/schema.ts';
import { advance } from './advance.ts';
import { changeBy } from './job-life.ts';

/**
 * Requests publishing of a preview's ready change. The job is active until its own turn has published it or
 * reports why not; the change stays ready in that case.
 * @param of the pull request's fields; missing ones keep the values of an earlier request
 * @throws AppError `job_not_found`, `job_active`, `job_archived` or `nothing_to_publish` (409)
 */
export async function requestPublish(
  tx: Queryable,
  projectId: string,
  jobId: string,
  of: { title?: string | undefined; draft?: boolean | undefined },
): Promise<JobRow> {
  const job = await assertReady(tx, projectId, jobId, 'publish');
  const { title = job.publishOrder?.title, draft = job.publishOrder?.draft } = of;
  const publishOrder = {
    turn: null,
    at: new Date().toISOString(),
    ...(title === undefined ? {} : { title }),
    ...(draft === undefined ? {} : { draft }),
  };
  const updated = await advance(tx, job, { type: 'publish' }, { publishOrder });
  await addEvent(tx, { jobId, type: 'message', text: 'Publishing was requested.' });
  return updated;
}

/**
 * Discards a preview's ready change. Later messages start from the published state.
 * @throws AppError as {@link requestPublish}
 */
export async function discardChanges(tx: Queryable, projectId: string, jobId: string): Promise<JobRow> {
  const job = await assertReady(tx, projectId, jobId, 'discard');
  await clearOverlay(tx, jobId);
  await tx
    .update(turns)
    .set({ state: 'discarded' })
    .where(
      and(
        eq(turns.jobId, jobId),
        eq(turns.state, 'ready'),
        gt(
          turns.no,
          sql`(SELECT coalesce(max(no), 0) FROM turns published WHERE published.job_id = ${jobId} AND published.state = 'published')`,
        ),
      ),
    );
  const updated = await advance(tx, job, { type: 'discard' });
  await addEvent(tx, { jobId, type: 'discarded', text: 'The change was discarded. Nothing was published.' });
  return updated;
}

async function assertReady(
  tx: Queryable,
  projectId: string,
  jobId: string,
  type: 'publish' | 'discard',
): Promise<JobRow> {
  const job = await lockJob(tx, projectId, jobId);
  // The state first: a job at work reports that, and not that it has nothing.
  changeBy(job, { type }, new Date());
  if (job.pendingChanges) return job;
  throw new AppError(
    'nothing_to_publish',
    'This job has no unpublished change. Only jobs with mode "preview" hold changes back. If the last ' +
      'turn failed or was canceled, send a message first.',
  );
}
