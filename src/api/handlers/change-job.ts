import { messageOf } from '../../platform/errors.ts';
import type { Queryable } from '../../store/database.ts';
import { once } from '../../store/idempotency.ts';
import { bellAnswered, type JobRow } from '../../store/jobs.ts';
import type { RingPayload } from '../../workflows/contract.ts';
import type { components } from '../generated/openapi.ts';
import { idempotent, replayHeaders } from '../middleware/idempotency.ts';
import { presentJob } from '../presenters/job.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';
import { withJob } from './missing-job.ts';

type Changed = { status: 200; body: components['schemas']['Job']; headers: Record<string, string> };

/**
 * Changes a job's row in a transaction, then tells its workflow. A bell that cannot be rung is no error: the row says what was
 * asked for, and the dispatcher rings again.
 */
export async function changeJob(
  input: { path: { projectId: string; id: string }; request: RequestContext },
  services: ApiServices,
  ring: RingPayload,
  change: (tx: Queryable) => Promise<JobRow>,
): Promise<Changed> {
  const { path, request } = input;
  const { db, bell } = services;
  let changed: JobRow | undefined;
  const answer = await withJob(db, path, () =>
    once(db, idempotent(request, services, path.projectId), async (tx) => {
      changed = await change(tx);
      return { status: 200 as const, body: presentJob(changed) };
    }),
  );
  if (changed && !answer.replayed) {
    const { id, projectId, status, title } = changed;
    try {
      await bell.ring({ id, projectId, status, title }, ring);
      if (changed.bellPending) await bellAnswered(db, id, changed.updatedAt);
    } catch (err) {
      request.log.warn(
        { reason: messageOf(err) },
        'the change is stored, but Temporal could not be told: the dispatcher will',
      );
    }
  }
  return { ...answer, headers: replayHeaders(answer) };
}
