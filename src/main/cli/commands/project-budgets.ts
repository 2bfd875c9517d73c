import { InvalidArgumentError, type Command } from 'commander';
import { answerOf } from '../../api-answer.ts';
import { fields, print, table } from '../../terminal-text.ts';
import { serverOf } from './server.ts';
import { dollars, usageWords } from './usage-words.ts';

export interface BudgetOptions {
  budgetJobTokens?: number | null;
  budgetJobUsd?: number | null;
  budgetDayTokens?: number | null;
  budgetDayUsd?: number | null;
}

/** The options for what jobs may spend on models. */
export function withBudgets(command: Command): Command {
  return command
    .option('--budget-job-tokens <tokens>', 'tokens that one job may take (`default`: the installation’s)', tokens)
    .option('--budget-job-usd <dollars>', 'US dollars that one job may cost', usd)
    .option('--budget-day-tokens <tokens>', 'tokens that all its jobs may take in a day (UTC)', tokens)
    .option('--budget-day-usd <dollars>', 'US dollars that all its jobs may cost in a day (UTC)', usd);
}

export function budgetSettings({ budgetJobTokens, budgetJobUsd, budgetDayTokens, budgetDayUsd }: BudgetOptions) {
  return { budgetJobTokens, budgetJobUsd, budgetDayTokens, budgetDayUsd };
}

/** `job: 100,000 tokens, day: $5`; null where the installation's hold. */
export function budgetWords(budgets: Required<BudgetOptions>): string | null {
  const given = [
    budgets.budgetJobTokens && `job: ${budgets.budgetJobTokens.toLocaleString('en')} tokens`,
    budgets.budgetJobUsd && `job: $${budgets.budgetJobUsd}`,
    budgets.budgetDayTokens && `day: ${budgets.budgetDayTokens.toLocaleString('en')} tokens`,
    budgets.budgetDayUsd && `day: $${budgets.budgetDayUsd}`,
  ].filter(Boolean);
  return given.length > 0 ? given.join(', ') : null;
}

/** `docent project usage` */
export async function showUsage(
  projectId: string,
  { from, to, json }: { from?: string; to?: string; json?: boolean },
  command: Command,
): Promise<void> {
  const { client, url } = serverOf(command);
  const query = { ...(from ? { dateFrom: from } : {}), ...(to ? { dateTo: to } : {}) };
  const request = client.GET('/v2/agent/{projectId}/usage', { params: { path: { projectId }, query } });
  const answer = await answerOf(url, request);
  print(json, answer, () => {
    if (answer.days.length === 0) return 'No model was used.';
    const days = answer.days.map(({ day, jobs, usage }) => [
      day,
      ...[jobs, usage.modelCalls, usage.inputTokens, usage.cachedInputTokens, usage.outputTokens].map((value) =>
        value.toLocaleString('en'),
      ),
      dollars(usage.costUsd),
    ]);
    const sum = fields({ total: usageWords(answer.usage) ?? 'no tokens' });
    return `${table(['DAY', 'JOBS', 'CALLS', 'READ', 'CACHED', 'WRITTEN', 'COST'], days)}\n\n${sum}`;
  });
}

function tokens(value: string): number | null {
  if (value === 'default') return null;
  if (!/^[1-9]\d{0,11}$/.test(value)) throw new InvalidArgumentError('It must be a number of tokens, or default.');
  return Number(value);
}

function usd(value: string): number | null {
  if (value === 'default') return null;
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(value) || Number(value) === 0) {
    throw new InvalidArgumentError('It must be an amount such as 5 or 0.25, or default.');
  }
  return Number(value);
}
