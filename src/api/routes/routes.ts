import type { Handlers } from '../contract/handler.ts';
import { analyticsRoutes } from './analytics.ts';
import { attachmentRoutes } from './attachments.ts';
import { auditRoutes } from './audit.ts';
import { automationPlanRoutes } from './automation-plan.ts';
import { automationRoutes } from './automations.ts';
import { automationRunRoutes } from './automation-runs.ts';
import { eventRoutes } from './events.ts';
import { healthRoutes } from './installation-health.ts';
import { hookRoutes } from './hooks.ts';
import { hostRoutes } from './hosts.ts';
import { jobChangeRoutes } from './job-changes.ts';
import { jobEventRoutes } from './job-events.ts';
import { jobRoutes } from './jobs.ts';
import { jobMessageRoutes } from './job-messages.ts';
import { liveRoutes } from './live-visitors.ts';
import { keyRoutes } from './keys.ts';
import { modelRoutes } from './model.ts';
import { openIdRoutes } from './open-id.ts';
import { pageScriptRoutes } from './page-script.ts';
import { personRoutes } from './people.ts';
import { projectRoutes } from './projects.ts';
import { pullRequestRoutes } from './pull-requests.ts';
import { readerWordRoutes } from './reader-words.ts';
import { repositoryRoutes } from './repositories.ts';
import { serviceRoutes } from './service.ts';
import { sessionRoutes } from './sessions.ts';
import { signInRoutes } from './sign-in.ts';
import { sourceRoutes } from './sources.ts';
import { suggestionRoutes } from './suggestions.ts';
import { tokenRoutes } from './tokens.ts';
import { triggerRoutes } from './trigger.ts';
import { usageRoutes } from './usage.ts';
import { webhookRoutes } from './webhooks.ts';

/** One function for every operation of the contract, by its operationId. */
export const handlers: Handlers = {
  ...jobRoutes,
  ...jobChangeRoutes,
  ...jobMessageRoutes,
  ...attachmentRoutes,
  ...jobEventRoutes,
  ...pullRequestRoutes,
  ...projectRoutes,
  ...repositoryRoutes,
  ...hostRoutes,
  ...sessionRoutes,
  ...keyRoutes,
  ...sourceRoutes,
  ...suggestionRoutes,
  ...tokenRoutes,
  ...signInRoutes,
  ...modelRoutes,
  ...usageRoutes,
  ...auditRoutes,
  ...openIdRoutes,
  ...personRoutes,
  ...automationRoutes,
  ...automationPlanRoutes,
  ...automationRunRoutes,
  ...hookRoutes,
  ...triggerRoutes,
  ...webhookRoutes,
  ...analyticsRoutes,
  ...liveRoutes,
  ...eventRoutes,
  ...pageScriptRoutes,
  ...readerWordRoutes,
  ...healthRoutes,
  ...serviceRoutes,
};
