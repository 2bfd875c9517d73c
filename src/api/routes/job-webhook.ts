import type { JobWebhook } from '../../jobs/create-job.ts';
import { WEBHOOK_EVENTS, type components } from '@docent/client';
import { checkedWebhookSecret, checkedWebhookUrl } from './webhook-url.ts';

/** Null if there is none. @throws AppError `bad_request` */
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
