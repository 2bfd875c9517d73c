/** All workflows of a worker: what the bundle's entry point exports is what can be started. */
export { agentJob } from './agent-job.ts';
export { maintainAnalytics } from './maintain-analytics.ts';
export { changePullRequest, checkHost, checkModel, checkRepository, testModel } from './short-workflows.ts';
