import { cp } from 'node:fs/promises';
import { madeRepository } from './git-fixture.ts';

/** Makes a bare repository with one commit on `main` that holds `files`. */
export async function makeRepository(repository: string, files: Record<string, string | Buffer>): Promise<void> {
  await cp(madeRepository(files), repository, { recursive: true });
}

/** A small Mintlify site. */
export const SITE: Record<string, string> = {
  'docs.json': `${JSON.stringify({ name: 'Acme', navigation: { groups: [{ group: 'Guides', pages: ['index', 'guides/start', 'guides/log'] }] } }, null, 2)}\n`,
  'index.mdx': '---\ntitle: Welcome\n---\n\nAcme does things. See [the start](/guides/start).\n',
  'guides/start.mdx': '---\ntitle: Start\n---\n\nInstall Acme, then run it.\n',
  'guides/log.mdx': '---\ntitle: Log\n---\n\nWhat happened.\n',
};
