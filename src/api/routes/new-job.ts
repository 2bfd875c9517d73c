import { findAnswer } from '../../jobs/idempotency.ts';
import { findInstallationModel, modelOfProject } from '../../store/installation/installation-model.ts';
import type { JobBudget, JobMetadata, JobOptions } from '../../store/job-options.ts';
import type { components } from '@docent/client';
import { idempotent } from '../middleware/idempotency.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';
import { dollarSetting, knownModel } from './known-model.ts';
import { requireProject } from '../../store/projects/projects.ts';

type NewJob = components['schemas']['NewJob'];

/** The options of a new job's body as its row stores them. Missing ones are absent. */
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
 * The model of a new job whose body names one, or a budget in dollars. A worker checks that it can use it and
 * knows its price, unless it is the project's model and no price is needed. A repeated request gets its first
 * answer, without a new check.
 * @throws AppError `project_not_found`, `bad_request` that names what is missing, `unavailable` (503)
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
  const project = await requireProject(db, projectId);
  const { model: usual } = modelOfProject(project, await findInstallationModel(db, config.model));
  const dollars = usd === undefined ? dollarSetting(project.settings) : 'budget.usd';
  if (usd !== undefined || (model !== undefined && model !== usual)) {
    await knownModel(services, model ?? usual, request.caller, { dollars });
  }
  return model;
}
