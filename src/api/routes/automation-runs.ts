import { findRun, listRuns, type RunRow } from '../../store/automations/automation-runs.ts';
import { pullRequestsById } from '../../store/pull-requests/pull-requests.ts';
import type { Handler } from '../contract/handler.ts';
import { presentRun } from '../presenters/automation.ts';
import type { ApiServices } from '../services.ts';
import { timePage } from '../presenters/cursor.ts';
import { requireAutomation } from '../../store/automations/automations.ts';

export const listAutomationRuns: Handler<'listAutomationRuns'> = async ({ path, query }, services) => {
  const { db } = services;
  const { projectId, automationId: id } = path;
  const { status } = query;
  const { rows, nextCursor } = await timePage(query, (at) => listRuns(db, { projectId, id, status, ...at }));
  if (rows.length === 0) await requireAutomation(db, { projectId, id });
  return { status: 200, body: { runs: await present(rows, services), nextCursor } };
};

export const getAutomationRun: Handler<'getAutomationRun'> = async ({ path }, services) => {
  const { db } = services;
  const { projectId, automationId: id, runId } = path;
  await requireAutomation(db, { projectId, id });
  const [run] = await present([await findRun(db, { projectId, id }, runId)], services);
  return { status: 200, body: run! };
};

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
