import { AppError } from '../platform/errors.ts';
import type { Queryable } from '../store/database.ts';
import { modeOf, type JobOptions } from '../store/job-options.ts';
import type { JobRow } from '../store/jobs/jobs.ts';
import { effectiveSettings } from '../store/projects/project-settings.ts';
import { findProject, type ProjectRow } from '../store/projects/projects.ts';

/**
 * Checks whether the project allows jobs of this mode.
 * @throws AppError `push_not_allowed` (403)
 */
export async function assertModeAllowed(
  q: Queryable,
  { mode, cause }: Pick<JobOptions, 'mode' | 'cause'>,
  projectId: string,
): Promise<void> {
  if (mode !== 'push' || cause?.isOwnBranch === true) return;
  const project = await findProject(q, projectId);
  // Without a project, accepting the job throws that error.
  if (project && !mayClientsPush(project)) {
    throw new AppError(
      'push_not_allowed',
      `This project does not allow pushes to its base branch. To allow them, run: docent project update ${projectId} --allow-push`,
    );
  }
}

/**
 * Whether clients of the API may write to a job. One that commits to the branch of a person's pull request
 * may do so because its author may push there, which does not apply to a key of the project: its messages
 * come from the pull request, unless the project allows pushes.
 * @throws AppError `push_not_allowed` (403)
 */
export async function assertClientMayWrite(q: Queryable, { projectId, options }: JobRow): Promise<void> {
  if (modeOf({ options }) !== 'push' || options.cause?.isOwnBranch !== true) return;
  const project = await findProject(q, projectId);
  if (!project || mayClientsPush(project)) return;
  throw new AppError(
    'push_not_allowed',
    `This job commits to the branch of a person's pull request. Write your message there: ${options.cause.url}`,
  );
}

function mayClientsPush({ settings }: Pick<ProjectRow, 'settings'>): boolean {
  return effectiveSettings(settings).allowPush;
}
