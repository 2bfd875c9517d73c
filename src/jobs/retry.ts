import { and, asc, eq, or } from 'drizzle-orm';
import { AppError } from '../platform/errors.ts';
import type { Queryable } from '../store/database.ts';
import { outcomeOf } from '../store/jobs/job-state.ts';
import { lockJob, updateJob, type JobRow } from '../store/jobs/jobs.ts';
import { messages } from '../store/schema.ts';
import { acceptMessage } from './acceptance.ts';
import { advance } from './advance.ts';
import { changeBy } from './job-life.ts';
import { requestPublish } from './publish.ts';

type Asked = Omit<Parameters<typeof acceptMessage>[1], 'prompt' | 'attachments'>;

/**
 * Retries a job whose last turn failed or was refused, in the same conversation, from where it stopped. What
 * could not be published is published. Messages without an answer wait for the model again; answered ones are
 * sent again. A second retry finds the job active and is refused.
 * @param asked.model works on the job from now on; undefined: as before
 * @throws AppError `job_not_found`; `job_active`, `job_archived` or `nothing_to_retry` (409); as {@link
 *   acceptMessage}
 */
export async function retryJob(
  tx: Queryable,
  { model, ...asked }: Asked & { model?: string | undefined },
): Promise<JobRow> {
  const { projectId, jobId } = asked;
  const job = await lockJob(tx, projectId, jobId);
  changeBy(job, { type: 'retry' }, new Date());
  const outcome = outcomeOf(job);
  if (outcome !== 'failed' && outcome !== 'refused') throw nothingToRetry();
  if (model !== undefined) await updateJob(tx, jobId, { model });
  if (job.pendingChanges) return requestPublish(tx, projectId, jobId, {});
  const last = await tx
    .select()
    .from(messages)
    .where(and(eq(messages.jobId, jobId), or(eq(messages.turnNo, job.lastTurnNo), eq(messages.state, 'unheard'))))
    .orderBy(asc(messages.no));
  if (last.length === 0) throw nothingToRetry();
  await tx
    .update(messages)
    .set({ state: 'waiting' })
    .where(and(eq(messages.jobId, jobId), eq(messages.state, 'unheard')));
  let accepted: JobRow | undefined;
  for (const { state, prompt, attachments } of last)
    if (state !== 'unheard') accepted = await acceptMessage(tx, { ...asked, prompt, attachments });
  const historyEvent = { type: 'message' as const, text: 'A retry was requested.' };
  return accepted ?? advance(tx, job, { type: 'retry' }, {}, historyEvent);
}

function nothingToRetry(): AppError {
  return new AppError(
    'nothing_to_retry',
    'Only a job whose last turn failed or was refused can be retried. To continue this job, send a message.',
  );
}
