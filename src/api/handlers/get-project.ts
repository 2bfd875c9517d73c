import { findProject, projectNotFound } from '../../store/projects.ts';
import type { Handler } from '../contract/handler.ts';
import { presentProject } from '../presenters/project.ts';

export const getProject: Handler<'getProject'> = async ({ path }, { db }) => {
  const project = await findProject(db, path.projectId);
  if (!project) throw projectNotFound(path.projectId);
  return { status: 200, body: presentProject(project) };
};
