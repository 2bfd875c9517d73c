import type { components } from './generated/openapi.ts';

export type WebhookEvent = components['schemas']['WebhookEvent'];

/** The events of webhooks. `ping` is sent on request, to one endpoint, whatever its events. */
export const WEBHOOK_EVENTS: readonly WebhookEvent[] = [
  'job.completed',
  'job.failed',
  'job.archived',
  'pull_request.opened',
  'pull_request.updated',
  'pull_request.merged',
  'pull_request.closed',
  'budget.reached',
  'automation.paused',
  'analytics.report',
  'analytics.alert',
];
