import type { components } from '@docent/client';
import { Command } from 'commander';
import { answerOf } from '@docent/base/terminal/api-answer';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { fields, print, safe, tableOr } from '@docent/base/terminal/terminal-text';
import { readSecretFile } from '../parsing.ts';
import { serverOf, withServer, type ServerOptions } from '../server.ts';

type Provider = components['schemas']['ProviderWithKey'];
type InstallationModel = components['schemas']['InstallationModel'];

/** `docent model …` */
export function modelCommand(): Command {
  const model = new Command('model').description('set and test the default model (requires the operator token)');
  withServer(model.command('show')).description('show the default model and where it is set').action(show);
  withServer(model.command('set <model>'))
    .description('set the installation’s model, for new jobs of all projects that name none')
    .addHelpText(
      'after',
      `
Workers need the provider’s key or address: Docent checks this first. \`default\` resets the model to builtin.

Examples:
  $ docent model set anthropic/claude-sonnet-5
  $ docent model set openai-compatible/qwen3
  $ docent model set default`,
    )
    .action(set);
  withServer(model.command('test [model]'))
    .description('send a test request to a model from a worker (default: the default model)')
    .action(test);
  model.addCommand(keyCommand());
  return model;
}

/** `docent model key …` */
function keyCommand(): Command {
  const key = new Command('key').description('API keys of model providers that are stored encrypted in the database');
  withServer(key.command('list')).description('list the providers with a stored key').action(listKeys);
  withServer(key.command('set <provider>'))
    .description('store the key of anthropic, openai, google or openai-compatible')
    .requiredOption('--key <file>', 'file that holds the key; - for standard input')
    .option('--base-url <url>', 'address of the server, for openai-compatible')
    .addHelpText(
      'after',
      `
Workers use the key from their next model call. A key in a worker's environment takes precedence.

Examples:
  $ docent model key set anthropic --key anthropic-key.txt
  $ pass ollama | docent model key set openai-compatible --base-url http://127.0.0.1:11434/v1 --key -`,
    )
    .action(setKey);
  withServer(key.command('remove <provider>')).description('delete a stored key').action(removeKey);
  return key;
}

async function listKeys(options: ServerOptions, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const { keys } = await answerOf(url, client.GET('/v1/model/keys'));
  print(options.json, keys, () =>
    tableOr(
      'No stored keys. Add one: docent model key set anthropic --key FILE',
      ['PROVIDER', 'SERVER', 'STORED'],
      keys.map(({ provider, baseUrl, updatedAt }) => [provider, baseUrl ?? '', updatedAt.slice(0, 10)]),
    ),
  );
}

async function setKey(
  provider: string,
  options: ServerOptions & { key: string; baseUrl?: string },
  command: Command,
): Promise<void> {
  const { client, url } = serverOf(command);
  const body = { key: readSecretFile('key', options.key), baseUrl: options.baseUrl };
  const params = { path: { provider: provider as Provider } };
  const stored = await answerOf(url, client.PATCH('/v1/model/keys/{provider}', { params, body }));
  print(options.json, stored, () => `Stored. Check it: docent model test ${provider}/MODEL`);
}

async function removeKey(provider: string, options: ServerOptions, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const params = { path: { provider: provider as Provider } };
  await answerOf(url, client.DELETE('/v1/model/keys/{provider}', { params }));
  print(options.json, { provider, removed: true }, () => `Removed the stored key of ${provider}.`);
}

async function show(options: ServerOptions, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const found = await answerOf(url, client.GET('/v1/model'));
  print(options.json, found, () => describe(found));
}

async function set(model: string, options: ServerOptions, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const body = { model: model === 'default' ? null : model };
  const found = await answerOf(url, client.PATCH('/v1/model', { body }));
  print(
    options.json,
    found,
    () => `Saved. New jobs use it, except in projects that set their own model.\n${describe(found)}`,
  );
}

async function test(model: string | undefined, options: ServerOptions, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const tested = await answerOf(url, client.POST('/v1/model/test', { body: { model } }));
  print(options.json, tested, () =>
    tested.ok ? `${safe(tested.model)} works: ${took(tested)}` : safe(tested.message ?? ''),
  );
  if (!tested.ok) throw new CliFailure(`${tested.model} cannot be used yet. Fix the problem above.`, EXIT.failed);
}

function took({ model, ms, inputTokens, outputTokens, costUsd }: components['schemas']['TestedModel']): string {
  if (model === 'builtin') return 'it is built in and sends no requests.';
  const cost = costUsd === null ? 'price unknown' : `$${costUsd.toFixed(6)}`;
  return `it answered and called a tool in ${((ms ?? 0) / 1_000).toFixed(1)} s (${inputTokens} input and ${outputTokens} output tokens, ${cost}).`;
}

const FROM: Record<InstallationModel['from'], string> = {
  environment: 'DOCENT_MODEL in the server environment',
  setting: '`docent model set`',
  default: 'the built-in default',
};

function describe({ model, from }: InstallationModel): string {
  return fields({ model, 'set by': FROM[from] });
}
