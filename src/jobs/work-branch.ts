import { and, eq, sql } from 'drizzle-orm';
import { branchNameProblem } from '@docent/base/branch-name';
import { AppError } from '../platform/errors.ts';
import type { Queryable } from '../store/database.ts';
import type { JobOptions } from '../store/job-options.ts';
import type { ProjectRow } from '../store/projects/projects.ts';
import { jobs, pullRequests } from '../store/schema.ts';

/** How a branch ends that Docent names: the job's id, and the number of the pull request in its chain. */
const OWN_FORM = /(?:^|\/)[0-9a-z]{20}(?:-\d+)?$/;

/** The branch's name in the options of a job: the expression of the index `jobs_of_branch`. */
const branchOf = sql`(${jobs.options} ->> 'branch')`;

/**
 * Rejects a branch that cannot be a new job's own, by the rows; exact under the project's acceptance lock.
 * @throws AppError `bad_request` for an invalid name, `branch_taken` (409)
 */
export async function refuseTakenBranch(
  tx: Queryable,
  project: Pick<ProjectRow, 'id' | 'ref'>,
  { ref, branch }: JobOptions,
): Promise<void> {
  for (const [field, name] of Object.entries({ ref, branch })) {
    const problem = name === undefined ? null : branchNameProblem(name);
    if (problem) throw new AppError('bad_request', `\`${field}\` is not a valid branch name: ${problem}.`);
  }
  if (branch === undefined) return;
  if (branch === (ref ?? project.ref) || branch === project.ref) {
    throw new AppError(
      'bad_request',
      '`branch` is a base branch. Choose the name of a new branch: changes are proposed as a pull request.',
    );
  }
  if (OWN_FORM.test(branch)) {
    throw new AppError(
      'bad_request',
      '`branch` ends with a job ID, like the branches that Docent names. Choose another name.',
    );
  }
  const [job] = await tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.projectId, project.id), sql`${branchOf} = ${branch}`))
    .limit(1);
  const [pullRequest] = await tx
    .select({ id: pullRequests.jobId })
    .from(pullRequests)
    .where(and(eq(pullRequests.projectId, project.id), eq(pullRequests.headBranch, branch)))
    .limit(1);
  const owner = job ?? pullRequest;
  if (!owner) return;
  throw new AppError(
    'branch_taken',
    `\`branch\` belongs to the job ${owner.id}. Send that job a message to continue there, or choose another name.`,
  );
}
