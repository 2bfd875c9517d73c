/** All workflows of a worker. Only what the bundle's entry point exports can be started. */
export { agentJob } from './agent-job.ts';
export { maintainAnalytics } from './maintain-analytics.ts';
export { deleteExpired } from './delete-expired.ts';
export { refreshPullRequests } from './refresh-pull-requests.ts';
export {
  changePullRequest,
  checkHost,
  checkModel,
  checkRepository,
  deliverWebhook,
  recordOccurrence,
  refreshPullRequest,
  testModel,
  testWebhook,
} from './short-workflows.ts';
