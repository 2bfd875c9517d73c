import type { Command } from 'commander';
import { fields, print, table } from '@docent/base/terminal/terminal-text';
import { answerOf } from '@docent/base/terminal/api-answer';
import { serverOf } from './server.ts';
import { dollars, usageWords } from './usage-words.ts';

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
    if (answer.days.length === 0) return 'No model usage in this period.';
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
