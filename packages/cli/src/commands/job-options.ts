import type { components, Job } from '@docent/client';
import { Option, type Command } from 'commander';
import { fields, inUtc } from '@docent/base/terminal/terminal-text';
import { dollars, keyValue, wholeNumber } from '../parsing.ts';
import { usageText } from '../usage-text.ts';
import { jobWebhookOf, withJobWebhook, type JobWebhookOptions } from '../webhook-options.ts';

type NewJob = components['schemas']['NewJob'];

interface BudgetOptions {
  budgetTokens?: number;
  budgetUsd?: number;
}

export interface NewJobOptions
  extends BudgetOptions, JobWebhookOptions, Omit<NewJob, 'prompt' | 'budget' | 'webhook'> {}

export interface ChangeOptions extends BudgetOptions {
  title?: string;
  metadata?: Record<string, string>;
  removeMetadata?: string[];
  /** False for `--no-budget`. */
  budget?: boolean;
}

const MOST_TOKENS = 999_999_999;

const BRANCH = 'new branch for the commits (default: <branch prefix>/<job id>)';

/** Adds options of a new job. @param branch what `--branch` means */
export function withNewJobOptions(command: Command, branch = BRANCH): Command {
  return withJobWebhook(withBudget(command))
    .option('--ref <branch>', "base branch of the pull request (default: the project's)")
    .option('--branch <name>', branch)
    .option('--model <model>', "model to use (default: the project's)")
    .addOption(
      new Option('--effort <effort>', 'reasoning effort, if the model supports it').choices(['low', 'medium', 'high']),
    )
    .addOption(
      new Option('--mode <mode>', 'what to do with the change (default: pull-request)').choices([
        'pull-request',
        'preview',
        'ask',
        'push',
      ]),
    )
    .option('--draft', 'open the pull request as a draft')
    .option('--no-draft', "open it for review, even if the project's default is a draft")
    .option('--title <title>', 'title of the job and its pull request (default: generated)')
    .option(
      '--metadata <name=value>',
      'your own label, which you can filter by in `job list`; can be repeated',
      keyValue,
    );
}

/** Adds what can be changed of a job. */
export function withChangeOptions(command: Command): Command {
  return withBudget(command)
    .option('--no-budget', "remove the job's own budget")
    .option('--title <title>', 'new title')
    .option('--metadata <name=value>', 'set a label; can be repeated', keyValue)
    .option('--remove-metadata <name>', 'remove a label; can be repeated', (name: string, before?: string[]) => [
      ...(before ?? []),
      name,
    ]);
}

function withBudget(command: Command): Command {
  return command
    .option(
      '--budget-tokens <number>',
      "most tokens that the job may use, if lower than the project's limit",
      wholeNumber(1, MOST_TOKENS),
    )
    .option('--budget-usd <dollars>', "most that the job may cost, if lower than the project's limit", dollars);
}

/** The body of a new job, without its prompt. @throws CliFailure */
export function bodyOf(options: NewJobOptions): Omit<NewJob, 'prompt'> {
  const { mode, ref, branch, model, effort, draft, title, metadata } = options;
  const nested = { budget: budgetOf(options), webhook: jobWebhookOf(options) };
  return { mode, ref, branch, model, effort, draft, title, metadata, ...nested };
}

/** The body of a change. */
export function changeOf(options: ChangeOptions): components['schemas']['JobChange'] {
  const { title, metadata, removeMetadata = [], budget } = options;
  const removed = Object.fromEntries(removeMetadata.map((name) => [name, null]));
  const own = budgetOf(options) ?? (budget === false ? null : undefined);
  const labels = metadata || removeMetadata.length > 0 ? { ...removed, ...metadata } : undefined;
  return { title, budget: own, metadata: labels };
}

function budgetOf({ budgetTokens, budgetUsd }: BudgetOptions): NewJob['budget'] {
  if (budgetTokens === undefined && budgetUsd === undefined) return undefined;
  return { tokens: budgetTokens, usd: budgetUsd };
}

/** A job for people, with its options if it has any. */
export function describeJob(job: Job): string {
  return fields({
    id: job.id,
    state: stateText(job),
    status: job.status,
    ...(job.queue ? { queue: queueText(job.queue.position) } : {}),
    outcome: job.outcome ?? '–',
    ...(job.mode === 'pull-request' ? {} : { mode: job.mode }),
    ...(job.pendingChanges ? { 'ready to publish': sizeText(job.pendingChanges) } : {}),
    title: job.title,
    repository: job.source.repository,
    ref: job.source.ref,
    ...(job.ref === null ? {} : { base: job.ref }),
    ...(job.branch === null ? {} : { branch: job.branch }),
    model: job.model,
    ...(job.effort === null ? {} : { effort: job.effort }),
    ...(job.draft === null ? {} : { draft: job.draft ? 'yes' : 'no' }),
    ...(job.budget === null ? {} : { budget: budgetText(job.budget) }),
    usage: usageText(job.usage),
    'pull request': job.prLink,
    summary: job.summary,
    ...(job.error ? { error: `${job.error.message} (${job.error.code})` } : {}),
    ...(job.webhook === null ? {} : { webhook: `${job.webhook.url}: ${job.webhook.events.join(', ')}` }),
    ...labelsOf(job),
    ...(job.automationId === null ? {} : { automation: job.automationId }),
    created: inUtc(job.createdAt),
    updated: inUtc(job.updatedAt),
    ...(job.archivedAt ? { archived: job.archivedAt } : {}),
  });
}

/** Its state, and whether it is archived. */
export function stateText({ state, status }: Pick<Job, 'state' | 'status'>): string {
  return status === 'archived' ? `${state}, archived` : state;
}

/** A line for them, if there are any. */
export function labelsOf({ metadata }: Pick<Job, 'metadata'>): { metadata?: string } {
  const labels = Object.entries(metadata).map(([name, value]) => `${name}=${value}`);
  return labels.length === 0 ? {} : { metadata: labels.join(', ') };
}

export function sizeText({ files, additions, deletions }: NonNullable<Job['pendingChanges']>): string {
  return `${files} ${files === 1 ? 'file' : 'files'}, +${additions} -${deletions}`;
}

function queueText(position: number): string {
  const before = position - 1;
  return before === 0 ? 'next in this project' : `${before} ${before === 1 ? 'job' : 'jobs'} of this project ahead`;
}

/** For people. */
export function budgetText({ tokens, usd }: NonNullable<Job['budget']>): string {
  return [
    ...(tokens === null ? [] : [`${tokens.toLocaleString('en')} tokens`]),
    ...(usd === null ? [] : [`$${usd}`]),
  ].join(', ');
}
