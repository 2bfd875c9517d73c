import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Repositories that this process has made, by their files. */
const made = new Map<string, Promise<string>>();

/**
 * Makes a bare repository with one commit on `main` that holds `files`. Git takes 60 ms of processor time for
 * one, and a copy 2 ms.
 */
export async function makeRepository(repository: string, files: Record<string, string | Buffer>): Promise<void> {
  const key = hash('sha256', JSON.stringify(files));
  if (!made.has(key)) made.set(key, makeNew(files));
  await cp((await made.get(key)) ?? '', repository, { recursive: true });
}

/** @returns its folder, which is deleted when the process ends */
async function makeNew(files: Record<string, string | Buffer>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-repository-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const work = path.join(folder, 'work');
  await mkdir(work);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(work, name)), { recursive: true });
    await writeFile(path.join(work, name), content);
  }
  const git = (...args: string[]) =>
    run('git', ['-C', work, '-c', 'user.name=A Person', '-c', 'user.email=person@example.org', ...args]);
  await git('init', '-q', '-b', 'main');
  await git('add', '-A');
  await git('commit', '-q', '-m', 'First pages');
  const bare = path.join(folder, 'docs.git');
  await run('git', ['clone', '-q', '--bare', '--template=', work, bare]);
  await mkdir(path.join(bare, 'hooks'));
  await rm(work, { recursive: true });
  return bare;
}

/** A small Mintlify site. */
export const SITE: Record<string, string> = {
  'docs.json': `${JSON.stringify({ name: 'Acme', navigation: { groups: [{ group: 'Guides', pages: ['index', 'guides/start', 'guides/log'] }] } }, null, 2)}\n`,
  'index.mdx': '---\ntitle: Welcome\n---\n\nAcme does things. See [the start](/guides/start).\n',
  'guides/start.mdx': '---\ntitle: Start\n---\n\nInstall Acme, then run it.\n',
  'guides/log.mdx': '---\ntitle: Log\n---\n\nWhat happened.\n',
};
