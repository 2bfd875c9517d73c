import { effectiveSettings } from '../../store/projects/project-settings.ts';
import type { GitStore } from '../../git/git-store.ts';
import { jobFailure } from '../../platform/errors.ts';
import { modeOf } from '../../store/job-options.ts';
import type { JobRow } from '../../store/jobs/jobs.ts';
import type { ProjectRow } from '../../store/projects/projects.ts';
import type { TurnRow } from '../../store/jobs/turn-fence.ts';
import { baseRefOf, findBranchTarget, type BranchTarget } from './branch-target.ts';

/** The link of a turn that goes straight to the base branch: chains of branches count from 1. */
const NO_CHAIN = 0;

/** Whether the turn's commit goes directly to the base branch. */
export function isDirect({ chainNo }: Pick<TurnRow, 'chainNo'>): boolean {
  return chainNo === NO_CHAIN;
}

/** Whether a job may push to its base branch: if the project allows it, or its requester may. */
export function mayPush({ settings }: Pick<ProjectRow, 'settings'>, { options }: Pick<JobRow, 'options'>): boolean {
  return options.cause?.isOwnBranch === true || effectiveSettings(settings).allowPush;
}

/**
 * The target of a turn's commit: the base branch in mode `push`, else the job's. After a refused push, the
 * open pull request stays.
 * @param turn to locate again; one with its own branch keeps one
 */
export async function findTurnTarget(
  at: Parameters<typeof findBranchTarget>[0] & { turn: Pick<TurnRow, 'branch' | 'chainNo'> },
  git: GitStore,
  earlier: readonly TurnRow[],
  signal: AbortSignal,
): Promise<BranchTarget> {
  const { job, project, repository, turn } = at;
  const wasRejected = turn.branch !== null && !isDirect(turn);
  if (modeOf(job) !== 'push' || !mayPush(project, job) || wasRejected) {
    return findBranchTarget(at, git, earlier, signal);
  }
  if (earlier.some((other) => other.branch !== null && !isDirect(other))) {
    const target = await findBranchTarget(at, git, earlier, signal);
    if (target.expectedTip !== null) return target;
  }
  const base = baseRefOf(job, project);
  const tip = (await git.listBranches(repository.endpoint, { signal })).get(base);
  if (tip === undefined) {
    throw jobFailure(
      'branch_missing',
      `The branch "${base}" does not exist. Create it and send a message to continue, or create a job with another base branch.`,
    );
  }
  return {
    chainNo: NO_CHAIN,
    branch: base,
    baseCommit: tip,
    baseBranch: base,
    chainBaseCommit: tip,
    expectedTip: tip,
  };
}
