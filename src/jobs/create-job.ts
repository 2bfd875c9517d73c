import type { Quota } from '../platform/errors.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { Queryable } from '../store/database.ts';
import type { JobCreator } from '../store/jobs/job-creator.ts';
import type { JobMetadata, JobOptions } from '../store/job-options.ts';
import { repositoryUrl } from '../store/projects/projects.ts';
import type { WebhookEvent } from '@docent/client';
import { shownUrl } from '../store/webhooks/webhook-outbox.ts';
import { insertWebhook } from '../store/webhooks/webhooks.ts';
import { acceptJob } from './acceptance.ts';
import { assertModeAllowed } from './modes.ts';
import type { SlotLimits, Queued } from './queue.ts';

/** A job's own webhook, in addition to those of the project. */
export interface JobWebhook {
  url: string;
  events: WebhookEvent[];
  secret: string | null;
}

export interface WantedJob {
  projectId: string;
  prompt: string;
  options: JobOptions;
  metadata: JobMetadata;
  /** Already validated by a worker. Undefined: the project's model. */
  model: string | undefined;
  webhook: JobWebhook | null;
  creator: JobCreator;
}

/** The installation's settings for new jobs and messages. */
export interface AcceptanceSettings {
  secrets: SecretBox;
  slots: SlotLimits;
  jobsPerHour: number;
  messagesPerHour: number;
  /** `DOCENT_MODEL` of this process. */
  model: string | undefined;
  /** Receives the rest of the limit. */
  onQuota?: (quota: Quota) => void;
}

/**
 * Accepts a job with its webhook in the caller's transaction.
 * @throws AppError as acceptJob does; Expected `secret_key`
 */
export async function createJob(tx: Queryable, wanted: WantedJob, settings: AcceptanceSettings): Promise<Queued> {
  const { projectId, prompt, options, metadata, model, webhook, creator } = wanted;
  await assertModeAllowed(tx, options, projectId);
  // The job's row shows no secret of the webhook.
  const shown = webhook ? { webhook: { url: shownUrl(webhook.url), events: webhook.events } } : {};
  const job = await acceptJob(tx, {
    projectId,
    prompt,
    metadata,
    options: { ...options, ...shown },
    automationId: creator.kind === 'automation' ? (creator.id ?? undefined) : undefined,
    creator,
    chosenModel: model,
    repositoryUrl,
    limitPerHour: settings.jobsPerHour,
    slots: settings.slots,
    ...(settings.onQuota ? { onQuota: settings.onQuota } : {}),
    model: settings.model,
  });
  if (webhook) await insertWebhook(tx, settings.secrets, { ...webhook, projectId, jobId: job.id });
  return job;
}
