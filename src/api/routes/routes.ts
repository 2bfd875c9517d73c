import type { Handlers } from '../contract/handler.ts';
import * as annotationRoutes from './annotations.ts';
import * as analyticsRoutes from './analytics.ts';
import * as attachmentRoutes from './attachments.ts';
import * as auditRoutes from './audit.ts';
import * as automationPlanRoutes from './automation-plan.ts';
import * as automationRoutes from './automations.ts';
import * as automationRunRoutes from './automation-runs.ts';
import * as eventRoutes from './events.ts';
import * as healthRoutes from './installation-health.ts';
import * as hookRoutes from './hooks.ts';
import * as hostRoutes from './hosts.ts';
import * as jobChangeRoutes from './job-changes.ts';
import * as jobEventRoutes from './job-events.ts';
import * as jobRoutes from './jobs.ts';
import * as jobMessageRoutes from './job-messages.ts';
import * as keyRoutes from './keys.ts';
import * as modelRoutes from './model.ts';
import * as openIdRoutes from './open-id.ts';
import * as pageScriptRoutes from './page-script.ts';
import * as personRoutes from './people.ts';
import * as projectRoutes from './projects.ts';
import * as pullRequestEffectRoutes from './pull-request-effect.ts';
import * as pullRequestRoutes from './pull-requests.ts';
import * as readerWordRoutes from './reader-reports.ts';
import * as repositoryRoutes from './repositories.ts';
import * as serviceRoutes from './service.ts';
import * as sessionRoutes from './sessions.ts';
import * as shareLinkRoutes from './share-links.ts';
import * as signInRoutes from './sign-in.ts';
import * as sourceRoutes from './sources.ts';
import * as projectSecretRoutes from './project-secrets.ts';
import * as suggestionRoutes from './suggestions.ts';
import * as tokenRoutes from './tokens.ts';
import * as triggerRoutes from './trigger.ts';
import * as usageRoutes from './usage.ts';
import * as webhookRoutes from './webhooks.ts';

/** One function for every operation, exported under its operationId by a file of this folder. */
export const handlers: Handlers = {
  ...jobRoutes,
  ...jobChangeRoutes,
  ...jobMessageRoutes,
  ...attachmentRoutes,
  ...jobEventRoutes,
  ...pullRequestEffectRoutes,
  ...pullRequestRoutes,
  ...projectRoutes,
  ...repositoryRoutes,
  ...hostRoutes,
  ...sessionRoutes,
  ...keyRoutes,
  ...sourceRoutes,
  ...projectSecretRoutes,
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
  ...annotationRoutes,
  ...shareLinkRoutes,
  ...eventRoutes,
  ...pageScriptRoutes,
  ...readerWordRoutes,
  ...healthRoutes,
  ...serviceRoutes,
};
