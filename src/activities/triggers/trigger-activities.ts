import { noteOccurrence } from '../../jobs/note-occurrence.ts';
import { faultPoint } from '../../platform/faults.ts';
import { findAutomation } from '../../store/automations/automations.ts';
import type { ActivityDeps } from '../deps.ts';
import { runActivity } from '../run-activity.ts';

export type TriggerActivities = ReturnType<typeof createTriggerActivities>;

export function createTriggerActivities({ db, log }: Pick<ActivityDeps, 'db' | 'log'>) {
  return {
    /**
     * Writes an occurrence of a schedule into the inbox. Idempotent: see note-occurrence.ts.
     * @param input.scheduledAt ISO 8601
     */
    async writeOccurrence(input: {
      projectId: string;
      automationId: string;
      scheduledAt: string;
    }): Promise<{ isWritten: boolean }> {
      return runActivity(log, {}, async () => {
        const { projectId, automationId } = input;
        const automation = await findAutomation(db, { projectId, id: automationId });
        const isWritten = automation !== null && (await noteOccurrence(db, automation, new Date(input.scheduledAt)));
        faultPoint('event-stored');
        return { isWritten };
      });
    },
  };
}
