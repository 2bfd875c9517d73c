import { receiveAdvertisement, sendPack } from '@docent/git/protocol/send-pack';
import { DEFAULT_TRANSFER_LIMITS } from '@docent/git/transport/transport';
import { localProblem } from '@docent/git/transport/local-problem';
import { AppError } from '../../platform/errors.ts';
import { RepositoryProblem } from '@docent/git/repository-problem';
import { gitIn, gitOutput, listWorktrees } from './local-repository.ts';

export interface MergeInput {
  repository: string;
  headBranch: string;
  /** The commit to merge if the branch is gone. */
  headCommit: string;
  baseBranch: string;
  title: string;
  identity: { name: string; email: string };
}

/** How often a merge is made again because the base branch moved in the meantime. */
const ROUNDS = 5;
const SHOWN_FILES = 10;

/** The base branch's commit that brought a commit in; null if none, or for a squash or rebase. */
export async function mergedBy(repository: string, commit: string, baseBranch: string): Promise<string | null> {
  const base = `refs/heads/${baseBranch}`;
  if (!(await isAncestor(repository, commit, base))) return null;
  const after = ['rev-list', '--first-parent', '--ancestry-path', '--parents', '--reverse', `${commit}..${base}`];
  const [oldest] = (await gitOutput(repository, after)).split('\n');
  const [id, firstParent] = (oldest ?? '').split(' ');
  return !id || firstParent === commit ? commit : id;
}

/**
 * Merges a branch into its base without touching any work tree: by fast-forward if possible, else by a merge
 * commit. The base branch moves by a push, so git's own checks, hooks and compare-and-set decide. Safe to
 * repeat: an existing merge is found by ancestry. Throws AppError and RepositoryProblem.
 */
export async function mergeBranch(input: MergeInput): Promise<{ mergeCommit: string }> {
  const { repository, baseBranch } = input;
  for (let round = 0; round < ROUNDS; round++) {
    const base = await commitOf(repository, `refs/heads/${baseBranch}`);
    if (base === null) throw new AppError('merge_refused', `The base branch "${baseBranch}" no longer exists.`);
    const head =
      (await commitOf(repository, `refs/heads/${input.headBranch}`)) ?? (await commitOf(repository, input.headCommit));
    if (head === null) {
      throw new AppError(
        'merge_refused',
        `The branch "${input.headBranch}" and its commits no longer exist, so there is nothing to merge.`,
      );
    }
    const done = await mergedBy(repository, head, baseBranch);
    if (done !== null) return { mergeCommit: done };
    await mustNotBeCheckedOut(input);
    const merge = (await isAncestor(repository, base, head)) ? head : await makeMergeCommit(input, base, head);
    if (await moveBase(input, base, merge)) return { mergeCommit: merge };
  }
  throw new RepositoryProblem(
    'unreachable',
    `The branch "${baseBranch}" moved ${ROUNDS} times during the merge. Try again.`,
  );
}

async function mustNotBeCheckedOut({ repository, baseBranch, headBranch }: MergeInput): Promise<void> {
  const worktree = (await listWorktrees(repository)).find(({ branch }) => branch === baseBranch);
  if (!worktree) return;
  throw new AppError(
    'branch_checked_out',
    `"${baseBranch}" is checked out in ${worktree.path}, and Docent does not change work trees. Merge it there with: ` +
      `git -C ${shellQuote(worktree.path)} merge ${shellQuote(headBranch)}`,
  );
}

async function makeMergeCommit(input: MergeInput, base: string, head: string): Promise<string> {
  const { repository, headBranch, baseBranch, identity } = input;
  const merged = await gitIn(repository, ['merge-tree', '--write-tree', '--name-only', '--no-messages', base, head]);
  if (merged.code === 1) {
    const files = merged.stdout.trimEnd().split('\n').slice(1);
    const shown = files.slice(0, SHOWN_FILES).join(', ') + (files.length > SHOWN_FILES ? ' and more' : '');
    throw new AppError(
      'merge_conflict',
      `"${baseBranch}" and "${headBranch}" changed the same lines of: ${shown}. Merge manually, or send ` +
        'the job a message to redo the change on the current state.',
    );
  }
  if (merged.code !== 0) {
    if (/usage:|unknown option/i.test(merged.stderr)) {
      throw new AppError(
        'merge_refused',
        `This merge needs git 2.38 or newer on this machine. Merge manually with: git merge ${shellQuote(headBranch)}`,
      );
    }
    throw await localProblem(repository, merged.stderr, merged.code);
  }
  const tree = merged.stdout.trim();
  const message = `Merge branch '${headBranch}'\n\n${input.title}\n`;
  return gitOutput(repository, ['commit-tree', tree, '-p', base, '-p', head, '-m', message], {
    GIT_AUTHOR_NAME: identity.name,
    GIT_AUTHOR_EMAIL: identity.email,
    GIT_COMMITTER_NAME: identity.name,
    GIT_COMMITTER_EMAIL: identity.email,
  });
}

/** False if the base branch was somewhere else by then. */
async function moveBase({ repository, baseBranch }: MergeInput, from: string, to: string): Promise<boolean> {
  const endpoint = { kind: 'local' as const, path: repository };
  const options = { limits: DEFAULT_TRANSFER_LIMITS };
  const ref = `refs/heads/${baseBranch}`;
  const { capabilities } = await receiveAdvertisement(endpoint, options);
  const sent = await sendPack(endpoint, { ref, oldId: from, newId: to, pack: null }, capabilities, options);
  if (sent.ok) return true;
  if ((await commitOf(repository, ref)) !== from) return false;
  if (/currently checked out/i.test(sent.reason)) {
    throw new AppError(
      'branch_checked_out',
      `A work tree of the repository has "${baseBranch}" checked out: ${sent.reason}`,
    );
  }
  throw new AppError('merge_refused', `The repository refused the merge into "${baseBranch}": ${sent.reason}`);
}

async function isAncestor(repository: string, ancestor: string, descendant: string): Promise<boolean> {
  const { code, stderr } = await gitIn(repository, ['merge-base', '--is-ancestor', ancestor, descendant]);
  if (code === 0) return true;
  // 128 also means that one of the two is gone: then neither contains the other.
  if (code === 1 || /Not a valid (object|commit) name/i.test(stderr)) return false;
  throw await localProblem(repository, stderr, code);
}

/** The id of a commit, or null if the repository has none of that name. */
export async function commitOf(repository: string, name: string): Promise<string | null> {
  const { code, stdout, stderr } = await gitIn(repository, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${name}^{commit}`,
  ]);
  if (code === 0) return stdout.trim();
  if (code === 1 && stderr === '') return null;
  if (/Needed a single revision|unknown revision|bad object|expected commit type/i.test(stderr)) return null;
  throw await localProblem(repository, stderr, code);
}

function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
