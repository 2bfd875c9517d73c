import type { components } from '@docent/client';
import { Command } from 'commander';
import { answerOf } from '@docent/base/terminal/api-answer';
import { fields, print, safe, tableOr, inUtc } from '@docent/base/terminal/terminal-text';
import { confirm, YES } from '@docent/base/terminal/confirm';
import { assertChange, repository, several } from '../parsing.ts';
import { targetOf, withProject } from '../server.ts';

type Source = components['schemas']['Source'];

interface Options {
  json?: boolean;
  yes?: boolean;
}

/** `docent source …` */
export function sourceCommand(): Command {
  const source = new Command('source').description('repositories that jobs can read but not change');
  withProject(source.command('add <name>'))
    .description('add a repository; a worker checks it first')
    .requiredOption('--repository <url>', 'a URL on a code host, or a path on the server’s machine', repository)
    .option('--host <name>', 'the code host, if several match the URL')
    .option('--ref <branch>', 'the branch (default: the repository’s default branch)')
    .option('--path <path>', 'only this folder or file; can be repeated', several)
    .addHelpText(
      'after',
      `
Examples:
  $ docent source add server --repository https://github.com/acme/server --project acme-docs
  $ docent source add sdk --repository /srv/git/sdk.git --path src --path openapi.yaml --project acme-docs`,
    )
    .action(add);
  withProject(source.command('update <name>'))
    .description("change a source's branch or paths")
    .option('--ref <branch>', 'the branch; a worker checks it first')
    .option('--path <path>', 'only this folder or file; replaces all paths; can be repeated', several)
    .option('--all-paths', 'the whole repository')
    .action(update);
  withProject(source.command('list')).description("list the project's sources").action(list);
  withProject(source.command('remove <name>'))
    .description('remove a source; its repository stays as it is')
    .option(...YES)
    .action(remove);
  return source;
}

async function add(
  name: string,
  options: Options & { repository: string; host?: string; ref?: string; path?: string[] },
  command: Command,
): Promise<void> {
  const { server, projectId } = targetOf(command);
  const { host, ref, path: paths } = options;
  const body = {
    name,
    repository: options.repository,
    host,
    ref,
    paths,
  };
  const request = server.client.POST('/v1/projects/{projectId}/sources', { params: { path: { projectId } }, body });
  const created = await answerOf(server.url, request);
  print(options.json, created, () => fields(shown(created)));
}

function shown({ name, repository: at, host, ref, paths, createdAt }: Source): Record<string, string> {
  return { name, repository: at, host, ref, paths: pathsOf(paths), created: inUtc(createdAt) };
}

function pathsOf(paths: readonly string[]): string {
  return paths.length === 0 ? 'all' : paths.join(', ');
}

async function update(
  name: string,
  options: Options & { ref?: string; path?: string[]; allPaths?: boolean },
  command: Command,
): Promise<void> {
  const { server, projectId } = targetOf(command);
  const { ref, allPaths = false } = options;
  const body = { ref, paths: allPaths ? [] : options.path };
  assertChange(body, 'Specify what to change: --ref, --path or --all-paths.');
  const params = { path: { projectId, sourceName: name } };
  const request = server.client.PATCH('/v1/projects/{projectId}/sources/{sourceName}', { params, body });
  const changed = await answerOf(server.url, request);
  print(options.json, changed, () => fields(shown(changed)));
}

async function list({ json }: Options, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const request = server.client.GET('/v1/projects/{projectId}/sources', { params: { path: { projectId } } });
  const { sources } = await answerOf(server.url, request);
  print(json, sources, () =>
    tableOr(
      'No sources yet. Add one: docent source add NAME --repository URL --project ID',
      ['NAME', 'REPOSITORY', 'BRANCH', 'PATHS'],
      sources.map(({ name, repository: at, ref, paths }) => [name, at, ref, pathsOf(paths)]),
    ),
  );
}

async function remove(name: string, options: Options, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  await confirm(`Jobs can no longer read the source ${name} of ${projectId} at ${server.url}.`, options);
  const path = { projectId, sourceName: name };
  const request = server.client.DELETE('/v1/projects/{projectId}/sources/{sourceName}', { params: { path } });
  await answerOf(server.url, request);
  print(options.json, { name, removed: true }, () => `Removed ${safe(name)}.`);
}
