import type { components } from '@docent/client';
import { Command, Option } from 'commander';
import { answerOf } from '@docent/base/terminal/api-answer';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { fields, print, table, tableOr } from '@docent/base/terminal/terminal-text';
import { confirm, YES } from '@docent/base/terminal/confirm';
import { days, duration, several } from './parsing.ts';
import { serverOf, withServer } from './server.ts';

const MAX_OVERLAP_SECONDS = 30 * 86_400;
const SCOPES = ['read', 'write', 'events', 'analytics'] as const;
export type Scope = (typeof SCOPES)[number];
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
  withServer(key.command('show <keyId>'))
    .description('show a key, and when each of its secrets was last used')
    .action(show);
  withServer(key.command('update <keyId>'))
    .description('change what is given; projects and scopes stay')
    .option('--name <name>', 'what the key is for')
    .option('--expires <days>', 'from now: such as 30d, or never', days)
    .option('--allow <address>', 'address or CIDR range that may use it; may be repeated', several)
    .option('--allow-any', 'it may be used from any address')
    .action(update);
  withServer(key.command('rotate <keyId>'))
    .description('give a key a new secret, shown this once; the old one works a while longer')
    .option(
      '--overlap <time>',
      'how long the old one works, at most 30d; 0s ends it at once (default: 24h)',
      duration(0, MAX_OVERLAP_SECONDS),
    )
    .addHelpText(
      'after',
      `
Put the new secret where the old one is, and look with \`docent key show\` whether anybody still uses the old one.

Examples:
  $ docent key rotate key_7m2kq0x4z9c1v8b5n3dw --overlap 1h
  $ docent key rotate key_7m2kq0x4z9c1v8b5n3dw --overlap 0s       somebody else has it`,
    )
    .action(rotate);
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

/** @throws CliFailure for what is no scope */
export function scopesOf(given: readonly string[]): Scope[] {
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
      options.project
        ? `No key opens ${options.project}. Create one: docent key create --project ${options.project} --name NAME`
        : 'No key yet. Create one: docent key create --project ID --name NAME',
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

function keyFields(key: Key): Record<string, string> {
  return {
    id: key.id,
    name: key.name,
    projects: key.projectIds?.join(', ') ?? 'all',
    scopes: key.scopes.join(', '),
    addresses: key.allowedAddresses?.join(', ') ?? 'any',
    created: key.createdAt,
    state: stateOf(key),
  };
}

function keyText(key: Key): string {
  const rows = key.secrets.map(({ hint, createdAt, validUntil, lastUsedAt }) => [
    `${hint}…`,
    createdAt,
    key.revokedAt === null ? (validUntil ?? 'no end') : 'revoked',
    lastUsedAt ?? 'never',
  ]);
  return `${fields(keyFields(key))}\n\n${table(['SECRET', 'CREATED', 'VALID UNTIL', 'LAST USED'], rows)}`;
}

async function show(keyId: string, options: { json?: boolean }, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const key = await answerOf(url, client.GET('/v1/keys/{keyId}', { params: { path: { keyId } } }));
  print(options.json, key, () => keyText(key));
}

interface UpdateOptions extends Pick<CreateOptions, 'expires' | 'allow' | 'json'> {
  name?: string;
  allowAny?: boolean;
}

async function update(keyId: string, options: UpdateOptions, command: Command): Promise<void> {
  const { name, expires, allow, allowAny } = options;
  if (allow && allowAny) throw new CliFailure('Give --allow or --allow-any, not both.', EXIT.usage);
  const body = {
    ...(name === undefined ? {} : { name }),
    ...(expires === undefined ? {} : { expiresInDays: expires === 'never' ? null : expires }),
    ...(allow ? { allowedAddresses: allow } : {}),
    ...(allowAny ? { allowedAddresses: null } : {}),
  };
  if (Object.keys(body).length === 0) {
    throw new CliFailure('Say what to change: --name, --expires, --allow or --allow-any.', EXIT.usage);
  }
  const { client, url } = serverOf(command);
  const key = await answerOf(url, client.PATCH('/v1/keys/{keyId}', { params: { path: { keyId } }, body }));
  print(options.json, key, () => keyText(key));
}

async function rotate(keyId: string, options: { overlap?: number; json?: boolean }, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const body = options.overlap === undefined ? {} : { overlapSeconds: options.overlap };
  const rotated = await answerOf(url, client.POST('/v1/keys/{keyId}/rotate', { params: { path: { keyId } }, body }));
  const former = rotated.secrets[1];
  print(options.json, rotated, () =>
    fields({ key: rotated.key, ...keyFields(rotated), 'old one until': former?.validUntil ?? null }).concat(
      '\nKeep the key: it is not shown again.',
    ),
  );
}

async function revoke(keyId: string, options: { yes?: boolean; json?: boolean }, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  await confirm(`The key ${keyId} stops working at ${url}, for good.`, options);
  const key = await answerOf(url, client.DELETE('/v1/keys/{keyId}', { params: { path: { keyId } } }));
  print(options.json, key, () => `Revoked ${key.id} (${key.name}).`);
}
