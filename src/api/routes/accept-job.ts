import { acceptJob } from '../../jobs/acceptance.ts';
import { once, type Answer, type Once } from '../../jobs/idempotency.ts';
import { mustBePossible } from '../../jobs/modes.ts';
import { beginningOf } from '../../platform/ellipsis.ts';
import { faultPoint } from '../../platform/faults.ts';
import { withoutContext } from '@docent/recipes/prompt-context';
import type { Queryable } from '../../store/database.ts';
import type { JobCreator } from '../../store/job-creator.ts';
import type { JobMetadata, JobOptions } from '../../store/job-options.ts';
import type { JobRow } from '../../store/jobs.ts';
import { actorOf } from '../middleware/actor.ts';
import { idempotent } from '../middleware/idempotency.ts';
import { repositoryUrl } from '../presenters/project.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';
import { insertJobWebhook, jobWebhookOption, type JobWebhook } from './job-webhook.ts';
import { keepingSecret } from './keeping-secret.ts';

/** As much of the prompt as the Temporal Web UI is given. */
const MAX_DETAILS = 2_000;

export interface WantedJob {
  prompt: string;
  options: JobOptions;
  metadata: JobMetadata;
  /** Which a worker has looked at; undefined: as the project has it. */
  model: string | undefined;
  webhook: JobWebhook | null;
  /** The automation that wants it; without one, the caller does. */
  automation?: { id: string; name: string };
}

/** Accepts a job, in the transaction of whoever wants it. @throws AppError as acceptJob does; SecretKeyProblem */
export type Accept = (wanted: WantedJob) => Promise<JobRow>;

/**
 * Does what accepts one job, at most once per Idempotency-Key, and has its workflow started behind the answer. The row is the truth: once
 * it is committed the job runs, started by this or, if that fails, by the reconciler.
 * @param work in a transaction; what it throws leaves nothing behind
 */
export async function acceptOnce<A extends Answer>(
  { projectId, request }: { projectId: string; request: RequestContext },
  services: ApiServices,
  work: (tx: Queryable, accept: Accept) => Promise<A>,
): Promise<Once<A>> {
  const { db, config, jobWorkflows, wakes } = services;
  let accepted: { job: JobRow; prompt: string } | undefined;
  const answer = await keepingSecret(() =>
    once(db, idempotent(request, services, projectId), (tx) =>
      work(tx, async ({ webhook, model, automation, ...wanted }) => {
        await mustBePossible(tx, wanted.options.mode, projectId);
        const job = await acceptJob(tx, {
          ...wanted,
          projectId,
          automationId: automation?.id,
          creator: automation ? { kind: 'automation', ...automation } : creatorOf(request),
          options: { ...wanted.options, ...jobWebhookOption(webhook) },
          chosenModel: model,
          repositoryUrl,
          limitPerHour: config.jobsPerHour,
          onQuota: (quota) => (request.quota = quota),
          model: config.model,
        });
        await insertJobWebhook(tx, services.secrets, job, webhook);
        accepted = { job, prompt: wanted.prompt };
        return job;
      }),
    ),
  );
  faultPoint('job-accepted');
  if (accepted && !answer.replayed) {
    const { id, status, title } = accepted.job;
    const prompt = beginningOf(withoutContext(accepted.prompt), MAX_DETAILS);
    wakes.add(async () => {
      faultPoint('wake-due');
      await jobWorkflows.start({ id, projectId, status, title, prompt });
      faultPoint('workflow-started');
    }, request.log);
  }
  return answer;
}

/** A token counts as the key that it was made from, and a browser of the operator's as the operator. */
function creatorOf({ principal }: RequestContext): JobCreator {
  if (principal?.kind === 'key') return { kind: 'key', id: principal.key.id, name: principal.key.name };
  if (principal?.kind !== 'person') return { kind: 'operator', id: null, name: 'Operator' };
  const { kind, id, name } = actorOf(principal);
  return { kind: kind === 'person' ? 'person' : 'operator', id, name };
}
