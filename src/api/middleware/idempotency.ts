import { createHash } from 'node:crypto';
import { deleteOldIdempotencyKeys, type IdempotentRequest } from '../../jobs/idempotency.ts';
import { projectsOf } from './authorize.ts';
import { callerOf } from './actor.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';

const DELETE_EVERY_MS = 10 * 60_000;
let deletedAt = 0;

/**
 * The request's Idempotency-Key with what it is bound to; null where it has none.
 * @param owner the project, `*` outside projects
 */
export function idempotent(request: RequestContext, services: ApiServices, owner: string): IdempotentRequest | null {
  if (request.idempotencyKey === null) return null;
  deleteNowAndThen(services);
  const operation = request.operation?.id ?? '';
  // The owner says which project.
  const { projectId: _project, ...ids } = request.path;
  // Who may not see all that others make outside projects gets no answers of theirs.
  const { principal } = request;
  const isBound = owner === '*' && principal?.kind === 'person' && projectsOf(principal) !== null;
  return {
    owner: isBound ? `* ${callerOf(principal)}` : owner,
    route: [operation, ...Object.values(ids)].join(' '),
    key: request.idempotencyKey,
    bodyHash: createHash('sha256').update(request.rawBody).digest(),
  };
}

export function replayHeaders(answer: { replayed: boolean }): Record<string, string> {
  return answer.replayed ? { 'Idempotent-Replayed': 'true' } : {};
}

/** Whoever uses keys now and then removes the old ones. */
function deleteNowAndThen(services: ApiServices): void {
  const now = performance.now();
  if (deletedAt !== 0 && now - deletedAt < DELETE_EVERY_MS) return;
  deletedAt = now;
  services.background('the deletion of old idempotency keys', () => deleteOldIdempotencyKeys(services.db));
}
