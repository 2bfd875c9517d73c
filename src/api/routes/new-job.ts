import { findAnswer } from '../../jobs/idempotency.ts';
import { findInstallationModel, modelOfProject } from '../../store/installation/installation-model.ts';
import type { JobBudget, JobMetadata, JobOptions } from '../../store/job-options.ts';
import { findProject, projectNotFound } from '../../store/projects/projects.ts';
import type { components } from '../generated/openapi.ts';
import { idempotent } from '../middleware/idempotency.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';
import { dollarSetting, knownModel } from './known-model.ts';

type NewJob = components['schemas']['NewJob'];

/** What a new job's body says beside its prompt, as its row keeps it. What was not said is absent. */
export function optionsOf({
  ref,
  branch,
  title,
  effort,
  draft,
  budget,
  attachments,
  metadata,
  mode: given,
}: Omit<NewJob, 'prompt'>): {
  options: JobOptions;
  metadata: JobMetadata;
} {
  const files = attachments?.length ? attachments : undefined;
  const mode = given === 'pull-request' ? undefined : given;
  const said = { mode, ref, branch, title, effort, draft, budget: budget && budgetOf(budget), attachments: files };
  const options = Object.entries(said).filter(([, value]) => value !== undefined);
  return { options: Object.fromEntries(options), metadata: metadata ?? {} };
}

/** Undefined for one that limits nothing. */
export function budgetOf({ tokens, usd }: JobBudget): JobBudget | undefined {
  if (tokens === undefined && usd === undefined) return undefined;
  return { ...(tokens !== undefined && { tokens }), ...(usd !== undefined && { usd }) };
}

/**
 * The model that a new job is to have, where its body names one, or a budget in dollars: a worker looks
 * whether it can use it, and knows its price, unless the project has it anyway and no price is needed. A
 * request that is repeated gets its first answer, whatever a worker would say now.
 * @throws AppError `project_not_found`, `bad_request` with a sentence that says what is missing,
 * `unavailable` (503)
 */
export async function chosenModel(
  { model, budget }: Pick<NewJob, 'model' | 'budget'>,
  projectId: string,
  request: RequestContext,
  services: ApiServices,
): Promise<string | undefined> {
  const usd = budget?.usd;
  if (model === undefined && usd === undefined) return undefined;
  const { db, config } = services;
  const key = idempotent(request, services, projectId);
  if (key && (await findAnswer(db, key))) return model;
  const project = await findProject(db, projectId);
  if (!project) throw projectNotFound(projectId);
  const { model: usual } = modelOfProject(project, await findInstallationModel(db, config.model));
  const dollars = usd === undefined ? dollarSetting(project.settings) : 'budget.usd';
  if (usd !== undefined || (model !== undefined && model !== usual)) {
    await knownModel(services, model ?? usual, request.caller, { dollars });
  }
  return model;
}
