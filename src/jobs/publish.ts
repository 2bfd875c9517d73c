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
 * Asks for what a preview has ready to be published. The job is active until a turn of its own has carried it
 * out, or says why not; what is ready stays so in that case.
 * @param of what the pull request is to be; what is not given stays as an earlier request said
 * @throws AppError `job_not_found`, `job_active`, `job_archived` or `nothing_to_publish` (409)
 */
export async function requestPublish(
  tx: Queryable,
  projectId: string,
  jobId: string,
  of: { title?: string | undefined; draft?: boolean | undefined },
): Promise<JobRow> {
  const job = await mustBeReady(tx, projectId, jobId, 'publish');
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
 * Drops what a preview has ready. Later messages begin with what is published.
 * @throws AppError as {@link requestPublish}
 */
export async function discardChanges(tx: Queryable, projectId: string, jobId: string): Promise<JobRow> {
  const job = await mustBeReady(tx, projectId, jobId, 'discard');
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

async function mustBeReady(
  tx: Queryable,
  projectId: string,
  jobId: string,
  type: 'publish' | 'discard',
): Promise<JobRow> {
  const job = await lockJob(tx, projectId, jobId);
  // The state first: a job at work says that, and not that it has nothing.
  changeBy(job, { type }, new Date());
  if (job.pendingChanges) return job;
  throw new AppError(
    'nothing_to_publish',
    'This job has no unpublished change. Only jobs with mode "preview" hold changes back. If the last ' +
      'turn failed or was canceled, send a message first.',
  );
}
