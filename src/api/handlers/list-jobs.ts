import { listJobs as list } from '../../store/jobs.ts';
import { findProject, projectNotFound } from '../../store/projects.ts';
import type { Handler } from '../contract/handler.ts';
import { pageOf, readTimeCursor, timeCursorOf } from '../presenters/cursor.ts';
import { presentJob } from '../presenters/job.ts';

export const listJobs: Handler<'listJobs'> = async ({ path, query }, { db }) => {
  const found = await list(db, {
    projectId: path.projectId,
    status: query.status,
    limit: query.limit + 1,
    before: readTimeCursor(query.cursor),
  });
  if (found.length === 0 && !(await findProject(db, path.projectId))) throw projectNotFound(path.projectId);
  const { rows, nextCursor } = pageOf(found, query.limit, timeCursorOf);
  return { status: 200, body: { jobs: rows.map(presentJob), nextCursor } };
};
