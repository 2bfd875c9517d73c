import type { Handlers } from '../contract/handler.ts';
import { archiveJob } from './archive-job.ts';
import { cancelJob } from './cancel-job.ts';
import { closePullRequest } from './close-pull-request.ts';
import { collectView } from './collect-view.ts';
import { createJob } from './create-job.ts';
import { createKey } from './create-key.ts';
import { createProject } from './create-project.ts';
import { deleteProject } from './delete-project.ts';
import { getAgents } from './get-agents.ts';
import { getHealth } from './get-health.ts';
import { getJobDiff } from './get-job-diff.ts';
import { getJobUsage } from './get-job-usage.ts';
import { getJob } from './get-job.ts';
import { getNotFound } from './get-not-found.ts';
import { getOpenApiJson } from './get-openapi-json.ts';
import { getOpenApiYaml } from './get-openapi-yaml.ts';
import { getPageScript } from './get-page-script.ts';
import { getProject } from './get-project.ts';
import { getProjectUsage } from './get-project-usage.ts';
import { getReadiness } from './get-readiness.ts';
import { getReferrers } from './get-referrers.ts';
import { getTimeseries } from './get-timeseries.ts';
import { getViews } from './get-views.ts';
import { getVisitors } from './get-visitors.ts';
import { listJobEvents } from './list-job-events.ts';
import { listJobs } from './list-jobs.ts';
import { listKeys } from './list-keys.ts';
import { listProjects } from './list-projects.ts';
import { mergePullRequest } from './merge-pull-request.ts';
import { postEvents } from './post-events.ts';
import { revokeKey } from './revoke-key.ts';
import { sendMessage } from './send-message.ts';
import { showPullRequest } from './show-pull-request.ts';
import { unarchiveJob } from './unarchive-job.ts';
import { updateProject } from './update-project.ts';
import { checkHost } from './check-host.ts';
import { createHost } from './create-host.ts';
import { deleteHost } from './delete-host.ts';
import { listHosts } from './list-hosts.ts';
import { updateHost } from './update-host.ts';

export const handlers: Handlers = {
  createJob,
  getJob,
  sendMessage,
  listJobs,
  cancelJob,
  archiveJob,
  unarchiveJob,
  listJobEvents,
  getJobDiff,
  getJobUsage,
  getProjectUsage,
  createProject,
  listProjects,
  getProject,
  updateProject,
  deleteProject,
  createHost,
  listHosts,
  updateHost,
  deleteHost,
  checkHost,
  createKey,
  listKeys,
  revokeKey,
  showPullRequest,
  mergePullRequest,
  closePullRequest,
  getHealth,
  getReadiness,
  getOpenApiJson,
  getOpenApiYaml,
  getVisitors,
  getViews,
  getTimeseries,
  getAgents,
  getReferrers,
  getNotFound,
  postEvents,
  getPageScript,
  collectView,
};
