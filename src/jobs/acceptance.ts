import { getTableColumns, sql } from 'drizzle-orm';
import { withEllipsis } from '@docent/base/ellipsis';
import type { Quota } from '../platform/errors.ts';
import type { Queryable } from '../store/database.ts';
import { useAttachments } from '../store/jobs/attachments.ts';
import { newId } from '../store/ids.ts';
import { installationModelOf, modelOfProject } from '../store/installation/installation-model.ts';
import { addEvent } from '../store/jobs/job-events.ts';
import { creatorText, type JobCreator } from '../store/jobs/job-creator.ts';
import type { JobMetadata, JobOptions } from '../store/job-options.ts';
import { lockJob, type JobRow } from '../store/jobs/jobs.ts';
import { acceptingLock, holdProjectToAccept, type ProjectRow } from '../store/projects/projects.ts';
import { jobs, messages } from '../store/schema.ts';
import { advance } from './advance.ts';
import { quotaAfter, rateLimited, refuseAboveLimit, usedHour, type UsedHour } from './hourly-limit.ts';
import { changeBy } from './job-life.ts';
import { reserveOrQueue, type SlotLimits, type Queued } from './queue.ts';
import { refuseTakenBranch } from './work-branch.ts';

const MAX_TITLE = 100;

/**
 * Accepts a job: writes its row, message 1 and first event in the surrounding transaction. After the lock it
 * is one statement, because the client waits during every round trip to the database. Without a free slot,
 * the job enters the queue.
 * @throws AppError `project_not_found`; `bad_request` or `branch_taken` for a branch that cannot be the
 *   job's; `bad_request` for a missing attachment; `unavailable` while an older process would run the job
 *   without its options; `rate_limited` if the project had `limitPerHour` jobs within the last hour
 */
export async function acceptJob(
  tx: Queryable,
  input: {
    projectId: string;
    prompt: string;
    options?: JobOptions;
    metadata?: JobMetadata;
    repositoryUrl: (project: ProjectRow) => string;
    limitPerHour: number;
    slots: SlotLimits;
    /** Receives the rest of the limit. */
    onQuota?: (quota: Quota) => void;
    /** `DOCENT_MODEL` of this server. */
    model?: string | undefined;
    /** The client's choice, already validated by a worker. */
    chosenModel?: string | undefined;
    automationId?: string | undefined;
    creator?: JobCreator | undefined;
  },
): Promise<Queued> {
  const { limitPerHour, options = {}, metadata = {}, creator } = input;
  const { attachments = [] } = options;
  const { project, storedModel } = await holdProjectToAccept(tx, input.projectId);
  await refuseTakenBranch(tx, project, options);
  const model = input.chosenModel ?? modelOfProject(project, installationModelOf(input.model, storedModel)).model;
  const title = options.title ?? titleOf(input.prompt);
  const hour = tx
    .$with('hour', {
      used: sql<UsedHour['used']>`used`.as('used'),
      seconds: sql<UsedHour['seconds']>`seconds`.as('seconds'),
    })
    .as(usedHour('jobs', project.id, limitPerHour));
  // The clock's time. Jobs are ordered by acceptance, so none is added to a page that was already read.
  const accepted = tx.$with('accepted', getTableColumns(jobs)).as(sql`
    INSERT INTO jobs (id, project_id, model, repository_url, base_ref, title, options, metadata, automation_id, created_by, created_by_name,
                      last_message_no, last_event_no, created_at)
    SELECT ${newId()}, ${project.id}, ${model}, ${input.repositoryUrl(project)}, ${options.ref ?? project.ref}, ${title},
           ${JSON.stringify(options)}::jsonb, ${JSON.stringify(metadata)}::jsonb, ${input.automationId ?? null}::text,
           ${creator ? creatorText(creator) : null}::text, ${creator?.name ?? null}::text, 1, 1, clock_timestamp()
    FROM hour WHERE used < ${limitPerHour} OR seconds <= 0
    RETURNING *`);
  const message = tx.$with('message', {}).as(sql`
    INSERT INTO messages (job_id, no, id, prompt, attachments)
    SELECT id, 1, ${newId()}, ${input.prompt}, ${JSON.stringify(attachments)}::jsonb FROM accepted`);
  const event = tx.$with('event', {}).as(sql`
    INSERT INTO job_events (job_id, no, type, text) SELECT id, 1, 'created', title FROM accepted`);
  const [row] = await tx
    .with(hour, accepted, message, event)
    .select()
    .from(accepted)
    .innerJoin(hour, sql`true`);
  if (row) {
    await useAttachments(tx, { projectId: project.id, jobId: row.accepted.id }, attachments);
    input.onQuota?.(quotaAfter('jobs', limitPerHour, row.hour));
    return reserveOrQueue(tx, row.accepted, input.slots);
  }
  await refuseAboveLimit(tx, 'jobs', project.id, limitPerHour);
  // The hour has just passed that filled the limit.
  throw rateLimited('jobs', limitPerHour, 1);
}

/**
 * Accepts a follow-up message; the job becomes active, and enters the queue if there is no free slot.
 * @throws AppError `job_not_found`, `job_archived` (409), `rate_limited`, `bad_request` for a missing
 * attachment
 */
export async function acceptMessage(
  tx: Queryable,
  input: {
    projectId: string;
    jobId: string;
    prompt: string;
    attachments?: readonly string[];
    limitPerHour: number;
    slots: SlotLimits;
    /** Throws if the sender may not write to this job. */
    assertMayWrite?: (tx: Queryable, job: JobRow) => Promise<void>;
    /** Receives the rest of the limit. */
    onQuota?: (quota: Quota) => void;
  },
): Promise<Queued> {
  const job = await lockJob(tx, input.projectId, input.jobId);
  await input.assertMayWrite?.(tx, job);
  // A request that is invalid in any case fails before it waits for locks.
  changeBy(job, { type: 'message' }, new Date());
  // Held until the transaction ends: acceptances of one project take turns, so that its limit is exact.
  await tx.execute(sql`SELECT ${acceptingLock(input.projectId)}`);
  const quota = await refuseAboveLimit(tx, 'messages', input.projectId, input.limitPerHour);
  input.onQuota?.(quota);
  const no = job.lastMessageNo + 1;
  const attachments = [...(input.attachments ?? [])];
  await useAttachments(tx, { projectId: input.projectId, jobId: job.id }, attachments);
  await tx.insert(messages).values({ jobId: job.id, no, id: newId(), prompt: input.prompt, attachments });
  const updated = await advance(tx, job, { type: 'message' }, { lastMessageNo: no });
  await addEvent(tx, { jobId: job.id, type: 'message', text: titleOf(input.prompt) });
  // The turn of an active job takes the message, or its end opens the next one.
  return job.status === 'active' ? updated : reserveOrQueue(tx, updated, input.slots);
}

/** The prompt's first line with a word in it, at most 100 characters. */
export function titleOf(prompt: string): string {
  const line = prompt.split(/\r?\n/).find((candidate) => candidate.trim() !== '') ?? prompt;
  return withEllipsis(line.trim(), MAX_TITLE);
}
