import { setTimeout as sleep } from 'node:timers/promises';
import type { Model } from '@docent/models/model';
import { costInNanoUsd } from '@docent/models/cost';
import type { Failure } from '@docent/base/failure';
import { jobFailure } from '../../platform/errors.ts';
import { reserveCall } from '../../jobs/budgets.ts';
import type { CallAt } from '../../store/jobs/model-calls.ts';
import type { JobRow } from '../../store/jobs/jobs.ts';
import type { ProjectRow } from '../../store/projects/projects.ts';
import type { Budgets } from '../../store/schema.ts';
import type { ActivityDeps } from '../deps.ts';
import type { Conversation } from './fit-to-window.ts';
import type { ModelWatch } from './model-watch.ts';
import type { ActivityRun } from '../run-activity.ts';

/** The expected size of an answer, above that of most. */
const EXPECTED_OUTPUT = 8_000;
const POLL_MS = 1_000;

/**
 * Waits while other jobs' pending answers may exceed the budget.
 * @throws Failure `budget_job` or `budget_project`
 */
export async function awaitBudget(
  step: {
    deps: ActivityDeps;
    job: JobRow;
    project: ProjectRow;
    model: Model;
    at: CallAt;
    run: ActivityRun;
    watch: ModelWatch;
  },
  { tokens }: Conversation,
): Promise<void> {
  const { deps, job, project, model, at, run, watch } = step;
  const budgets = budgetsOf(deps.settings.budgets, project, job);
  if (Object.values(budgets).every((limit) => limit === undefined)) return;
  const inDollars = budgets.jobUsd !== undefined || budgets.dayUsd !== undefined;
  if (inDollars && !model.price) {
    const code = budgets.jobUsd === undefined ? 'budget_project' : 'budget_job';
    throw jobFailure(
      code,
      `The budget is in dollars, but the price of ${model.id} is unknown. Add it to DOCENT_MODELS_FILE, or set a budget in tokens.`,
    );
  }
  const usage = { inputTokens: tokens, cachedInputTokens: 0, outputTokens: EXPECTED_OUTPUT };
  const expected = { ...usage, costNanoUsd: costInNanoUsd({ ...usage, cacheWriteTokens: 0 }, model.price) };
  for (;;) {
    const verdict = await deps.db.transaction((tx) => reserveCall(tx, at, expected, budgets));
    if (verdict.kind === 'go') return;
    if (verdict.kind === 'spent') throw budgetSpent(verdict.budget, verdict.limit, job);
    watch.say('waiting for other jobs: the budget of the day is nearly spent');
    await sleep(POLL_MS, undefined, { signal: run.signal });
  }
}

/** A job's own budget makes the project's smaller, never larger. */
export function budgetsOf(
  installation: Budgets,
  { settings }: Pick<ProjectRow, 'settings'>,
  { options }: Pick<JobRow, 'options'>,
): Budgets {
  return {
    jobTokens: lower(settings.budgetJobTokens ?? installation.jobTokens, options.budget?.tokens),
    jobUsd: lower(settings.budgetJobUsd ?? installation.jobUsd, options.budget?.usd),
    dayTokens: settings.budgetDayTokens ?? installation.dayTokens,
    dayUsd: settings.budgetDayUsd ?? installation.dayUsd,
  };
}

function lower(allowed: number | undefined, own: number | undefined): number | undefined {
  return allowed === undefined || own === undefined ? (own ?? allowed) : Math.min(allowed, own);
}

function budgetSpent(budget: keyof Budgets, limit: number, { id, options }: JobRow): Failure {
  const amount = budget === 'jobUsd' || budget === 'dayUsd' ? `$${limit}` : `${limit.toLocaleString('en')} tokens`;
  const isOwn = limit === (budget === 'jobUsd' ? options.budget?.usd : options.budget?.tokens);
  return budget === 'jobTokens' || budget === 'jobUsd'
    ? jobFailure(
        'budget_job',
        `The job has spent its budget of ${amount}. Its changes are kept. Raise ${isOwn ? `the job's own budget (\`docent job update ${id}\`)` : 'the budget'} and send a message to continue.`,
      )
    : jobFailure(
        'budget_project',
        `The project has spent its budget of ${amount} for today (UTC). Its changes are kept. Send a ` +
          'message tomorrow, or raise the budget and send one now.',
      );
}
