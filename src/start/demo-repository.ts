import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { messageOf } from '@docent/base/thrown';
import { Refused } from '@docent/base/refused';

const run = promisify(execFile);

/** Docent's own documentation, which is included. */
const DOCS = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..', 'docs');

/** @throws Refused if git is absent: jobs on local repositories go through it */
export async function requireGit(): Promise<void> {
  try {
    await run('git', ['--version']);
  } catch (err) {
    throw new Refused(
      `Docent requires git, but \`git --version\` fails (${messageOf(err)}). Install git and start again.`,
      {
        cause: err,
      },
    );
  }
}

/** Creates a repository of Docent's documentation with one commit on `main`, unless the folder exists. */
export async function makeDemoRepository(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const attempt = `${folder}.new`;
  await rm(attempt, { recursive: true, force: true });
  await cp(DOCS, attempt, { recursive: true });
  const git = (...args: string[]) => run('git', ['-C', attempt, ...args], { env: gitEnvironment() });
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'The documentation of Docent');
  // Git refuses to move a checked-out branch: detached, pull requests can be merged into `main`.
  await git('checkout', '--quiet', '--detach');
  await rename(attempt, folder);
}

/** No one's own settings: no signing, no hooks, no templates. */
function gitEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: '/nonexistent',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TEMPLATE_DIR: '',
    GIT_AUTHOR_NAME: 'Docent',
    GIT_AUTHOR_EMAIL: 'docent@localhost',
    GIT_COMMITTER_NAME: 'Docent',
    GIT_COMMITTER_EMAIL: 'docent@localhost',
  };
}
