import { Command } from 'commander';
import { answerOf } from '@docent/base/terminal/api-answer';
import { confirm, YES } from '@docent/base/terminal/confirm';
import { inUtc, print, safe, tableOr } from '@docent/base/terminal/terminal-text';
import { readSecretFile } from '../parsing.ts';
import { targetOf, withProject } from '../server.ts';

interface Options {
  json?: boolean;
  yes?: boolean;
}

/** `docent secret …` */
export function secretCommand(): Command {
  const secret = new Command('secret').description('secrets that automations refer to by name');
  withProject(secret.command('set <name>'))
    .description('store a secret, or replace it; it cannot be read again')
    .requiredOption('--value <file>', 'a file with the secret ("-" is standard input)')
    .addHelpText(
      'after',
      `
Example:
  $ echo "whsec_$(openssl rand -base64 32)" > chat.secret
  $ docent secret set chat --value chat.secret --project acme-docs`,
    )
    .action(set);
  withProject(secret.command('list')).description('list the names of the secrets').action(list);
  withProject(secret.command('remove <name>'))
    .description('remove a secret; runs that need it fail')
    .option(...YES)
    .action(remove);
  return secret;
}

async function set(name: string, options: Options & { value: string }, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const params = { path: { projectId, secretName: name } };
  const body = { value: readSecretFile('secret', options.value) };
  const request = server.client.PATCH('/v1/projects/{projectId}/secrets/{secretName}', { params, body });
  const stored = await answerOf(server.url, request);
  print(options.json, stored, () => `Stored ${safe(name)}.`);
}

async function list({ json }: Options, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const request = server.client.GET('/v1/projects/{projectId}/secrets', { params: { path: { projectId } } });
  const { secrets } = await answerOf(server.url, request);
  print(json, secrets, () =>
    tableOr(
      'No secrets yet. Store one: docent secret set NAME --value FILE --project ID',
      ['NAME', 'SET'],
      secrets.map(({ name, updatedAt }) => [name, inUtc(updatedAt)]),
    ),
  );
}

async function remove(name: string, options: Options, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  await confirm(`Runs that need the secret ${name} of ${projectId} at ${server.url} fail.`, options);
  const params = { path: { projectId, secretName: name } };
  const request = server.client.DELETE('/v1/projects/{projectId}/secrets/{secretName}', { params });
  await answerOf(server.url, request);
  print(options.json, { name, removed: true }, () => `Removed ${safe(name)}.`);
}
