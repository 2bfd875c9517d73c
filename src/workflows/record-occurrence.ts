import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { TriggerActivities } from '../activities/triggers/trigger-activities.ts';
import type { RecordOccurrenceInput } from './contract.ts';

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
