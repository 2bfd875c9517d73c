import { Command } from 'commander';
import { answerOf } from '@docent/base/terminal/api-answer';
import { print, table } from '@docent/base/terminal/terminal-text';
import { targetOf, withProject } from './server.ts';

/** `docent analytics live`: through the API, as `show`. */
export function analyticsLiveCommand(): Command {
  return withProject(new Command('live'))
    .description('show current readers: the last five minutes, by page and AI agent (through the API)')
    .action(live);
}

async function live({ json }: { json?: boolean }, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const params = { path: { projectId } };
  const found = await answerOf(server.url, server.client.GET('/v1/analytics/{projectId}/live', { params }));
  const { visitors, views, pages, agents } = found;
  const rowOf = (name: string, counts: typeof visitors) => [name, counts.human, counts.ai, counts.total].map(String);
  print(json, found, () =>
    [
      table(['LAST 5 MINUTES', 'HUMAN', 'AI', 'TOTAL'], [rowOf('visitors', visitors), rowOf('views', views)]),
      ...(pages.length > 0
        ? [
            table(
              ['PAGE', 'HUMAN', 'AI', 'VISITORS'],
              pages.map((page) => rowOf(page.path, page.visitors)),
            ),
          ]
        : []),
      ...(agents.length > 0
        ? [
            table(
              ['AGENT', 'VIEWS'],
              agents.map((agent) => [agent.agent, String(agent.views)]),
            ),
          ]
        : []),
    ].join('\n\n'),
  );
}
