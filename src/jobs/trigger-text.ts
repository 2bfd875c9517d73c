import type { RunCause, Trigger } from '../store/automation-schema.ts';
import { scheduleText } from './schedule-trigger.ts';

/** A trigger in words. */
export function triggerText(trigger: Trigger): string {
  if (trigger.type === 'schedule') return scheduleText(trigger);
  if (trigger.type === 'webhook') {
    return trigger.filter === undefined ? 'On each delivery' : `On deliveries for which ${trigger.filter} is true`;
  }
  return 'By the API';
}

/** What started a run, in a few words: hostile where it comes from a sender. */
export function causeText({ type, deliveryId, actor }: RunCause): string {
  if (type === 'api') return actor === null ? 'called by the API' : `called by ${actor}`;
  if (type === 'schedule') return `scheduled for ${deliveryId ?? 'this time'}`;
  return actor === null ? 'a delivery' : `a delivery of ${actor}`;
}
