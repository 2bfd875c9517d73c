import type { Handlers } from '../contract/handler.ts';
import { analyticsRoutes } from './analytics.ts';
import { eventRoutes } from './events.ts';
import { hostRoutes } from './hosts.ts';
import { jobChangeRoutes } from './job-changes.ts';
import { jobRoutes } from './jobs.ts';
import { keyRoutes } from './keys.ts';
import { modelRoutes } from './model.ts';
import { pageScriptRoutes } from './page-script.ts';
import { projectRoutes } from './projects.ts';
import { pullRequestRoutes } from './pull-requests.ts';
import { serviceRoutes } from './service.ts';
import { usageRoutes } from './usage.ts';

/** One function for every operation of the contract, by its operationId. */
export const handlers: Handlers = {
  ...jobRoutes,
  ...jobChangeRoutes,
  ...pullRequestRoutes,
  ...projectRoutes,
  ...hostRoutes,
  ...keyRoutes,
  ...modelRoutes,
  ...usageRoutes,
  ...analyticsRoutes,
  ...eventRoutes,
  ...pageScriptRoutes,
  ...serviceRoutes,
};
