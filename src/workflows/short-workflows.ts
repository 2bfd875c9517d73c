import { proxyActivities, workflowInfo, ApplicationFailure, setCurrentDetails } from '@temporalio/workflow';
import type { ControlActivities } from '../activities/requests/carry-out-request.ts';
import {
  type ControlRequestInput,
  type RecordOccurrenceInput,
  webhookQueueOf,
  type DeliverWebhookInput,
} from './contract.ts';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { TriggerActivities } from '../activities/triggers/trigger-activities.ts';
import type { WebhookActivities } from '../activities/webhooks/webhook-activities.ts';

// Callers wait half a minute at most. A dead worker's task is retried soon.
const retry = { initialInterval: '500 milliseconds', maximumInterval: '5 seconds' } as const;
const host = proxyActivities<ControlActivities>({
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '60 seconds',
  heartbeatTimeout: '8 seconds',
  retry,
});
const models = proxyActivities<ControlActivities>({
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '25 seconds',
  heartbeatTimeout: '8 seconds',
  retry,
});

/** A local server may have to load its model first. */
const answers = proxyActivities<ControlActivities>({
  startToCloseTimeout: '26 seconds',
  scheduleToCloseTimeout: '28 seconds',
  heartbeatTimeout: '8 seconds',
  retry,
});

/** Reports whether Docent can work with a repository. The API waits for it when it creates a project. */
export async function checkRepository(input?: ControlRequestInput): Promise<void> {
  await host.carryOutRequest({ requestId: input?.requestId, kind: 'checkRepository' });
}

/** Reports what a code host's credential lacks. */
export async function checkHost(input?: ControlRequestInput): Promise<void> {
  await host.carryOutRequest({ requestId: input?.requestId, kind: 'checkHost' });
}

/** Merges or closes a pull request of a host without pages of its own. */
export async function changePullRequest(input?: ControlRequestInput): Promise<void> {
  await host.carryOutRequest({ requestId: input?.requestId, kind: 'changePullRequest' });
}

/** Reports whether the workers have what a model needs. Only workers know its keys and addresses. */
export async function checkModel(input?: ControlRequestInput): Promise<void> {
  await models.carryOutRequest({ requestId: input?.requestId, kind: 'checkModel' });
}

/** Has a model answer one small question. */
export async function testModel(input?: ControlRequestInput): Promise<void> {
  await answers.carryOutRequest({ requestId: input?.requestId, kind: 'testModel' });
}

/** Asks the code host for the state of a pull request. */
export async function refreshPullRequest(input?: ControlRequestInput): Promise<void> {
  await host.carryOutRequest({ requestId: input?.requestId, kind: 'refreshPullRequest' });
}

/** Sends a `ping` to a webhook. */
export async function testWebhook(input?: ControlRequestInput): Promise<void> {
  await answers.carryOutRequest({ requestId: input?.requestId, kind: 'testWebhook' });
}

const SCHEDULED_AT = defineSearchAttributeKey('TemporalScheduledStartTime', SearchAttributeType.DATETIME);

/** A row of ours: tried until the database is back. */
const { writeOccurrence } = proxyActivities<TriggerActivities>({
  startToCloseTimeout: '20 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** Writes one occurrence of an automation's schedule into the inbox, under its scheduled time. */
export async function recordOccurrence(input?: RecordOccurrenceInput): Promise<void> {
  const scheduledAt = workflowInfo().typedSearchAttributes.get(SCHEDULED_AT);
  // Started by something other than a schedule.
  if (!input || !scheduledAt) return;
  await writeOccurrence({ ...input, scheduledAt: scheduledAt.toISOString() });
}

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
