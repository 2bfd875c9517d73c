import { usageByDay } from '../../store/model-calls.ts';
import { findProject, projectNotFound } from '../../store/projects.ts';
import { readRange } from '../analytics-range.ts';
import type { Handler } from '../contract/handler.ts';
import { presentProjectUsage } from '../presenters/usage.ts';

export const getProjectUsage: Handler<'getProjectUsage'> = async ({ path, query }, { db }) => {
  const { from, to } = readRange(query);
  if (!(await findProject(db, path.projectId))) throw projectNotFound(path.projectId);
  const days = await usageByDay(db, path.projectId, asDate(from), asDate(to));
  return { status: 200, body: presentProjectUsage(days) };
};

function asDate(instant: number | null): Date | null {
  return instant === null ? null : new Date(instant);
}
