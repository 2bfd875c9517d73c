import { Command } from 'commander';
import { answerOf } from '@docent/base/terminal/api-answer';
import { fields, print, inUtc } from '@docent/base/terminal/terminal-text';
import { scopes, type Scope } from './key.ts';
import { duration } from '../parsing.ts';
import { targetOf, withProject } from '../server.ts';

const LONGEST_SECONDS = 3_600;
const SHORTEST_SECONDS = 10;

interface Options {
  scope?: Scope[];
  job?: string;
  origin?: string;
  expires?: number;
  json?: boolean;
}

/** `docent token …` */
export function tokenCommand(): Command {
  const token = new Command('token').description('create short-lived tokens for browsers (requires an API key)');
  withProject(token.command('create'))
    .description('create a token from the current API key; it is shown only once')
    .option('--scope <scope>', 'allowed operations; can be repeated (default: read)', scopes)
    .option('--job <id>', 'limit access to this job')
    .option('--origin <origin>', 'allow requests only from pages of this origin, such as https://app.example.com')
    .option('--expires <time>', 'lifetime, at most 1h (default: 15m)', duration(SHORTEST_SECONDS, LONGEST_SECONDS))
    .addHelpText(
      'after',
      `
A token never has more access than its key, and stops working when the key does. To create one per reader, call POST /v1/tokens from your server.

Example:
  $ docent token create --project handbook --job 7m2kq0x4z9c1v8b5n3dw --expires 5m`,
    )
    .action(create);
  return token;
}

async function create(options: Options, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const { scope, job, origin, expires } = options;
  const body = {
    projectId,
    scopes: scope,
    jobId: job,
    origin,
    expiresInSeconds: expires,
  };
  const created = await answerOf(server.url, server.client.POST('/v1/tokens', { body }));
  print(options.json, created, () =>
    fields({
      token: created.token,
      id: created.id,
      project: created.projectId,
      job: created.jobId ?? 'all',
      scopes: created.scopes.join(', '),
      origin: created.origin ?? 'any caller',
      expires: inUtc(created.expiresAt),
    }),
  );
}
