import type { components } from '@docent/client';
import { Option, type Command } from 'commander';
import { SITE_KIND_NAMES } from '@docent/docs-check/read/site-kind-names';
import { answerOf } from '@docent/base/terminal/api-answer';
import { CliFailure } from '@docent/base/terminal/failures';
import { fields, print, safe, table } from '@docent/base/terminal/terminal-text';
import { folderIn, repository } from '@docent/cli/parsing';
import { serverOf, withServer } from '@docent/cli/server';

interface CheckOptions {
  repository: string;
  host?: string;
  ref?: string;
  docsDir?: string;
  json?: boolean;
}

/** `docent project check` */
export function addCheckCommand(project: Command): void {
  withServer(project.command('check'))
    .description('check a repository before you create a project; changes nothing')
    .addOption(
      new Option('--repository <path>', 'URL on a code host, or path of a git repository on the server')
        .argParser(repository)
        .makeOptionMandatory(),
    )
    .option('--host <name>', 'code host, if several match the URL')
    .option('--ref <branch>', "base branch (default: the repository's default branch)")
    .option('--docs-dir <folder>', 'folder of the docs (default: the whole repository)')
    .action(check);
}

async function check(options: CheckOptions, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const { repository: place, host, ref, docsDir } = options;
  const body = { repository: place, host, ref, docsDir: folderIn(docsDir) };
  const found = await answerOf(url, client.POST('/v1/repositories/check', { body }));
  if (!found.usable && !options.json)
    throw new CliFailure(safe(found.problem ?? 'This repository cannot be used. Fix the problems above.'));
  print(options.json, found, () => describe(found));
}

function describe(found: components['schemas']['RepositoryCheck']): string {
  const { site, checks, instructions, suggestedDocsDir, notes } = found;
  const files = instructions?.filter(({ includedCharacters }) => includedCharacters > 0).map(({ path }) => path) ?? [];
  const head = fields({
    repository: found.repository,
    host: found.host ?? '–',
    base: found.ref ?? '–',
    ...(site && { site: site.config === null ? 'Markdown' : `${SITE_KIND_NAMES[site.kind]} (${site.config})` }),
    ...(site && { pages: String(site.pages) }),
    ...(suggestedDocsDir === null ? {} : { 'docs folder': suggestedDocsDir || '/' }),
    ...(files.length > 0 && { instructions: files.join(', ') }),
    ...(checks && { 'without description': `${checks.pagesWithoutDescription} of ${checks.pages} pages` }),
  });
  const problems =
    checks && checks.problems.length > 0
      ? [
          table(
            ['COUNT', 'SEVERITY', 'KIND', 'FIRST'],
            checks.problems.map(({ count, severity, code, example }) => [
              String(count),
              severity,
              code,
              `${example.path}:${example.line} ${example.message}`,
            ]),
          ),
        ]
      : [];
  return [head, ...problems, ...notes.map(safe)].join('\n\n');
}
