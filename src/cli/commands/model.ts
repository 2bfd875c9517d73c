import type { components } from '@docent/client';
import { Command } from 'commander';
import { answerOf } from '@docent/base/terminal/api-answer';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { fields, print, safe } from '@docent/base/terminal/terminal-text';
import { serverOf, withServer, type ServerOptions } from './server.ts';

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
  return model;
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
    () => `Set. New jobs of projects that name no model of their own use it.\n${describe(found)}`,
  );
}

async function test(model: string | undefined, options: ServerOptions, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const tested = await answerOf(url, client.POST('/v1/model/test', { body: model === undefined ? {} : { model } }));
  print(options.json, tested, () =>
    tested.ok ? `${safe(tested.model)} works: ${took(tested)}` : safe(tested.message ?? ''),
  );
  if (!tested.ok) throw new CliFailure(`${tested.model} cannot be used yet. Fix the problem above.`, EXIT.failed);
}

function took({ model, ms, inputTokens, outputTokens, costUsd }: components['schemas']['TestedModel']): string {
  if (model === 'builtin') return 'it is built in and sends no requests.';
  const cost = costUsd === null ? 'its price is unknown' : `$${costUsd.toFixed(6)}`;
  return `it answered and called a tool in ${((ms ?? 0) / 1_000).toFixed(1)} s (${inputTokens} tokens read, ${outputTokens} written, ${cost}).`;
}

const FROM: Record<InstallationModel['from'], string> = {
  environment: 'DOCENT_MODEL in the server environment',
  setting: '`docent model set`',
  default: 'the built-in default',
};

function describe({ model, from }: InstallationModel): string {
  return fields({ model, from: FROM[from] });
}
