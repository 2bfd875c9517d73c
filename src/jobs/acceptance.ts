import { getTableColumns, sql } from 'drizzle-orm';
import { withEllipsis } from '../platform/ellipsis.ts';
import type { Quota } from '../platform/errors.ts';
import type { Queryable } from '../store/database.ts';
import { newId } from '../store/ids.ts';
import { installationModelOf, modelOfProject } from '../store/installation-model.ts';
import { addEvent } from '../store/job-events.ts';
import type { JobMetadata, JobOptions } from '../store/job-options.ts';
import { lockJob, type JobRow } from '../store/jobs.ts';
import { acceptingLock, holdProjectToAccept, type ProjectRow } from '../store/projects.ts';
import { jobs, messages } from '../store/schema.ts';
import { advance } from './advance.ts';
import { quotaAfter, rateLimited, refuseAboveLimit, usedHour, type UsedHour } from './hourly-limit.ts';
import { changeBy } from './job-life.ts';

const MAX_TITLE = 100;

/**
 * Accepts a job: its row, message 1 and first event, all or nothing with the surrounding transaction. One statement after the lock:
 * every round trip to the database is time that a client waits.
 * @throws AppError `project_not_found`; `rate_limited` when the project has had `limitPerHour` jobs within the last hour
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
    /** Is told what is left of the limit. */
    onQuota?: (quota: Quota) => void;
    /** `DOCENT_MODEL` of this server. */
    model?: string | undefined;
  },
): Promise<JobRow> {
  const { limitPerHour } = input;
  const { project, storedModel } = await holdProjectToAccept(tx, input.projectId);
  const { model } = modelOfProject(project, installationModelOf(input.model, storedModel));
  const hour = tx
    .$with('hour', {
      used: sql<UsedHour['used']>`used`.as('used'),
      seconds: sql<UsedHour['seconds']>`seconds`.as('seconds'),
    })
    .as(usedHour('jobs', project.id, limitPerHour));
  const accepted = tx.$with('accepted', getTableColumns(jobs)).as(sql`
    INSERT INTO jobs (id, project_id, model, repository_url, base_ref, title, options, metadata, last_message_no, last_event_no)
    SELECT ${newId()}, ${project.id}, ${model}, ${input.repositoryUrl(project)}, ${project.ref}, ${titleOf(input.prompt)},
           ${JSON.stringify(input.options ?? {})}::jsonb, ${JSON.stringify(input.metadata ?? {})}::jsonb, 1, 1
    FROM hour WHERE used < ${limitPerHour} OR seconds <= 0
    RETURNING *`);
  const message = tx.$with('message', {}).as(sql`
    INSERT INTO messages (job_id, no, id, prompt) SELECT id, 1, ${newId()}, ${input.prompt} FROM accepted`);
  const event = tx.$with('event', {}).as(sql`
    INSERT INTO job_events (job_id, no, type, text) SELECT id, 1, 'created', title FROM accepted`);
  const [row] = await tx
    .with(hour, accepted, message, event)
    .select()
    .from(accepted)
    .innerJoin(hour, sql`true`);
  if (row) {
    input.onQuota?.(quotaAfter('jobs', limitPerHour, row.hour));
    return row.accepted;
  }
  await refuseAboveLimit(tx, 'jobs', project.id, limitPerHour);
  // The hour has just passed that filled the limit.
  throw rateLimited('jobs', limitPerHour, 1);
}

/**
 * Accepts a follow-up message and makes the job active again.
 * @throws AppError `job_not_found`, `job_archived` (409) or `rate_limited`
 */
export async function acceptMessage(
  tx: Queryable,
  input: {
    projectId: string;
    jobId: string;
    prompt: string;
    limitPerHour: number;
    /** Is told what is left of the limit. */
    onQuota?: (quota: Quota) => void;
  },
): Promise<JobRow> {
  const job = await lockJob(tx, input.projectId, input.jobId);
  // What is refused in any case is refused before anybody waits.
  changeBy(job, { type: 'message' }, new Date());
  // Held until the transaction ends: acceptances of one project take turns, so that its limit is exact.
  await tx.execute(sql`SELECT ${acceptingLock(input.projectId)}`);
  const quota = await refuseAboveLimit(tx, 'messages', input.projectId, input.limitPerHour);
  input.onQuota?.(quota);
  const no = job.lastMessageNo + 1;
  await tx.insert(messages).values({ jobId: job.id, no, id: newId(), prompt: input.prompt });
  const updated = await advance(tx, job, { type: 'message' }, { lastMessageNo: no });
  await addEvent(tx, { jobId: job.id, type: 'message', text: titleOf(input.prompt) });
  return updated;
}

/** The prompt's first line with a word in it, at most 100 characters. */
export function titleOf(prompt: string): string {
  const line = prompt.split(/\r?\n/).find((candidate) => candidate.trim() !== '') ?? prompt;
  return withEllipsis(line.trim(), MAX_TITLE);
}
