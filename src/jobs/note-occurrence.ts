import { DAY_MS, MINUTE_MS } from '@docent/base/time';
import type { AutomationRow } from '../store/automations/automations.ts';
import type { Queryable } from '../store/database.ts';
import { insertTriggerEvent } from '../store/automations/trigger-events.ts';
import { lastOccurrence, occurrenceKey, occursAt } from './schedule-trigger.ts';

/** How far this process's clock may lag behind Temporal's. */
const MAX_AHEAD_MS = DAY_MS;
/** Temporal has this long to report an occurrence, after its jitter. */
const GRACE_MS = 2 * MINUTE_MS;

type Scheduled = Pick<AutomationRow, 'projectId' | 'id' | 'trigger'>;

/** The kind of an occurrence that the database knew before it was restored. Others have none. */
export const REPORTED = 'reported';

/**
 * Writes a schedule's occurrence into the inbox. Idempotent by its time. One that this process's clock has
 * not reached waits there until then. Ignores times outside the schedule, which may have changed.
 * @returns whether the inbox has it
 */
export async function noteOccurrence(
  q: Queryable,
  { projectId, id, trigger }: Scheduled,
  at: Date,
  event: typeof REPORTED | null = null,
): Promise<boolean> {
  if (trigger.type !== 'schedule' || !occursAt(trigger, at) || at.getTime() > Date.now() + MAX_AHEAD_MS) return false;
  await insertTriggerEvent(q, {
    source: `schedule:${projectId}/${id}`,
    deliveryId: occurrenceKey(trigger, at),
    projectId,
    automationId: id,
    headers: {},
    event,
    body: Buffer.from(at.toISOString()),
    ...(at.getTime() > Date.now() ? { dueAt: at } : {}),
  });
  return true;
}

/**
 * The newest occurrence that Temporal must have reported by now. Temporal may have been restored or lost,
 * and it omits some when clocks change.
 * @param of.keepDays how long the inbox remembers those that were reported
 */
export function overdueOccurrence(
  { trigger, updatedAt }: Pick<AutomationRow, 'trigger' | 'updatedAt'>,
  { now, keepDays }: { now: Date; keepDays: number },
): Date | null {
  if (trigger.type !== 'schedule') return null;
  const until = new Date(now.getTime() - trigger.jitterMinutes * MINUTE_MS - GRACE_MS);
  const after = new Date(Math.max(updatedAt.getTime(), now.getTime() - (keepDays - 1) * DAY_MS));
  return lastOccurrence(trigger, { after, until });
}
