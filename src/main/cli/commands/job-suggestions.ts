import type { Command } from 'commander';
import { answerOf } from '../../api-answer.ts';
import { bold, print, safe } from '../../terminal-text.ts';
import { targetOf, withProject } from './server.ts';

/** `docent job suggestions` */
export function addSuggestionsCommand(job: Command): void {
  withProject(job.command('suggestions'))
    .description('prompts worth posting: from what readers did not find, and what the docs checks saw')
    .action(suggestions);
}

async function suggestions({ json }: { json?: boolean }, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const params = { path: { projectId } };
  const found = await answerOf(server.url, server.client.GET('/v1/projects/{projectId}/suggestions', { params }));
  print(json, found.suggestions, () =>
    found.suggestions.length === 0
      ? 'Nothing to suggest so far.'
      : found.suggestions.map(({ title, prompt }) => `${bold(safe(title))}\n${safe(prompt)}`).join('\n\n'),
  );
}
