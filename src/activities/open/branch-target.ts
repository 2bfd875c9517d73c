import { jobFailure } from '../../platform/errors.ts';
import { mustHaveRoomFor } from '@docent/git/branch-name';
import type { GitStore } from '../../git/git-store.ts';
import type { OpenRepository, PullRequestTarget } from '../../code-hosts/host.ts';
import type { JobRow } from '../../store/jobs/jobs.ts';
import type { ProjectRow } from '../../store/projects/projects.ts';
import type { TurnRow } from '../../store/jobs/turn-fence.ts';
import type { Endpoint } from '@docent/git/contract';
import type { Failure } from '@docent/base/failure';
import { isTurnTrailerOf } from './pushed-before.ts';

/** The branch that receives a turn's commit. */
export interface BranchTarget {
  chainNo: number;
  branch: string;
  /** The commit that the turn starts from. */
  baseCommit: string;
  /** The commit's branch: the job's own, or the base branch if the job's does not exist yet. */
  baseBranch: string;
  /** The commit at which the branch left the base branch. */
  chainBaseCommit: string;
  /** The commit that the branch must point to when the push arrives; null if the branch must not exist. */
  expectedTip: string | null;
}

/** The target as columns of a turn's row. */
export function columnsOf({ chainNo, branch, baseCommit, chainBaseCommit, expectedTip }: BranchTarget) {
  return { chainNo, branch, baseCommit, chainBaseCommit, expectedTip };
}

/** `<prefix>/<jobId>` or the job's name; then with `-2`, `-3` … after a merged or closed pull request. */
function branchName(prefix: string, job: Pick<JobRow, 'id' | 'options'>, chainNo: number): string {
  const first = job.options.branch ?? `${prefix}/${job.id}`;
  return chainNo === 1 ? first : `${first}-${chainNo}`;
}

/** The branch that the job starts from, and that its pull requests go to. */
export function baseRefOf({ options }: Pick<JobRow, 'options'>, project: Pick<ProjectRow, 'ref'>): string {
  return options.ref ?? project.ref;
}

export function pullRequestTarget(
  { job, project }: { job: Pick<JobRow, 'options'>; project: ProjectRow },
  headBranch: string,
): PullRequestTarget {
  return { projectId: project.id, headBranch, baseBranch: baseRefOf(job, project) };
}

/**
 * Finds the newest branch in the job's chain that can still take commits, as the server shows it now. A chain
 * link ends when its pull request is merged or closed, or its branch is deleted. A branch that the job was
 * created with is its own only if the job created it: Docent never pushes to other branches or closes their
 * pull requests.
 * @throws Failure `branch_missing`, `branch_taken`
 * @param earlier all turns of the job that were ever located, for the commits at which their links began
 */
export async function findBranchTarget(
  at: { job: JobRow; project: ProjectRow; repository: OpenRepository; prefix: string; firstChainNo: number },
  git: GitStore,
  earlier: readonly TurnRow[],
  signal: AbortSignal,
): Promise<BranchTarget> {
  const { job, project, repository } = at;
  const base = baseRefOf(job, project);
  const named = job.options.branch;
  const branches = await git.listBranches(repository.endpoint, { signal });
  const baseTip = branches.get(base);
  if (baseTip === undefined) {
    throw jobFailure(
      'branch_missing',
      job.options.ref === undefined
        ? `The branch "${base}" no longer exists. Set the project's base branch with "docent project update".`
        : `The base branch "${base}" of the job does not exist. Create it and send a message to continue, ` +
            `or create a job with another \`ref\`.`,
    );
  }
  if (named === undefined) mustHaveRoomFor(at.prefix, branches);
  else mustHaveRoomForNamed(named, base, branches);
  for (let chainNo = at.firstChainNo; ; chainNo += 1) {
    const branch = branchName(at.prefix, job, chainNo);
    const tip = branches.get(branch);
    const pullRequest = await repository.findPullRequest(pullRequestTarget(at, branch));
    if (pullRequest && pullRequest.state !== 'open') continue;
    const onBranch = earlier.filter((turn) => turn.chainNo === chainNo && turn.branch === branch);
    const began = onBranch.findLast((turn) => turn.chainBaseCommit)?.chainBaseCommit ?? baseTip;
    if (named !== undefined && (tip !== undefined || pullRequest)) {
      const there = { endpoint: repository.endpoint, branch, tip, chainBase: began };
      if (!(await isOwnBranch(git, job.id, there, earlier, signal))) {
        if (chainNo === 1) throw branchTaken(branch);
        continue;
      }
    }
    if (tip === undefined) {
      if (pullRequest) {
        // The branch of an open pull request was deleted: there is nothing left to update.
        await repository.close(pullRequestTarget(at, branch));
        continue;
      }
      return {
        chainNo,
        branch,
        baseCommit: baseTip,
        baseBranch: base,
        chainBaseCommit: baseTip,
        expectedTip: null,
      };
    }
    const isAsLeft = onBranch.some(({ commit, expectedTip }) => commit === tip || expectedTip === tip);
    // Others pushed to it, perhaps after merging or rebasing the base branch. That work is not the job's.
    const left = isAsLeft ? null : await git.mergeBase(repository.endpoint, { tip, baseTip }, { signal });
    return {
      chainNo,
      branch,
      baseCommit: tip,
      baseBranch: branch,
      chainBaseCommit: left ?? began,
      expectedTip: tip,
    };
  }
}

/** Someone else has the branch that the job was to make. */
function branchTaken(branch: string): Failure {
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
async function isOwnBranch(
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
