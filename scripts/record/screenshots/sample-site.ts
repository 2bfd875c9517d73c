import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const page = (title: string, text: string) => `---\ntitle: ${title}\n---\n\n${text}\n`;

const GROUPS: Record<string, string[]> = {
  'Get started': ['index', 'quickstart'],
  Guides: ['guides/install', 'guides/deploy', 'guides/domains', 'guides/webhooks'],
  Reference: ['reference/api', 'reference/cli', 'reference/errors'],
};

const FILES: Record<string, string> = {
  'docs.json': `${JSON.stringify(
    {
      name: 'Acme',
      navigation: { groups: Object.entries(GROUPS).map(([group, pages]) => ({ group, pages })) },
    },
    null,
    2,
  )}\n`,
  'index.mdx': page('Welcome', 'Acme deploys your sites. Begin with the [quickstart](/quickstart).'),
  'quickstart.mdx': page(
    'Quickstart',
    '1. [Install Acme](/guides/install).\n2. Create an api key.\n3. Run `acme deploy`.',
  ),
  'guides/install.mdx': page(
    'Install Acme',
    '## Requirements\n\nNode 22 or newer.\n\n## Install\n\nRun `npm install -g acme`.',
  ),
  'guides/deploy.mdx': page(
    'Deploy a site',
    'Run `acme deploy`. You need an api key and [Acme](/guides/install#install).',
  ),
  'guides/domains.mdx': page(
    'Custom domains',
    'Point a CNAME record at `sites.acme.example`. To learn when it works, use [webhooks](/guides/webhook).',
  ),
  'guides/webhooks.mdx': page('Webhooks', 'Acme sends a request to your server after each deployment.'),
  'reference/api.mdx': page(
    'API',
    'Send your api key in `Authorization`. Errors are listed in [Errors](/reference/errors).',
  ),
  'reference/cli.mdx': page('Command line', '| Command | Result |\n|---|---|\n| `acme deploy` | Deploys the site |'),
  'reference/errors.mdx': page('Errors', '`401`: the api key is missing or was revoked.'),
};

const SOURCE: Record<string, string> = {
  'src/config.ts': `/** Seconds until a request ends. */
export const TIMEOUT_SECONDS = 30;

/** How often a failed upload is retried. */
export const MAX_RETRIES = 3;
`,
};

/** A small Mintlify site in a new bare repository. */
export function writeSampleSite(repository: string): Promise<void> {
  return writeRepository(repository, FILES);
}

/** The code that the site is about, in a new bare repository. */
export function writeSampleSource(repository: string): Promise<void> {
  return writeRepository(repository, SOURCE);
}

async function writeRepository(repository: string, files: Record<string, string>): Promise<void> {
  const work = `${repository}-work`;
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(work, name)), { recursive: true });
    await writeFile(path.join(work, name), content);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', work, '-c', 'user.name=Ada Lovelace', '-c', 'user.email=ada@acme.example', ...args]);
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'Add the first files');
  execFileSync('git', ['clone', '-q', '--bare', work, repository]);
  await rm(work, { recursive: true });
}
