import { messageOf } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/faults.ts';
import { once } from '../../store/idempotency.ts';
import { acceptJob, type JobRow } from '../../store/jobs.ts';
import type { Handler } from '../contract/handler.ts';
import { idempotent, replayHeaders } from '../middleware/idempotency.ts';
import { presentJob } from '../presenters/job.ts';
import { repositoryUrl } from '../presenters/project.ts';

/** As much of the prompt as the Temporal Web UI is given. */
const MAX_DETAILS = 2_000;

/** The row is the truth: once it is committed the job runs, started here or, if Temporal is away, by the dispatcher. */
export const createJob: Handler<'createJob'> = async ({ path, body, request }, services) => {
  const { db, config, bell, pathOf } = services;
  let accepted: JobRow | undefined;
  const answer = await once(db, idempotent(request, services, path.projectId), async (tx) => {
    accepted = await acceptJob(tx, {
      projectId: path.projectId,
      prompt: body.prompt,
      repositoryUrl,
      limitPerHour: config.jobsPerHour,
    });
    return { status: 201 as const, body: presentJob(accepted) };
  });
  request.createdJobId = answer.body.id;
  if (accepted && !answer.replayed) {
    const { id, projectId, status, title } = accepted;
    try {
      await bell.start({ id, projectId, status, title, prompt: body.prompt.slice(0, MAX_DETAILS) });
    } catch (err) {
      request.log.warn(
        { reason: messageOf(err) },
        'the job is accepted, but Temporal could not be told: the dispatcher will',
      );
    }
    faultPoint('workflow-started');
  }
  const location = pathOf(`/v2/agent/${path.projectId}/job/${answer.body.id}`);
  return { ...answer, headers: { Location: location, ...replayHeaders(answer) } };
};
