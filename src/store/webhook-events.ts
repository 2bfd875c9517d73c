/** The events of webhooks. `ping` is sent on request, to one endpoint, whatever its events. */
export const WEBHOOK_EVENTS = [
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
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
export type DeliveryType = WebhookEvent | 'ping';
