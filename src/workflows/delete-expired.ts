import { isCancellation, log, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { RetentionActivities } from '../activities/maintenance/retention-activities.ts';

const { deleteExpiredOf } = proxyActivities<RetentionActivities>({
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '20 seconds',
  // The next run comes in a few minutes anyway.
  retry: { maximumAttempts: 3 },
});

/** Parts of jobs before jobs, so that what goes with its job is not counted twice. */
const RULES = ['transcripts', 'job_events', 'jobs', 'audit_log', 'temporal'] as const;

/** Deletes expired data, by a schedule, one run at a time. A failing rule does not stop the others. */
export async function deleteExpired(): Promise<{ failed: string[] }> {
  const failed: string[] = [];
  const lines: string[] = [];
  for (const rule of RULES) {
    try {
      const { words } = await deleteExpiredOf.executeWithOptions({ summary: rule }, [{ rule }]);
      lines.push(`- ${rule}: ${words}`);
    } catch (err) {
      if (isCancellation(err)) throw err;
      log.warn('expired data could not be deleted', { rule });
      failed.push(rule);
      lines.push(`- ${rule}: failed, the next run tries again`);
    }
    setCurrentDetails(lines.join('\n'));
  }
  return { failed };
}
