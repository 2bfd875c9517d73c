import { NEW_JOB } from '../../jobs/job-context.ts';
import { AppError } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/faults.ts';
import { contextText, withContext } from '@docent/recipes/prompt-context';
import {
  branchOfRun,
  findAutomation,
  lockAutomation,
  noteRun,
  webhookSecretOf,
  type AutomationRow,
} from '../../store/automations.ts';
import type { Queryable } from '../../store/database.ts';
import type { JobRow } from '../../store/jobs.ts';
import { holdProject } from '../../store/projects.ts';
import type { Handler, Handlers } from '../contract/handler.ts';
import type { components } from '../generated/openapi.ts';
import { replayHeaders } from '../middleware/idempotency.ts';
import { presentJob } from '../presenters/job.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';
import { acceptOnce, type Accept } from './accept-job.ts';
import { withAutomation } from './automations.ts';
import { createdJob } from './jobs.ts';
import { chosenModel } from './new-job.ts';

const MAX_CONTEXT = 16_384;
/** Runs in a row whose branches other jobs may have. */
const MAX_SKIPPED = 100;

interface Asked {
  projectId: string;
  id: string;
  body: components['schemas']['AutomationTrigger'] | undefined;
  request: RequestContext;
}

/**
 * Creates the job of a run, at most once per Idempotency-Key: job, run number and last job are written together.
 * @throws AppError `automation_not_found`, `automation_disabled` (409), `bad_request` for a context that is too long, `unavailable` where
 *   somebody changed its model in this moment, and whatever refuses a job
 */
async function trigger<A extends { status: number; body: object }>(
  asked: Asked,
  services: ApiServices,
  present: (job: JobRow) => A,
) {
  const { projectId, id, body, request } = asked;
  const { db } = services;
  const context = body?.context;
  if (contextText(context).length > MAX_CONTEXT) {
    throw new AppError('bad_request', '`context` has more than 16,384 characters as JSON. Send what matters alone.');
  }
  const before = await findAutomation(db, { projectId, id });
  // Looked at before the transaction: a worker is asked. What is missing or switched off is refused there.
  const named = before?.enabled ? (before.model ?? undefined) : undefined;
  const model = named && (await chosenModel({ model: named }, projectId, request, services));
  return withAutomation(db, projectId, () =>
    acceptOnce({ projectId, request }, services, async (tx, accept) => {
      // First the project, as whoever deletes it does.
      await holdProject(tx, projectId);
      const automation = await lockAutomation(tx, { projectId, id });
      mustBeOn(automation);
      if ((automation.model ?? undefined) !== named) throw changedMeanwhile();
      return present(await acceptRun(tx, accept, services, { automation, model, context }));
    }),
  );
}

async function acceptRun(
  tx: Queryable,
  accept: Accept,
  { secrets }: ApiServices,
  run: { automation: AutomationRow; model: string | undefined; context: string | object | undefined },
): Promise<JobRow> {
  const { automation, model, context } = run;
  const { options, metadata, webhook, runs } = automation;
  const wanted = {
    prompt: withContext(automation.prompt, context),
    metadata,
    model,
    webhook: webhook && { ...webhook, secret: webhookSecretOf(secrets, automation) },
    automation: { id: automation.id, name: automation.name },
  };
  for (let no = runs + 1; ; no++) {
    try {
      const branch = branchOfRun(options.branch, no);
      const job = await accept({ ...wanted, options: { ...options, ...(branch === undefined ? {} : { branch }) } });
      await noteRun(tx, automation, { run: no, jobId: job.id });
      faultPoint('run-noted');
      return job;
    } catch (err) {
      // It is said by a look at the rows, which leaves the transaction whole.
      const isTaken = err instanceof AppError && err.code === 'branch_taken';
      if (!isTaken || no > runs + MAX_SKIPPED) throw err;
    }
  }
}

function mustBeOn({ id, enabled }: AutomationRow): void {
  if (enabled) return;
  throw new AppError(
    'automation_disabled',
    `The automation ${id} is switched off. Switch it on first: docent automation update ${id} --enable`,
  );
}

function changedMeanwhile(): AppError {
  return new AppError('unavailable', 'The model of the automation was changed in this moment. Repeat the request.', {
    retryAfterSeconds: 1,
  });
}

const triggerAutomation: Handler<'triggerAutomation'> = async ({ path, body, request }, services) => {
  const { projectId, automationId: id } = path;
  const answer = await trigger({ projectId, id, body, request }, services, (job) => ({
    status: 201 as const,
    body: presentJob(job, NEW_JOB),
  }));
  return createdJob(answer, path, request, services);
};

/** In the form of the hosted service, where a run and the job that carries it out have an id each: here they are one. */
const triggerWorkflow: Handler<'triggerWorkflow'> = async ({ path, body, request }, services) => {
  const { projectId, workflowSchemaId: id } = path;
  const answer = await trigger({ projectId, id, body, request }, services, (job) => ({
    status: 202 as const,
    body: { schemaId: id, instanceId: job.id, jobId: job.id },
  }));
  request.createdJobId = answer.body.jobId;
  return { ...answer, headers: replayHeaders(answer) };
};

export const triggerRoutes = { triggerAutomation, triggerWorkflow } satisfies Partial<Handlers>;
