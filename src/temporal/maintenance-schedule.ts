import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client } from '@temporalio/client';
import { taskQueueOf, WORKFLOW } from '../workflows/contract.ts';

/** How often page views are merged and compacted. */
const EVERY = '2 minutes';

/** Schedules the maintenance of analytics, one run at a time. Idempotent. */
export async function scheduleMaintenance(client: Client, installationId: string): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: `docent-${installationId}-analytics`,
      spec: { intervals: [{ every: EVERY }] },
      action: {
        type: 'startWorkflow',
        workflowType: WORKFLOW.maintainAnalytics,
        workflowId: `docent-${installationId}-analytics`,
        taskQueue: taskQueueOf(installationId),
        args: [],
        workflowExecutionTimeout: '2 hours',
      },
      // A long run is not joined by others, and missed runs are not repeated.
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
    });
  } catch (err) {
    if (!(err instanceof ScheduleAlreadyRunning)) throw err;
  }
}
