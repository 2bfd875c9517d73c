import { AppError } from '../../platform/errors.ts';
import { listCalls, usageByDay } from '../../store/jobs/model-calls.ts';
import { readRange } from '../analytics-range.ts';
import type { Handler } from '../contract/handler.ts';
import { presentJobUsage, presentProjectUsage } from '../presenters/usage.ts';
import { requireProject } from '../../store/projects/projects.ts';
import { requireJob } from '../../store/jobs/jobs.ts';

export const getJobUsage: Handler<'getJobUsage'> = async ({ path }, { db }) => {
  const job = await requireJob(db, path.projectId, path.id);
  return { status: 200, body: presentJobUsage(job, await listCalls(db, job.id)) };
};

export const getProjectUsage: Handler<'getProjectUsage'> = async ({ path, query }, { db }) => {
  const { from, to } = readRange(query);
  await requireProject(db, path.projectId);
  const days = await usageByDay(db, path.projectId, asDate(from), asDate(to));
  return { status: 200, body: presentProjectUsage(days) };
};

function asDate(instant: number | null): Date | null {
  return instant === null ? null : new Date(instant);
}

export const getJobWorkflow: Handler<'getJobWorkflow'> = async ({ path }, { db, workflowOf }) => {
  await requireJob(db, path.projectId, path.id);
  if (!workflowOf) throw new AppError('unavailable', 'This server is not connected to Temporal.');
  return { status: 200, body: workflowOf(path.id) };
};
