import { unarchiveJob as unarchive } from '../../store/jobs.ts';
import type { Handler } from '../contract/handler.ts';
import { changeJob } from './change-job.ts';

export const unarchiveJob: Handler<'unarchiveJob'> = (input, services) =>
  changeJob(input, services, { reason: 'unarchive' }, (tx) => unarchive(tx, input.path.projectId, input.path.id));
