import type { AcceptanceSettings } from '../../jobs/create-job.ts';
import { once, type Answer, type Once } from '../../jobs/idempotency.ts';
import { workflowToWake } from '../../jobs/outbox.ts';
import { faultPoint } from '../../platform/faults.ts';
import type { Queryable } from '../../store/database.ts';
import type { JobCreator } from '../../store/jobs/job-creator.ts';
import type { Queued } from '../../jobs/queue.ts';
import { actorOf } from '../middleware/actor.ts';
import { idempotent } from '../middleware/idempotency.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';

/** The accepted job or, if `isNew` is false, the message to one. */
export interface Accepted {
  job: Queued;
  prompt: string;
  isNew: boolean;
}

/**
 * Accepts a job or message at most once per Idempotency-Key, and signals its workflow after the answer; if
 * that fails, the reconciler does.
 * @param work in a transaction, which is rolled back if it throws
 */
export async function acceptOnce<A extends Answer>(
  { projectId, request }: { projectId: string; request: RequestContext },
  services: ApiServices,
  work: (tx: Queryable, settings: AcceptanceSettings) => Promise<{ answer: A; accepted: Accepted }>,
): Promise<Once<A>> {
  const { db, config, secrets, accepting, jobWorkflows, wakes } = services;
  const { jobsPerHour, messagesPerHour, model } = config;
  const settings: AcceptanceSettings = {
    secrets,
    slots: config,
    jobsPerHour,
    messagesPerHour,
    model,
    onQuota: (quota) => (request.quota = quota),
  };
  let accepted: Accepted | undefined;
  const acceptInTransaction = () =>
    once(db, idempotent(request, services, projectId), async (tx) => {
      const done = await work(tx, settings);
      accepted = done.accepted;
      return done.answer;
    });
  const answer = await accepting.take(projectId, acceptInTransaction);
  faultPoint('job-accepted');
  if (accepted && !answer.replayed) {
    const known = accepted;
    wakes.add(async () => {
      faultPoint('wake-due');
      const job = await workflowToWake(db, known, config);
      if (!job) return;
      // A queued job may have a run that is about to end, which only a signal prevents.
      const isFirst = known.isNew && known.job.queueNo === null;
      await (isFirst ? jobWorkflows.start(job) : jobWorkflows.signal(job, { reason: 'message' }));
      faultPoint('workflow-started');
    }, request.log);
  }
  return answer;
}

/** The creator of a job. A token counts as its key, and a browser of the operator as the operator. */
export function creatorOf({ principal }: RequestContext): JobCreator {
  if (principal?.kind === 'key') return { kind: 'key', id: principal.key.id, name: principal.key.name };
  if (principal?.kind !== 'person') return { kind: 'operator', id: null, name: 'Operator' };
  const { kind, id, name } = actorOf(principal);
  return { kind: kind === 'person' ? 'person' : 'operator', id, name };
}
