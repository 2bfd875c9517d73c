import type { JobPlace } from '../../jobs/queue.ts';
import type { JobEventRow } from '../../store/job-events.ts';
import { creatorOf } from '../../store/job-creator.ts';
import { modeOf } from '../../store/job-options.ts';
import type { JobRow } from '../../store/jobs.ts';
import type { components } from '../generated/openapi.ts';
import { presentUsage } from './usage.ts';

/**
 * A job as the API shows it: every field, always.
 * @param queue where it stands while it waits for a place: see placesOf of src/jobs/queue.ts
 */
export function presentJob(job: JobRow, queue: JobPlace | null): components['schemas']['Job'] {
  return {
    id: job.id,
    status: job.status,
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
    title: job.title,
    summary: job.summary,
    outcome: job.status === 'active' ? null : job.outcome,
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

/** What the model is doing just now. */
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
