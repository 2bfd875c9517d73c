import type { components } from '@docent/client';
import { Command, Option } from 'commander';
import { answerOf } from '../../api-answer.ts';
import { CliFailure, EXIT } from '../../failures.ts';
import { fields, print, tableOr } from '../../terminal-text.ts';
import { confirm, YES } from '../confirm.ts';
import { days, several } from './parsing.ts';
import { serverOf, withServer } from './server.ts';

const SCOPES = ['read', 'write', 'events', 'analytics'] as const;
type Scope = (typeof SCOPES)[number];
type Key = components['schemas']['Key'];

interface CreateOptions {
  name: string;
  project?: string[];
  allProjects?: boolean;
  scope?: string[];
  expires?: number | 'never';
  allow?: string[];
  json?: boolean;
}

/** `docent key …` */
export function keyCommand(): Command {
  const key = new Command('key').description('who may call the API (takes the operator token)');
  withServer(key.command('create'))
    .description('create an API key; it is shown this once')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--project <id>', 'project that it opens; may be repeated', several)
    .option('--all-projects', 'it opens every project, those to come too')
    .addOption(
      new Option('--scope <scope>', `${SCOPES.join(', ')}; may be repeated (default: read)`).argParser(several),
    )
    .option('--expires <days>', 'such as 30d, or never (default: 90d)', days)
    .option('--allow <address>', 'address or CIDR range that may use it; may be repeated', several)
    .addHelpText(
      'after',
      `
Scopes: read sees jobs, write also starts and changes them, events and analytics are for visitor statistics alone.

Examples:
  $ docent key create --project handbook --name ci --scope write --expires 30d
  $ docent key create --all-projects --name backoffice --allow 10.0.0.0/8 --expires never`,
    )
    .action(create);
  withServer(key.command('list'))
    .description('list the keys, revoked and expired ones too')
    .option('--project <id>', 'only keys that open this project')
    .action(list);
  withServer(key.command('revoke <keyId>'))
    .description('make a key stop working, for good')
    .option(...YES)
    .action(revoke);
  return key;
}

async function create(options: CreateOptions, command: Command): Promise<void> {
  if ((options.project === undefined) === !options.allProjects)
    throw new CliFailure('Say which projects the key opens: --project ID, or --all-projects.', EXIT.usage);
  const { client, url } = serverOf(command);
  const body = {
    name: options.name,
    projectIds: options.project ?? null,
    ...(options.scope ? { scopes: scopesOf(options.scope) } : {}),
    ...(options.expires === undefined ? {} : { expiresInDays: options.expires === 'never' ? null : options.expires }),
    ...(options.allow ? { allowedAddresses: options.allow } : {}),
  };
  const created = await answerOf(url, client.POST('/v1/keys', { body }));
  print(options.json, created, () =>
    fields({
      key: created.key,
      id: created.id,
      name: created.name,
      projects: created.projectIds?.join(', ') ?? 'all',
      scopes: created.scopes.join(', '),
      expires: created.expiresAt ?? 'never',
      addresses: created.allowedAddresses?.join(', ') ?? 'any',
    }).concat('\nKeep the key: it is not shown again.'),
  );
}

function scopesOf(given: readonly string[]): Scope[] {
  return given.map((name) => {
    const scope = SCOPES.find((known) => known === name);
    if (!scope) throw new CliFailure(`--scope takes ${SCOPES.join(', ')}, and it was "${name}".`, EXIT.usage);
    return scope;
  });
}

async function list(options: { project?: string; json?: boolean }, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const keys: Key[] = [];
  let cursor: string | undefined;
  do {
    const query = {
      limit: 100,
      ...(options.project ? { projectId: options.project } : {}),
      ...(cursor ? { cursor } : {}),
    };
    const page = await answerOf(url, client.GET('/v1/keys', { params: { query } }));
    keys.push(...page.keys);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  print(options.json, keys, () =>
    tableOr(
      'No key yet. Create one: docent key create --project ID --name NAME',
      ['ID', 'KEY', 'NAME', 'SCOPES', 'PROJECTS', 'STATE', 'LAST USED'],
      keys.map((key) => [
        key.id,
        `${key.hint}…`,
        key.name,
        key.scopes.join(','),
        key.projectIds?.join(',') ?? 'all',
        stateOf(key),
        key.lastUsedAt ?? 'never',
      ]),
    ),
  );
}

function stateOf({ revokedAt, expiresAt }: { revokedAt: string | null; expiresAt: string | null }): string {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'valid';
  return Date.parse(expiresAt) <= Date.now() ? 'expired' : `until ${expiresAt.slice(0, 10)}`;
}

async function revoke(keyId: string, options: { yes?: boolean; json?: boolean }, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  await confirm(`The key ${keyId} stops working at ${url}, for good.`, options);
  const key = await answerOf(url, client.DELETE('/v1/keys/{keyId}', { params: { path: { keyId } } }));
  print(options.json, key, () => `Revoked ${key.id} (${key.name}).`);
}
