import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client } from '@temporalio/client';
import { taskQueueOf, WORKFLOW } from '../workflows/contract.ts';

/** How often expired data is removed. */
const EVERY = '10 minutes';

/** Schedules deleting expired data, one run at a time. Idempotent. */
export async function scheduleRetention(client: Client, installationId: string): Promise<void> {
  const name = `docent-${installationId}-retention`;
  try {
    await client.schedule.create({
      scheduleId: name,
      spec: { intervals: [{ every: EVERY }] },
      action: {
        type: 'startWorkflow',
        workflowType: WORKFLOW.deleteExpired,
        workflowId: name,
        taskQueue: taskQueueOf(installationId),
        args: [],
        workflowExecutionTimeout: '1 hour',
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
      // So that the retention is reported soon after the first start.
      state: { triggerImmediately: true },
    });
  } catch (err) {
    if (!(err instanceof ScheduleAlreadyRunning)) throw err;
  }
}
