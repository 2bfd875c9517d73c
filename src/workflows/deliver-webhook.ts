import { ApplicationFailure, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhooks/webhook-activities.ts';
import { webhookQueueOf, type DeliverWebhookInput } from './contract.ts';

/**
 * Delivers one message to one webhook: attempts over a day, until one is accepted. The pauses come from the
 * activity; the policy's own are for workers that died and a database that is away.
 */
export async function deliverWebhook(input?: DeliverWebhookInput): Promise<{ state: string }> {
  const { deliverMessage } = proxyActivities<WebhookActivities>({
    taskQueue: webhookQueueOf(workflowInfo().taskQueue),
    startToCloseTimeout: '60 seconds',
    heartbeatTimeout: '12 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  });
  const { state, words } = await deliverMessage({ deliveryId: input?.deliveryId });
  setCurrentDetails(`**${state}** – ${words.replace(/[\\`*_{}[\]()#+!|<>~-]/g, '\\$&')}`);
  if (state === 'failed') throw ApplicationFailure.nonRetryable(words, 'WebhookFailed');
  return { state };
}
