import { Command } from 'commander';
import { answerOf } from '@docent/base/terminal/api-answer';
import { confirm, YES } from '@docent/base/terminal/confirm';
import { fields, inUtc, print, safe, tableOr } from '@docent/base/terminal/terminal-text';
import { days, readSecretFile } from '../parsing.ts';
import { targetOf, withProject } from '../server.ts';

interface CreateOptions {
  expires?: number | 'never';
  password?: string;
  json?: boolean;
}

/** `docent analytics share`: through the API. */
export function analyticsShareCommand(): Command {
  const share = new Command('share').description('share analytics with read-only links (requires the operator token)');
  withProject(share.command('list', { isDefault: true }))
    .description('list share links')
    .action(list);
  withProject(share.command('create <name>'))
    .description('create a link that shows the analytics to anyone who has it; it is shown only once')
    .option('--expires <days>', 'such as 30d, or never (default: 90d)', days)
    .option('--password <file>', 'ask visitors for the password in this file; "-" is standard input')
    .action(create);
  withProject(share.command('delete <id>'))
    .description('delete a link; it stops working within a second')
    .option(...YES)
    .action(remove);
  return share;
}

async function list({ json }: { json?: boolean }, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const params = { path: { projectId } };
  const found = await answerOf(server.url, server.client.GET('/v1/projects/{projectId}/share-links', { params }));
  print(json, found, () =>
    tableOr(
      'No share links yet. Create one: docent analytics share create NAME --project ID',
      ['ID', 'NAME', 'PASSWORD', 'EXPIRES', 'LAST USED'],
      found.shareLinks.map(({ id, name, hasPassword, expiresAt, lastUsedAt }) => [
        id,
        name,
        hasPassword ? 'yes' : 'no',
        expiresAt === null ? 'never' : inUtc(expiresAt),
        lastUsedAt === null ? 'never' : inUtc(lastUsedAt),
      ]),
    ),
  );
}

async function create(name: string, options: CreateOptions, command: Command): Promise<void> {
  const { expires, json } = options;
  const { server, projectId } = targetOf(command);
  const password = options.password === undefined ? null : readSecretFile('password', options.password);
  const body = { name, password, expiresInDays: expires === 'never' ? null : expires };
  const params = { path: { projectId } };
  const request = server.client.POST('/v1/projects/{projectId}/share-links', { params, body });
  const created = await answerOf(server.url, request);
  print(json, created, () =>
    fields({
      url: created.url,
      id: created.id,
      name: created.name,
      password: created.hasPassword ? 'yes' : 'no',
      expires: created.expiresAt === null ? 'never' : inUtc(created.expiresAt),
    }).concat('\nSave the link now. It is not shown again.'),
  );
}

async function remove(
  shareLinkId: string,
  options: { yes?: boolean; json?: boolean },
  command: Command,
): Promise<void> {
  const { server, projectId } = targetOf(command);
  await confirm(`This deletes the share link ${safe(shareLinkId)}. This cannot be undone.`, options);
  const params = { path: { projectId, shareLinkId } };
  const request = server.client.DELETE('/v1/projects/{projectId}/share-links/{shareLinkId}', { params });
  await answerOf(server.url, request);
  print(options.json, { id: shareLinkId, deleted: true }, () => `Deleted ${safe(shareLinkId)}.`);
}
