import { JobFailure } from '../../platform/errors.ts';
import { mustHaveRoomFor } from '../../git/branch-name.ts';
import type { GitStore } from '../../git/contract.ts';
import type { OpenRepository, PullRequestTarget } from '../../code-hosts/host.ts';
import type { JobRow } from '../../store/jobs.ts';
import type { ProjectRow } from '../../store/projects.ts';
import type { TurnRow } from '../../store/turn-fence.ts';

/** Where a turn's commit goes. */
export interface BranchTarget {
  chainNo: number;
  branch: string;
  /** The commit that the turn starts from. */
  baseCommit: string;
  /** The branch that the commit is the tip of: the job's own, or the base branch where the job's is yet to be made. */
  baseBranch: string;
  /** Where the branch left the base branch. */
  chainBaseCommit: string;
  /** What the branch must point to when the push arrives; null: it must not exist. */
  expectedTip: string | null;
}

/** What a turn's row has of it. */
export function columnsOf({ chainNo, branch, baseCommit, chainBaseCommit, expectedTip }: BranchTarget) {
  return { chainNo, branch, baseCommit, chainBaseCommit, expectedTip };
}

/** `<prefix>/<jobId>`, then `<prefix>/<jobId>-2`, `-3` … when the pull request before was merged or closed. */
export function branchName(prefix: string, jobId: string, chainNo: number): string {
  return chainNo === 1 ? `${prefix}/${jobId}` : `${prefix}/${jobId}-${chainNo}`;
}

export function pullRequestTarget(project: ProjectRow, headBranch: string): PullRequestTarget {
  return { projectId: project.id, headBranch, baseBranch: project.ref };
}

/**
 * Finds the newest link of the job's chain of branches that can still take commits, as the server shows it now. A pull request
 * that was merged, closed, or lost its branch ends its link.
 * @param earlier all turns of the job that were ever located, for the commits at which their links began
 */
export async function findBranchTarget(
  at: { job: JobRow; project: ProjectRow; repository: OpenRepository; prefix: string; firstChainNo: number },
  git: GitStore,
  earlier: readonly TurnRow[],
  signal: AbortSignal,
): Promise<BranchTarget> {
  const { job, project, repository } = at;
  const branches = await git.listBranches(repository.endpoint, { signal });
  const baseTip = branches.get(project.ref);
  if (baseTip === undefined) {
    throw new JobFailure(
      'branch_missing',
      `The repository has no branch "${project.ref}" any more. Set the project's base branch with "docent project update".`,
    );
  }
  mustHaveRoomFor(at.prefix, branches);
  for (let chainNo = at.firstChainNo; ; chainNo += 1) {
    const branch = branchName(at.prefix, job.id, chainNo);
    const tip = branches.get(branch);
    const pullRequest = await repository.findPullRequest(pullRequestTarget(project, branch));
    if (pullRequest && pullRequest.state !== 'open') continue;
    if (tip === undefined) {
      if (pullRequest) {
        // Somebody deleted the branch of an open pull request: there is nothing left to update.
        await repository.close(pullRequestTarget(project, branch));
        continue;
      }
      return {
        chainNo,
        branch,
        baseCommit: baseTip,
        baseBranch: project.ref,
        chainBaseCommit: baseTip,
        expectedTip: null,
      };
    }
    const began = earlier.find((turn) => turn.chainNo === chainNo && turn.branch === branch && turn.chainBaseCommit);
    return {
      chainNo,
      branch,
      baseCommit: tip,
      baseBranch: branch,
      chainBaseCommit: began?.chainBaseCommit ?? baseTip,
      expectedTip: tip,
    };
  }
}
