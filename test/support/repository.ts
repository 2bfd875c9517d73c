import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Makes a bare repository with one commit on `main` that holds `files`. */
export async function makeRepository(repository: string, files: Record<string, string | Buffer>): Promise<void> {
  const work = `${repository}-work`;
  await mkdir(work, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(work, name)), { recursive: true });
    await writeFile(path.join(work, name), content);
  }
  const git = (...args: string[]) =>
    run('git', ['-C', work, '-c', 'user.name=A Person', '-c', 'user.email=person@example.org', ...args]);
  await git('init', '-q', '-b', 'main');
  await git('add', '-A');
  await git('commit', '-q', '-m', 'First pages');
  await run('git', ['clone', '-q', '--bare', work, repository]);
  await rm(work, { recursive: true });
}

/** A small Mintlify site. */
export const SITE: Record<string, string> = {
  'docs.json': `${JSON.stringify({ name: 'Acme', navigation: { groups: [{ group: 'Guides', pages: ['index', 'guides/start', 'guides/log'] }] } }, null, 2)}\n`,
  'index.mdx': '---\ntitle: Welcome\n---\n\nAcme does things. See [the start](/guides/start).\n',
  'guides/start.mdx': '---\ntitle: Start\n---\n\nInstall Acme, then run it.\n',
  'guides/log.mdx': '---\ntitle: Log\n---\n\nWhat happened.\n',
};
