import { PROJECT_SETTINGS } from '../config/project-settings.ts';
import { AppError } from '../platform/errors.ts';
import type { Queryable } from '../store/database.ts';
import type { JobOptions } from '../store/job-options.ts';
import { findProject } from '../store/projects/projects.ts';

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
  if (project && !(project.settings.allowPush ?? PROJECT_SETTINGS.allowPush.fallback)) {
    throw new AppError(
      'push_not_allowed',
      `This project does not allow pushes to its base branch. To allow them, run: docent project update ${projectId} --allow-push`,
    );
  }
}
