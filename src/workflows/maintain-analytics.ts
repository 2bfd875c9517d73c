import { isCancellation, log, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { AnalyticsActivities } from '../activities/upkeep/analytics-activities.ts';

const { analyticsProjects, maintainProject, collectGarbage } = proxyActivities<AnalyticsActivities>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '20 seconds',
  // The next run comes in a few minutes anyway.
  retry: { maximumAttempts: 3 },
});

/**
 * Keeps analytics fast and small: merges what came in, puts small files together, lets go of what is older than it may be, and
 * deletes files that nobody reads any more. Run by a schedule; answers are the same whether it runs or not.
 */
export async function maintainAnalytics(): Promise<{ projects: number; failed: string[] }> {
  const projects = await analyticsProjects();
  const failed: string[] = [];
  const lines: string[] = [];
  for (const projectId of projects) {
    try {
      const { words } = await maintainProject.executeWithOptions({ summary: projectId }, [{ projectId }]);
      lines.push(`- ${projectId}: ${words}`);
    } catch (err) {
      if (isCancellation(err)) throw err;
      log.warn('a project could not be maintained', { projectId });
      failed.push(projectId);
      lines.push(`- ${projectId}: failed, the next run tries again`);
    }
    setCurrentDetails(lines.join('\n'));
  }
  await collectGarbage();
  return { projects: projects.length, failed };
}
