import { occurrenceKey, occursAt } from '../../jobs/schedule-trigger.ts';
import { faultPoint } from '../../platform/faults.ts';
import { findAutomation } from '../../store/automations/automations.ts';
import { insertTriggerEvent } from '../../store/automations/trigger-events.ts';
import type { ActivityDeps } from '../deps.ts';
import { runActivity } from '../run-activity.ts';

export type TriggerActivities = ReturnType<typeof createTriggerActivities>;

export function createTriggerActivities({ db, log }: Pick<ActivityDeps, 'db' | 'log'>) {
  return {
    /**
     * Writes a schedule's occurrence into the inbox. Idempotent by its time. Ignores future ones and those
     * outside a changed schedule. @param input.scheduledAt ISO 8601
     */
    async writeOccurrence(input: {
      projectId: string;
      automationId: string;
      scheduledAt: string;
    }): Promise<{ isWritten: boolean }> {
      return runActivity(log, {}, async () => {
        const { projectId, automationId } = input;
        const automation = await findAutomation(db, { projectId, id: automationId });
        const scheduledAt = new Date(input.scheduledAt);
        if (automation?.trigger.type !== 'schedule') return { isWritten: false };
        if (scheduledAt.getTime() > Date.now() || !occursAt(automation.trigger, scheduledAt)) {
          return { isWritten: false };
        }
        await insertTriggerEvent(db, {
          source: `schedule:${projectId}/${automationId}`,
          deliveryId: occurrenceKey(automation.trigger, scheduledAt),
          projectId,
          automationId,
          headers: {},
          event: null,
          body: Buffer.from(scheduledAt.toISOString()),
        });
        faultPoint('event-stored');
        return { isWritten: true };
      });
    },
  };
}
