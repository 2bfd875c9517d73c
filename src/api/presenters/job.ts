import type { JobContext } from '../../jobs/job-context.ts';
import type { JobEventRow } from '../../store/jobs/job-events.ts';
import { creatorOf } from '../../store/jobs/job-creator.ts';
import { modeOf } from '../../store/job-options.ts';
import { jobStateOf, outcomeOf } from '../../store/jobs/job-state.ts';
import type { JobRow } from '../../store/jobs/jobs.ts';
import type { components } from '@docent/client';
import { presentUsage } from './usage.ts';

/** A job as the API shows it: always every field. @param context see contextOf of src/jobs/job-context.ts */
export function presentJob(job: JobRow, { queue, pullRequest }: JobContext): components['schemas']['Job'] {
  return {
    id: job.id,
    status: job.status,
    state: jobStateOf(job, pullRequest),
    source: { repository: job.repositoryUrl, ref: job.branch ?? job.baseRef },
    mode: modeOf(job),
    pendingChanges: job.status === 'active' ? null : job.pendingChanges,
    model: job.model,
    ref: job.options.ref ?? null,
    branch: job.options.branch ?? null,
    effort: job.options.effort ?? null,
    draft: job.options.draft ?? null,
    budget: job.options.budget ? { tokens: null, usd: null, ...job.options.budget } : null,
    metadata: job.metadata,
    // While the agent works, its pull request may be about to change or to be followed by another.
    prLink: job.status === 'active' ? null : job.prLink,
    prState: pullRequest?.state ?? null,
    title: job.title,
    summary: job.summary,
    outcome: outcomeOf(job),
    error: job.errorCode === null ? null : { code: job.errorCode, message: job.errorMessage ?? '' },
    progress: progressOf(job),
    queue,
    webhook: job.options?.webhook ?? null,
    automationId: job.automationId,
    createdBy: creatorOf(job),
    usage: presentUsage(job),
    attachments: job.options.attachments ?? [],
    createdAt: job.createdAt.toISOString(),
    updatedAt: job.updatedAt.toISOString(),
    archivedAt: job.archivedAt?.toISOString() ?? null,
  };
}

/** What the model is doing now. */
export function progressOf(job: JobRow): string | null {
  return job.status === 'active' ? job.progress : null;
}

export function presentEvent(event: JobEventRow): components['schemas']['JobEvent'] {
  return {
    no: event.no,
    type: event.type,
    turn: event.turnNo,
    text: event.text,
    data: event.data,
    createdAt: event.createdAt.toISOString(),
  };
}
