import type { GitStore } from '../../git/git-store.ts';
import type { Endpoint } from '@docent/git/contract';
import type { Failure } from '@docent/base/failure';
import { jobFailure } from '../../platform/errors.ts';
import type { TurnRow } from '../../store/jobs/turn-fence.ts';
import { isTurnTrailerOf } from './pushed-before.ts';

/** Someone else has the branch that the job was to make. */
export function branchTaken(branch: string): Failure {
  return jobFailure(
    'branch_taken',
    `The branch "${branch}", or a pull request from it, already exists and does not belong to this job. ` +
      `Create a job with another \`branch\`, or without one.`,
  );
}

/**
 * Git stores branches as files in folders, so `docs` and `docs/x` cannot both exist.
 * @throws Failure `branch_taken`, including for the base branch
 */
export function mustHaveRoomForNamed(named: string, base: string, branches: ReadonlyMap<string, string>): void {
  if (named === base) throw branchTaken(named);
  const parts = named.split('/');
  const above = parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join('/'));
  const taken =
    above.find((name) => branches.has(name)) ?? [...branches.keys()].find((name) => name.startsWith(`${named}/`));
  if (taken === undefined) return;
  throw jobFailure(
    'branch_taken',
    `The branch "${taken}" exists, so git cannot create "${named}". Create a job with another \`branch\`, or without one.`,
  );
}

/**
 * Whether the job created the branch: by its rows, or a commit whose push was not recorded.
 * @param at.tip undefined if only the pull request is left
 */
export async function isOwnBranch(
  git: GitStore,
  jobId: string,
  at: { endpoint: Endpoint; branch: string; tip: string | undefined; chainBase: string },
  earlier: readonly TurnRow[],
  signal: AbortSignal,
): Promise<boolean> {
  const { endpoint, branch, tip, chainBase } = at;
  if (earlier.some((turn) => turn.branch === branch && turn.commit !== null)) return true;
  if (tip === undefined) return false;
  const { commits } = await git.describeBranch(endpoint, { branch, tip, chainBase }, { signal });
  return commits.some(({ message }) => message.split('\n').some((line) => isTurnTrailerOf(line, jobId)));
}
