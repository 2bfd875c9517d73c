import { requestCancel } from '../../store/jobs.ts';
import type { Handler } from '../contract/handler.ts';
import { changeJob } from './change-job.ts';

export const cancelJob: Handler<'cancelJob'> = (input, services) =>
  changeJob(input, services, { reason: 'cancel' }, (tx) => requestCancel(tx, input.path.projectId, input.path.id));
