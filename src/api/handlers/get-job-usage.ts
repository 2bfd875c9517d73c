import { findJob } from '../../store/jobs.ts';
import { listCalls } from '../../store/model-calls.ts';
import type { Handler } from '../contract/handler.ts';
import { presentJobUsage } from '../presenters/usage.ts';
import { missingJob } from './missing-job.ts';

export const getJobUsage: Handler<'getJobUsage'> = async ({ path }, { db }) => {
  const job = await findJob(db, path.projectId, path.id);
  if (!job) throw await missingJob(db, path);
  return { status: 200, body: presentJobUsage(job, await listCalls(db, job.id)) };
};
