import { archiveJob as archive } from '../../store/jobs.ts';
import type { Handler } from '../contract/handler.ts';
import { changeJob } from './change-job.ts';

export const archiveJob: Handler<'archiveJob'> = (input, services) =>
  changeJob(input, services, { reason: 'archive' }, (tx) => archive(tx, input.path.projectId, input.path.id));
