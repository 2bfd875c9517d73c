import type { SecretBox } from '../../platform/secret-box.ts';
import type { Queryable } from '../../store/database.ts';
import type { JobOptions } from '../../store/job-options.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../store/webhook-events.ts';
import { insertWebhook } from '../../store/webhooks.ts';
import type { components } from '../generated/openapi.ts';
import { shownUrl } from '../presenters/webhook.ts';
import { checkedWebhookSecret, checkedWebhookUrl } from './webhook-url.ts';

/** The webhook that a job is created with: its own, beside those of the project. */
export interface JobWebhook {
  url: string;
  events: WebhookEvent[];
  secret: string | null;
}

/** Null where there is none. @throws AppError `bad_request` */
export function jobWebhookOf(
  given: components['schemas']['JobWebhook'] | undefined,
  privateHosts: readonly string[],
): JobWebhook | null {
  if (given === undefined) return null;
  return {
    url: checkedWebhookUrl(given.url, 'webhook.url', privateHosts),
    events: given.events ?? [...WEBHOOK_EVENTS],
    secret: given.secret === undefined ? null : checkedWebhookSecret(given.secret, 'webhook.secret'),
  };
}

/** What the job's row tells of it: nothing that is secret. */
export function jobWebhookOption(webhook: JobWebhook | null): Pick<JobOptions, 'webhook'> {
  return webhook ? { webhook: { url: shownUrl(webhook.url), events: webhook.events } } : {};
}

/** In the transaction that accepts the job. @throws SecretKeyProblem */
export async function insertJobWebhook(
  tx: Queryable,
  box: SecretBox,
  job: { id: string; projectId: string },
  webhook: JobWebhook | null,
): Promise<void> {
  if (webhook) await insertWebhook(tx, box, { ...webhook, projectId: job.projectId, jobId: job.id });
}
