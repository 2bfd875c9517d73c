import type { components } from '@docent/client';
import { Command, Option } from 'commander';
import { answerOf } from '@docent/base/terminal/api-answer';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { fields, print, safe, tableOr } from '@docent/base/terminal/terminal-text';
import { confirm, YES } from '@docent/base/terminal/confirm';
import { readSecretFile, repository } from '../parsing.ts';
import { serverOf, withServer } from '../server.ts';

type Host = components['schemas']['Host'];
type Kind = Host['kind'];

interface CredentialOptions {
  token?: string;
  privateKey?: string;
  json?: boolean;
}

/** `docent host …` */
export function hostCommand(): Command {
  const host = new Command('host').description('manage code hosts and their credentials (requires the operator token)');
  withServer(withCredential(host.command('add <name>')))
    .description('add a code host; its credential is checked, stored encrypted, and not shown again')
    .addOption(
      new Option('--kind <kind>', 'kind of code host').choices(['github', 'gitlab', 'gitea']).makeOptionMandatory(),
    )
    .option('--host-url <url>', 'its web address (default: https://github.com, https://gitlab.com)')
    .option('--api-url <url>', 'its API address, if not the usual one')
    .option('--app-id <id>', 'ID of a GitHub App, with --private-key')
    .addHelpText(
      'after',
      `
For Forgejo, use the kind gitea. The token is read from a file or, with -, from standard input, so that process lists do not show it.

Examples:
  $ docent host add github --kind github --token token.txt
  $ docent host add github --kind github --app-id 12345 --private-key docent.pem
  $ pass gitlab-docent | docent host add work --kind gitlab --host-url https://gitlab.example.com --token -`,
    )
    .action(add);
  withServer(host.command('list')).description('list the code hosts').action(list);
  withServer(host.command('show <name>')).description('show a code host').action(show);
  withServer(host.command('check <name>'))
    .description('list the permissions that a credential lacks, in general and for a repository')
    .option('--repository <url>', 'repository to check', repository)
    .option('--ref <branch>', "its base branch (default: the repository's default branch)")
    .action(check);
  withServer(host.command('connect <name>'))
    .description('create webhooks in the repositories of your projects')
    .option('--new-secret', 'replace the secret of the webhooks')
    .action(connect);
  withServer(withCredential(host.command('update <name>')))
    .description('replace the credential; an invalid one is rejected')
    .action(update);
  withServer(host.command('remove <name>'))
    .description('delete a code host that no project uses, and its credential')
    .option(...YES)
    .action(remove);
  return host;
}

function withCredential(command: Command): Command {
  return command
    .option('--token <file>', 'file with the token; - for standard input')
    .option('--private-key <file>', 'file with the private key of a GitHub App');
}

function credentialOf({ token, privateKey }: CredentialOptions): string {
  const file = token ?? privateKey;
  if (file === undefined || (token !== undefined && privateKey !== undefined))
    throw new CliFailure('Pass the credential with --token FILE, or --private-key FILE for a GitHub App.', EXIT.usage);
  return readSecretFile('credential', file);
}

async function add(
  id: string,
  options: CredentialOptions & { kind: Kind; hostUrl?: string; apiUrl?: string; appId?: string },
  command: Command,
): Promise<void> {
  const { client, url } = serverOf(command);
  if ((options.appId === undefined) !== (options.privateKey === undefined))
    throw new CliFailure('A GitHub App needs both --app-id and --private-key.', EXIT.usage);
  const body = {
    id,
    kind: options.kind,
    credential: credentialOf(options),
    url: options.hostUrl,
    apiUrl: options.apiUrl,
    appId: options.appId,
  };
  const added = await answerOf(url, client.POST('/v1/hosts', { body }));
  print(options.json, added, () => `Added.\n${describe(added)}`);
}

async function list(options: { json?: boolean }, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const { hosts } = await answerOf(url, client.GET('/v1/hosts'));
  print(options.json, hosts, () =>
    tableOr(
      'No code hosts yet. Add one: docent host add NAME --kind github --token FILE. Repositories on the server need no code host.',
      ['NAME', 'KIND', 'URL', 'CREDENTIAL', 'ENTERED'],
      hosts.map((host) => [host.id, host.kind, host.url, credentialKind(host), host.updatedAt.slice(0, 10)]),
    ),
  );
}

async function show(hostId: string, options: { json?: boolean }, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const host = await answerOf(url, client.GET('/v1/hosts/{hostId}', { params: { path: { hostId } } }));
  print(options.json, host, () => describe(host));
}

async function check(
  hostId: string,
  options: { repository?: string; ref?: string; json?: boolean },
  command: Command,
): Promise<void> {
  const { client, url } = serverOf(command);
  const body = { repository: options.repository, ref: options.ref };
  const found = await answerOf(url, client.POST('/v1/hosts/{hostId}/check', { params: { path: { hostId } }, body }));
  print(options.json, found, () =>
    safe(
      [
        `account: ${found.account ?? 'unknown'}`,
        ...(found.ok ? ['All permissions are there.'] : found.problems),
        ...deliveryLines(found.deliveries),
      ].join('\n'),
    ),
  );
  if (!found.ok) throw new CliFailure(`${hostId} cannot be used yet. Fix the problems above.`, EXIT.failed);
}

/** Whether webhooks arrive. */
function deliveryLines(deliveries: components['schemas']['HostCheck']['deliveries']): string[] {
  if (!deliveries) return ['No webhooks. Create them with docent host connect.'];
  const { lastReceivedAt, lastEvent, lastRefusedAt, lastRefusal } = deliveries;
  return [
    lastReceivedAt === null
      ? 'No delivery has arrived yet.'
      : `Last delivery: ${lastReceivedAt}${lastEvent === null ? '' : ` (${lastEvent})`}`,
    ...(lastRefusedAt === null ? [] : [`Last refused delivery: ${lastRefusedAt}. ${lastRefusal}`]),
  ];
}

async function connect(
  hostId: string,
  options: { newSecret?: boolean; json?: boolean },
  command: Command,
): Promise<void> {
  const { client, url } = serverOf(command);
  const body = { newSecret: options.newSecret };
  const params = { path: { hostId } };
  const found = await answerOf(url, client.POST('/v1/hosts/{hostId}/connect', { params, body }));
  const failed = found.repositories.filter(({ result }) => result === 'failed');
  print(options.json, found, () =>
    safe(
      [
        `deliveries to: ${found.url}`,
        `events: ${found.events.join(', ')}`,
        ...(found.secret === null ? [] : [`secret: ${found.secret} (not shown again)`]),
        ...found.problems,
        ...found.repositories.map(
          ({ repository, result, problem }) => `${repository}: ${result}${problem === null ? '' : `. ${problem}`}`,
        ),
        ...(found.repositories.length === 0 ? ['No project uses a repository of this host.'] : []),
      ].join('\n'),
    ),
  );
  if (failed.length > 0 || found.problems.length > 0)
    throw new CliFailure(
      'Some webhooks are missing. Give the credential the right to manage webhooks, or create them with ' +
        'the address, events and secret above.',
      EXIT.failed,
    );
}

async function update(hostId: string, options: CredentialOptions, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const body = { credential: credentialOf(options) };
  const host = await answerOf(url, client.PATCH('/v1/hosts/{hostId}', { params: { path: { hostId } }, body }));
  print(options.json, host, () => `Changed.\n${describe(host)}`);
}

async function remove(hostId: string, options: { yes?: boolean; json?: boolean }, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  await confirm(
    `This deletes ${hostId} and its credential from the server at ${url}. The credential cannot be recovered.`,
    options,
  );
  await answerOf(url, client.DELETE('/v1/hosts/{hostId}', { params: { path: { hostId } } }));
  print(
    options.json,
    { id: hostId, deleted: true },
    () => `Removed ${hostId}. Also revoke its token on the code host.`,
  );
}

function describe(host: Host & { account?: string | null }): string {
  return fields({
    name: host.id,
    kind: host.kind,
    url: host.url,
    api: host.apiUrl,
    credential: credentialKind(host),
    ...(host.account === undefined ? {} : { account: host.account }),
    'credential set': host.updatedAt,
  });
}

function credentialKind({ appId }: Host): string {
  return appId === null ? 'token' : `App ${appId}`;
}
