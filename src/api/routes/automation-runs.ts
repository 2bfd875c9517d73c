import { findRun, listRuns, type RunRow } from '../../store/automations/automation-runs.ts';
import { automationNotFound, findAutomation } from '../../store/automations/automations.ts';
import type { Db } from '../../store/database.ts';
import { pullRequestsById } from '../../store/pull-requests/pull-requests.ts';
import type { Handler } from '../contract/handler.ts';
import { presentRun } from '../presenters/automation.ts';
import { pageOf, readTimeCursor, timeCursorOf } from '../presenters/cursor.ts';
import type { ApiServices } from '../services.ts';
import { withAutomation } from './automations.ts';

export const listAutomationRuns: Handler<'listAutomationRuns'> = async ({ path, query }, services) => {
  const { db } = services;
  const { projectId, automationId: id } = path;
  const { status, limit, cursor } = query;
  const found = await listRuns(db, { projectId, id, status, limit: limit + 1, before: readTimeCursor(cursor) });
  if (found.length === 0) await assertAutomation(db, { projectId, id });
  const { rows, nextCursor } = pageOf(found, limit, timeCursorOf);
  return { status: 200, body: { runs: await present(rows, services), nextCursor } };
};

export const getAutomationRun: Handler<'getAutomationRun'> = async ({ path }, services) => {
  const { db } = services;
  const { projectId, automationId: id, runId } = path;
  await assertAutomation(db, { projectId, id });
  const [run] = await present([await findRun(db, { projectId, id }, runId)], services);
  return { status: 200, body: run! };
};

/** @throws AppError `project_not_found`, `automation_not_found` */
function assertAutomation(db: Db, at: { projectId: string; id: string }): Promise<void> {
  return withAutomation(db, at.projectId, async () => {
    if (!(await findAutomation(db, at))) throw automationNotFound(at.id);
  });
}

async function present(rows: readonly RunRow[], { db, urlOf }: ApiServices) {
  const ids = rows.flatMap(({ pullRequestId }) => pullRequestId ?? []);
  const pullRequests = await pullRequestsById(db, ids);
  return rows.map((row) => {
    const found = pullRequests.get(row.pullRequestId ?? '');
    const shown = found && {
      id: found.id,
      link: found.link ?? urlOf(`/pull-requests/${found.id}`),
      state: found.state,
    };
    return presentRun(row, shown ?? null);
  });
}
