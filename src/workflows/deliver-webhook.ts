import { ApplicationFailure, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhooks/webhook-activities.ts';
import { webhookQueueOf, type DeliverWebhookInput } from './contract.ts';

/**
 * Delivers a message to a webhook by attempts over a day. The activity sets the pauses; the policy's are for
 * dead workers or an unavailable database.
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
