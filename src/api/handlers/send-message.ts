import { acceptMessage, titleOf } from '../../store/jobs.ts';
import type { Handler } from '../contract/handler.ts';
import { changeJob } from './change-job.ts';

export const sendMessage: Handler<'sendMessage'> = (input, services) => {
  const { path, body } = input;
  return changeJob(input, services, { reason: 'message', preview: titleOf(body.prompt) }, (tx) =>
    acceptMessage(tx, {
      projectId: path.projectId,
      jobId: path.id,
      prompt: body.prompt,
      limitPerHour: services.config.messagesPerHour,
    }),
  );
};
