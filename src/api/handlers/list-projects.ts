import { listProjects as list } from '../../store/projects.ts';
import type { Handler } from '../contract/handler.ts';
import { pageOf, readIdCursor } from '../presenters/cursor.ts';
import { presentProject } from '../presenters/project.ts';

export const listProjects: Handler<'listProjects'> = async ({ query }, { db }) => {
  const found = await list(db, { limit: query.limit + 1, after: readIdCursor(query.cursor) });
  const { rows, nextCursor } = pageOf(found, query.limit, (last) => last.id);
  return { status: 200, body: { projects: rows.map(presentProject), nextCursor } };
};
