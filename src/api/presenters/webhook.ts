import type { AttemptRow, DeliveryRow } from '../../store/webhooks/webhook-deliveries.ts';
import { readDeliveryData, shownUrl, type DeliveryData } from '../../store/webhooks/webhook-outbox.ts';
import type { JobPullRequest } from '../../store/jobs/job-state.ts';
import type { JobRow } from '../../store/jobs/jobs.ts';
import type { WebhookRow } from '../../store/webhooks/webhooks.ts';
import type { components } from '@docent/client';
import { presentJob } from './job.ts';
import { presentPullRequest } from './pull-request.ts';

type Schemas = components['schemas'];
type Urls = Parameters<typeof presentPullRequest>[1];

export function presentWebhook(row: WebhookRow): Schemas['Webhook'] {
  const { previousUntil } = row;
  return {
    id: row.id,
    jobId: row.jobId,
    url: row.jobId === null ? row.url : shownUrl(row.url),
    events: row.events,
    description: row.description,
    enabled: row.enabled,
    disabledReason: row.disabledReason,
    signed: row.secret !== null,
    previousSecretUntil: previousUntil !== null && previousUntil > new Date() ? previousUntil.toISOString() : null,
    failingSince: row.failingSince?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function presentDelivery(row: DeliveryRow): Schemas['WebhookDelivery'] {
  return {
    id: row.id,
    type: row.type,
    state: row.state,
    problem: row.problem,
    attempts: row.attempts,
    lastStatus: row.lastStatus,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

export function presentDeliveryDetails(
  row: DeliveryRow,
  log: readonly AttemptRow[],
  urls: Urls,
): Schemas['WebhookDeliveryDetails'] {
  const data = presentDeliveryData(readDeliveryData(row.data), urls);
  return {
    ...presentDelivery(row),
    payload: { type: row.type, timestamp: row.createdAt.toISOString(), data },
    log: log.map(({ no, startedAt, ms, status, problem, response }) => ({
      no,
      startedAt: startedAt.toISOString(),
      ms,
      status,
      problem,
      response,
    })),
  };
}

/** `data` of a message: the resource as the API shows it, without prompts. */
export function presentDeliveryData(
  { projectId, job, jobPullRequest, pullRequest, budget, automation, report, alert }: DeliveryData,
  urls: Urls,
): Schemas['WebhookPayload']['data'] {
  return {
    projectId,
    ...(job ? { job: presentWebhookJob(job, jobPullRequest ?? null) } : {}),
    ...(pullRequest ? { pullRequest: presentPullRequest(pullRequest, urls) } : {}),
    ...(budget ? { budget } : {}),
    ...(automation ? { automation } : {}),
    ...(report ? { report } : {}),
    ...(alert ? { alert } : {}),
  };
}

/** A job with a title that is not the prompt's first line. */
function presentWebhookJob(job: JobRow, pullRequest: JobPullRequest | null): Schemas['Job'] {
  // Webhooks only report running or idle jobs: none of them is in the queue.
  return { ...presentJob(job, { queue: null, pullRequest }), title: job.options.title ?? `Job ${job.id}` };
}
