import { acceptRun, promptOfRun } from '../../jobs/automation-run.ts';
import { contextOf, type JobContext } from '../../jobs/job-context.ts';
import { AppError } from '../../platform/errors.ts';
import { contextText } from '@docent/recipes/prompt-context';
import { insertRun } from '../../store/automations/automation-runs.ts';
import type { RunCause } from '../../store/automations/automation-schema.ts';
import { findAutomation, lockAutomation, type AutomationRow } from '../../store/automations/automations.ts';
import type { JobRow } from '../../store/jobs/jobs.ts';
import { holdProject } from '../../store/projects/projects.ts';
import type { Handler } from '../contract/handler.ts';
import type { components } from '@docent/client';
import { presentJob } from '../presenters/job.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';
import { acceptOnce, creatorOf } from './accept-job.ts';
import { createdJob } from './jobs.ts';
import { chosenModel } from './new-job.ts';
import { withReplayHeader } from '../middleware/idempotency.ts';

const MAX_CONTEXT = 16_384;

interface Asked {
  projectId: string;
  id: string;
  body: components['schemas']['AutomationTrigger'] | undefined;
  request: RequestContext;
}

/**
 * Creates the job of a run, at most once per Idempotency-Key: job, run number and last job are written
 * together.
 * @throws AppError `automation_not_found`, `automation_disabled` (409), `bad_request` for a context that is
 *   too long, `unavailable` if its model was changed at the same time, and any refusal of a job
 */
async function trigger<A extends { status: number; body: object }>(
  asked: Asked,
  services: ApiServices,
  present: (job: JobRow, context: JobContext) => A,
) {
  const { projectId, id, body, request } = asked;
  const { db } = services;
  const context = body?.context;
  if (contextText(context).length > MAX_CONTEXT) {
    throw new AppError('bad_request', '`context` is too long. Allowed: 16,384 characters as JSON.');
  }
  const before = await findAutomation(db, { projectId, id });
  // Before the transaction, because it asks a worker. A missing or disabled automation is refused inside it.
  const named = before?.enabled ? (before.model ?? undefined) : undefined;
  const model = named && (await chosenModel({ model: named }, projectId, request, services));
  return acceptOnce({ projectId, request }, services, async (tx, settings) => {
    // First the project: deleting it takes the locks in the same order.
    await holdProject(tx, projectId);
    const automation = await lockAutomation(tx, { projectId, id });
    assertEnabled(automation);
    if ((automation.model ?? undefined) !== named) throw changedMeanwhile();
    const characters = contextText(context).length;
    const material = context === undefined ? null : { commits: 0, files: 0, characters, cut: false };
    const prompt = await promptOfRun(tx, automation, { since: null, material, context });
    const { no, job, isNew } = await acceptRun(tx, { automation, prompt, model }, settings);
    const cause: RunCause = {
      type: 'api',
      source: 'api',
      deliveryId: request.idempotencyKey,
      actor: creatorOf(request).name,
      url: null,
    };
    await insertRun(tx, automation, { no, status: 'running', cause, jobId: job.id, material });
    const answer = present(job, await contextOf(tx, job));
    return { answer, accepted: { job, prompt, isNew } };
  });
}

function assertEnabled({ id, enabled, pausedReason }: AutomationRow): void {
  if (enabled && pausedReason === null) return;
  throw new AppError(
    'automation_disabled',
    `The automation ${id} ${enabled ? `paused itself: ${pausedReason}` : 'is disabled.'} Enable it: docent automation update ${id} --enable`,
  );
}

function changedMeanwhile(): AppError {
  return new AppError('unavailable', 'The model of the automation has just changed. Send the request again.', {
    retryAfterSeconds: 1,
  });
}

export const triggerAutomation: Handler<'triggerAutomation'> = async ({ path, body, request }, services) => {
  const { projectId, automationId: id } = path;
  const answer = await trigger({ projectId, id, body, request }, services, (job, context) => ({
    status: 201 as const,
    body: presentJob(job, context),
  }));
  return createdJob(answer, path, request, services);
};

/** In the form of the hosted service, where a run and its job have separate ids: here they are one. */
export const triggerWorkflow: Handler<'triggerWorkflow' | 'triggerWorkflowByWebhook'> = async (
  { path, body, request },
  services,
) => {
  const { projectId, workflowSchemaId: id } = path;
  const answer = await trigger({ projectId, id, body, request }, services, (job) => ({
    status: 202 as const,
    body: { schemaId: id, instanceId: job.id, jobId: job.id },
  }));
  request.createdJobId = answer.body.jobId;
  return withReplayHeader(answer);
};

export const triggerWorkflowByWebhook: Handler<'triggerWorkflowByWebhook'> = (...call) => triggerWorkflow(...call);
