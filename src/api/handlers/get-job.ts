import type { Handler } from '../contract/handler.ts';
import { presentJob } from '../presenters/job.ts';
import { missingJob } from './missing-job.ts';

export const getJob: Handler<'getJob'> = async ({ path }, { db, jobs }) => {
  const job = await jobs.find(path.projectId, path.id);
  if (!job) throw await missingJob(db, path);
  return { status: 200, body: presentJob(job) };
};
