import { PAGE_SCRIPT } from '../../analytics/ingest/script/generated/page-script.ts';
import { findProject, projectNotFound } from '../../store/projects.ts';
import type { Handler } from '../contract/handler.ts';

const HEADERS = {
  // A day more while a new one is fetched, or this server is away.
  'Cache-Control': 'public, max-age=3600, stale-while-revalidate=86400, stale-if-error=86400',
  // Sites that isolate themselves (COEP) load nothing foreign without it.
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

export const getPageScript: Handler<'getPageScript'> = async ({ path }, { db }) => {
  if (!(await findProject(db, path.projectId))) throw projectNotFound(path.projectId);
  return { status: 200, type: 'text/javascript', text: PAGE_SCRIPT, headers: HEADERS };
};
