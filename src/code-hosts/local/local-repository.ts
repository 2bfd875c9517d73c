import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Shortage } from '@docent/base/shortage';
import { assertBranchName, mustHaveRoomFor } from '@docent/git/branch-name';
import { otherHash } from '@docent/git/protocol/advertisement';
import { listBranches } from '@docent/git/protocol/list-refs';
import { runGit, type GitResult } from '@docent/git/transport/git-process';
import { localProblem, obstacleAt } from '@docent/git/transport/local-problem';
import { DEFAULT_TRANSFER_LIMITS } from '@docent/git/transport/transport';
import { RepositoryProblem } from '@docent/git/repository-problem';

/** A repository on this machine as it is found. */
export interface LocalRepository {
  /** The main work tree's root, or the folder of a bare repository; symlinks resolved. */
  path: string;
  ref: string;
  commit: string;
}

const SHOWN_BRANCHES = 8;

/** Runs git on one repository, and never on one further up should that one be gone. */
export async function gitIn(
  path: string,
  args: readonly string[],
  options: { environment?: Record<string, string>; input?: string } = {},
): Promise<GitResult> {
  const environment = { ...options.environment, GIT_CEILING_DIRECTORIES: dirname(path) };
  return runGit(['-C', path, ...args], { ...options, environment });
}

/** Like {@link gitIn}, for a command that must succeed. Throws RepositoryProblem. */
export async function gitOutput(
  path: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<string> {
  const { code, stdout, stderr } = await gitIn(path, args, { environment });
  if (code !== 0) throw await localProblem(path, stderr, code);
  return stdout.trimEnd();
}

/**
 * Checks everything that Docent needs from a repository, so that problems are reported when the project is
 * created.
 * @param given an absolute path or a `file:` URL: of a work tree, a bare repository, or a linked work tree
 * @param ref the base branch; null takes the one that is checked out there
 * @param branchPrefix if given, branches below it must be possible
 */
export async function inspectRepository(
  given: string,
  ref: string | null,
  branchPrefix?: string,
): Promise<LocalRepository> {
  const { found, branches, commonDir } = await inspect(given, ref);
  if (branchPrefix !== undefined) mustHaveRoomFor(branchPrefix, branches);
  await assertWritable(found.path, commonDir);
  return found;
}

/** The same for a repository that is only read. */
export async function inspectReadable(given: string, ref: string | null): Promise<LocalRepository> {
  return (await inspect(given, ref)).found;
}

async function inspect(given: string, ref: string | null) {
  const asked = await existingFolder(given);
  if (ref !== null) assertBranchName(ref);
  const facts = await gitIn(asked, ['rev-parse', '--path-format=absolute', '--git-common-dir', '--show-object-format']);
  if (facts.code !== 0) throw await aboveOrNowhere(asked, facts);
  const [commonDir = '', format = ''] = facts.stdout.split('\n');
  if (format !== 'sha1') throw otherHash();

  const path = await mainWorktree(asked);
  const branches = await listBranches({ kind: 'local', path }, { limits: DEFAULT_TRANSFER_LIMITS });
  if (branches.size === 0) {
    throw new RepositoryProblem(
      'repository_empty',
      `The repository at ${path} has no commits yet. Create one, then try again.`,
    );
  }
  const branch = ref ?? (await checkedOutBranch(asked));
  const commit = branches.get(branch);
  if (commit === undefined) throw missingBranch(path, branch, [...branches.keys()]);
  await assertComplete(path, branch, commit);
  return { found: { path, ref: branch, commit }, branches, commonDir };
}

/** Work trees, the main one first. `branch`: null for a detached HEAD or a bare repository. */
export async function listWorktrees(path: string): Promise<{ path: string; branch: string | null }[]> {
  const blocks = (await gitOutput(path, ['worktree', 'list', '--porcelain'])).split(/\n\n+/);
  return blocks.map((block) => {
    const valueOf = (name: string) =>
      block
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length + 1);
    return { path: valueOf('worktree') ?? path, branch: valueOf('branch')?.replace(/^refs\/heads\//, '') ?? null };
  });
}

async function existingFolder(given: string): Promise<string> {
  if (given.includes('\0') || !given.isWellFormed()) {
    throw new RepositoryProblem('repository_missing', 'The path of the repository contains invalid characters.');
  }
  const path = given.startsWith('file:') && URL.canParse(given) ? pathOfUrl(given) : given;
  if (!isAbsolute(path)) {
    throw new RepositoryProblem(
      'repository_missing',
      'Use the absolute path of the repository, as "pwd" prints it there.',
    );
  }
  const obstacle = await obstacleAt(path);
  if (obstacle) throw obstacle;
  return realpath(path);
}

function pathOfUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (err) {
    throw new RepositoryProblem(
      'repository_missing',
      'The file: URL of the repository is not a folder on this machine.',
      {
        cause: err,
      },
    );
  }
}

/** Git was asked not to search parent folders. If one has a repository, that is the likely mistake. */
async function aboveOrNowhere(asked: string, facts: GitResult): Promise<RepositoryProblem | Shortage> {
  if (/not a git repository/i.test(facts.stderr)) {
    const above = await runGit(['-C', asked, 'rev-parse', '--path-format=absolute', '--git-common-dir']);
    if (above.code === 0) return subFolder(asked, above.stdout.trim());
  }
  return localProblem(asked, facts.stderr, facts.code);
}

function subFolder(asked: string, commonDir: string): RepositoryProblem {
  const root = commonDir.endsWith('/.git') ? dirname(commonDir) : commonDir;
  return new RepositoryProblem(
    'repository_missing',
    `${asked} is a folder inside the repository ${root}. Use ${root} as the repository, and set the docs folder of the project.`,
  );
}

async function mainWorktree(path: string): Promise<string> {
  const [main] = await listWorktrees(path);
  // Git stores the path at creation time; if that is gone, the one we used is right.
  return main && (await exists(main.path)) ? realpath(main.path) : path;
}

/** The branch of HEAD; null if it is detached. */
export async function headBranch(path: string): Promise<string | null> {
  const head = await gitIn(path, ['symbolic-ref', '--quiet', 'HEAD']);
  return /^refs\/heads\/(.+)$/.exec(head.stdout.trim())?.[1] ?? null;
}

async function checkedOutBranch(path: string): Promise<string> {
  const branch = await headBranch(path);
  if (branch !== null) return branch;
  throw new RepositoryProblem(
    'branch_missing',
    `The repository at ${path} has no branch checked out (its HEAD is detached). Specify the base branch.`,
  );
}

function missingBranch(path: string, branch: string, others: string[]): RepositoryProblem {
  const shown = others.toSorted().slice(0, SHOWN_BRANCHES).join(', ');
  const more = others.length > SHOWN_BRANCHES ? ` and ${others.length - SHOWN_BRANCHES} more` : '';
  return new RepositoryProblem(
    'branch_missing',
    `The repository at ${path} has no branch "${branch}". It has: ${shown}${more}.`,
  );
}

/** A tip with missing objects (borrowed from a moved repository, lost in a crash) is listed anyway. */
async function assertComplete(path: string, branch: string, commit: string): Promise<void> {
  const { code, stderr } = await gitIn(path, ['cat-file', '-e', `${commit}^{tree}`]);
  if (code === 0) return;
  throw new RepositoryProblem(
    'repository_unreadable',
    `The repository at ${path} is damaged: files of its branch "${branch}" are missing. Run "git fsck" there for details.`,
    { cause: new Error(stderr) },
  );
}

async function assertWritable(path: string, commonDir: string): Promise<void> {
  try {
    await access(join(commonDir, 'objects'), constants.W_OK);
  } catch (err) {
    throw new RepositoryProblem(
      'repository_unreadable',
      `Docent cannot push to the repository at ${path}, because it has no write access.`,
      {
        cause: err,
      },
    );
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
