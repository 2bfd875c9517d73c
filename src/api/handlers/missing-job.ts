import { AppError } from '../../platform/errors.ts';
import type { Queryable } from '../../store/database.ts';
import { findProject, projectNotFound } from '../../store/projects.ts';

/** The error for a job that was not found: perhaps there is not even its project. */
export async function missingJob(q: Queryable, path: { projectId: string; id: string }): Promise<AppError> {
  if (!(await findProject(q, path.projectId))) return projectNotFound(path.projectId);
  return new AppError('job_not_found', 404, `There is no job ${path.id} in this project.`);
}

/** Does something to a job, and says which of the two is missing if the job is not found. */
export async function withJob<T>(
  q: Queryable,
  path: { projectId: string; id: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (err) {
    if (err instanceof AppError && err.code === 'job_not_found') throw await missingJob(q, path);
    throw err;
  }
}
