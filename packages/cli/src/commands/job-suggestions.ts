import type { Command } from 'commander';
import { RECIPES, type RecipeField } from '@docent/recipes/recipes';
import { answerOf } from '@docent/base/terminal/api-answer';
import { bold, print, safe } from '@docent/base/terminal/terminal-text';
import { targetOf, withProject } from '../server.ts';

/** `docent job suggestions` and `docent job recipes` */
export function addSuggestionsCommand(job: Command): void {
  withProject(job.command('suggestions'))
    .description('suggest prompts from failed searches, broken links and docs problems')
    .action(suggestions);
  job
    .command('recipes')
    .description('list the recipes of the built-in editor (model `builtin`) with an example prompt each')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Fields are in quotes. A field in brackets is optional.

Example:
  $ docent job run 'Add a redirect from "/start" to "quickstart"'`,
    )
    .action(recipes);
}

function recipes({ json }: { json?: boolean }): void {
  const listed = RECIPES.map(({ id, title, fields, example, prompt }) => ({
    id,
    title,
    fields,
    example: prompt(example),
  }));
  print(json, listed, () =>
    [
      ...listed.map(
        ({ title, example, fields }) => `${bold(title)}${namesOf(fields)}\n  ${example.replaceAll('\n', '\n  ')}`,
      ),
      'For free-form prompts, set up a language model: docent model set --help',
    ].join('\n\n'),
  );
}

function namesOf(fields: readonly RecipeField[]): string {
  return ` (${fields.map(({ label, isOptional }) => (isOptional ? `[${label}]` : label).toLowerCase()).join(', ')})`;
}

async function suggestions({ json }: { json?: boolean }, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const params = { path: { projectId } };
  const found = await answerOf(server.url, server.client.GET('/v1/projects/{projectId}/suggestions', { params }));
  print(json, found.suggestions, () =>
    [
      ...found.suggestions.map(({ title, prompt }) => `${bold(safe(title))}\n${safe(prompt)}`),
      ...(found.suggestions.length === 0 ? ['No suggestions yet.'] : []),
      ...(found.model === 'builtin' ? [setUpModel(server.url)] : []),
    ].join('\n\n'),
  );
}

function setUpModel(url: string): string {
  const docs = `${url.replace(/\/+$/, '')}/docs/agent/models#choose-a-model`;
  return `The model builtin only follows recipes (docent job recipes). For free-form prompts, set up a language model: ${docs}`;
}
