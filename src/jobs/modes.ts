import { PROJECT_SETTINGS } from '../config/project-settings.ts';
import { AppError } from '../platform/errors.ts';
import type { Queryable } from '../store/database.ts';
import type { JobOptions } from '../store/job-options.ts';
import { findProject } from '../store/projects/projects.ts';

/**
 * Whether the project lets a job of this mode do what it says.
 * @throws AppError `push_not_allowed` (403)
 */
export async function assertModeAllowed(
  q: Queryable,
  { mode, cause }: Pick<JobOptions, 'mode' | 'cause'>,
  projectId: string,
): Promise<void> {
  if (mode !== 'push' || cause?.isOwnBranch === true) return;
  const project = await findProject(q, projectId);
  // Without a project, whoever accepts the job says so.
  if (project && !(project.settings.allowPush ?? PROJECT_SETTINGS.allowPush.fallback)) {
    throw new AppError(
      'push_not_allowed',
      `This project does not allow pushes to its base branch. To allow them, run: docent project update ${projectId} --allow-push`,
    );
  }
}
