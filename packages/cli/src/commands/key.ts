import type { components } from '@docent/client';
import { Command } from 'commander';
import { allPages } from '../all-pages.ts';
import { answerOf } from '@docent/base/terminal/api-answer';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { fields, print, table, tableOr, inUtc } from '@docent/base/terminal/terminal-text';
import { confirm, YES } from '@docent/base/terminal/confirm';
import { assertChange, days, duration, several, severalOf } from '../parsing.ts';
import { serverOf, withServer } from '../server.ts';

const MAX_OVERLAP_SECONDS = 30 * 86_400;
const SCOPES = ['read', 'write', 'events', 'analytics'] as const;
export type Scope = (typeof SCOPES)[number];
export const scopes = severalOf(SCOPES);
type Key = components['schemas']['Key'];

interface CreateOptions {
  name: string;
  project?: string[];
  allProjects?: boolean;
  scope?: Scope[];
  expires?: number | 'never';
  allow?: string[];
  json?: boolean;
}

/** `docent key …` */
export function keyCommand(): Command {
  const key = new Command('key').description('manage API keys (requires the operator token)');
  withServer(key.command('create'))
    .description('create an API key; it is shown only once')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--project <id>', 'project that the key can access; can be repeated', several)
    .option('--all-projects', 'give access to all projects, including future ones')
    .option('--scope <scope>', `${SCOPES.join(', ')}; can be repeated (default: read)`, scopes)
    .option('--expires <days>', 'such as 30d, or never (default: 90d)', days)
    .option('--allow <address>', 'address or CIDR range that may use the key; can be repeated', several)
    .addHelpText(
      'after',
      `
Scopes: read shows jobs; write also starts and changes them; events and analytics are only for visitor statistics.

Examples:
  $ docent key create --project handbook --name ci --scope write --expires 30d
  $ docent key create --all-projects --name backoffice --allow 10.0.0.0/8 --expires never`,
    )
    .action(create);
  withServer(key.command('list'))
    .description('list keys, including revoked and expired ones')
    .option('--project <id>', 'only keys with access to this project')
    .action(list);
  withServer(key.command('show <keyId>'))
    .description('show a key and when each of its secrets was last used')
    .action(show);
  withServer(key.command('update <keyId>'))
    .description("change a key's name, expiry or allowed addresses")
    .option('--name <name>', 'what the key is for')
    .option('--expires <days>', 'time from now, such as 30d, or never', days)
    .option('--allow <address>', 'address or CIDR range that may use the key; can be repeated', several)
    .option('--allow-any', 'allow any address')
    .action(update);
  withServer(key.command('rotate <keyId>'))
    .description('create a new secret for a key, shown only once; the old one keeps working for a while')
    .option(
      '--overlap <time>',
      'how long the old secret keeps working, at most 30d; 0s ends it immediately (default: 24h)',
      duration(0, MAX_OVERLAP_SECONDS),
    )
    .addHelpText(
      'after',
      `
Replace the old secret with the new one. Then check with \`docent key show\` that the old one is no longer used.

Examples:
  $ docent key rotate key_7m2kq0x4z9c1v8b5n3dw --overlap 1h
  $ docent key rotate key_7m2kq0x4z9c1v8b5n3dw --overlap 0s       the secret has leaked`,
    )
    .action(rotate);
  withServer(key.command('revoke <keyId>'))
    .description('revoke a key permanently')
    .option(...YES)
    .action(revoke);
  return key;
}

async function create(options: CreateOptions, command: Command): Promise<void> {
  if ((options.project === undefined) === !options.allProjects)
    throw new CliFailure('Specify which projects the key can access: --project ID, or --all-projects.', EXIT.usage);
  const { client, url } = serverOf(command);
  const body = {
    name: options.name,
    projectIds: options.project ?? null,
    scopes: options.scope,
    expiresInDays: options.expires === 'never' ? null : options.expires,
    allowedAddresses: options.allow,
  };
  const created = await answerOf(url, client.POST('/v1/keys', { body }));
  print(options.json, created, () =>
    fields({
      key: created.key,
      id: created.id,
      name: created.name,
      projects: created.projectIds?.join(', ') ?? 'all',
      scopes: created.scopes.join(', '),
      expires: created.expiresAt === null ? 'never' : inUtc(created.expiresAt),
      addresses: created.allowedAddresses?.join(', ') ?? 'any',
    }).concat('\nSave the key now. It is not shown again.'),
  );
}

async function list(options: { project?: string; json?: boolean }, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const keys = await allPages(async (page) => {
    const params = { query: { projectId: options.project, ...page } };
    const { keys: items, nextCursor: next } = await answerOf(url, client.GET('/v1/keys', { params }));
    return { items, next };
  });
  print(options.json, keys, () =>
    tableOr(
      options.project
        ? `No keys have access to ${options.project}. Create one: docent key create --project ${options.project} --name NAME`
        : 'No keys yet. Create one: docent key create --project ID --name NAME',
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
    created: inUtc(key.createdAt),
    state: stateOf(key),
  };
}

function keyText(key: Key): string {
  const rows = key.secrets.map(({ hint, createdAt, validUntil, lastUsedAt }) => [
    `${hint}…`,
    inUtc(createdAt),
    key.revokedAt !== null ? 'revoked' : validUntil === null ? 'no expiry' : inUtc(validUntil),
    lastUsedAt === null ? 'never' : inUtc(lastUsedAt),
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
  if (allow && allowAny) throw new CliFailure('Use --allow or --allow-any, not both.', EXIT.usage);
  const body = {
    name,
    expiresInDays: expires === 'never' ? null : expires,
    allowedAddresses: allowAny ? null : allow,
  };
  assertChange(body, 'Specify what to change: --name, --expires, --allow or --allow-any.');
  const { client, url } = serverOf(command);
  const key = await answerOf(url, client.PATCH('/v1/keys/{keyId}', { params: { path: { keyId } }, body }));
  print(options.json, key, () => keyText(key));
}

async function rotate(keyId: string, options: { overlap?: number; json?: boolean }, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const body = { overlapSeconds: options.overlap };
  const rotated = await answerOf(url, client.POST('/v1/keys/{keyId}/rotate', { params: { path: { keyId } }, body }));
  const former = rotated.secrets[1];
  print(options.json, rotated, () =>
    fields({ key: rotated.key, ...keyFields(rotated), 'old secret until': former?.validUntil ?? null }).concat(
      '\nSave the key now. It is not shown again.',
    ),
  );
}

async function revoke(keyId: string, options: { yes?: boolean; json?: boolean }, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  await confirm(`This revokes the key ${keyId} at ${url}. This cannot be undone.`, options);
  const key = await answerOf(url, client.DELETE('/v1/keys/{keyId}', { params: { path: { keyId } } }));
  print(options.json, key, () => `Revoked ${key.id} (${key.name}).`);
}
