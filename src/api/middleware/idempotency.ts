import { createHash } from 'node:crypto';
import { deleteOldIdempotencyKeys, type IdempotentRequest } from '../../jobs/idempotency.ts';
import { projectsOf } from './authorize.ts';
import { callerOf } from './actor.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';

const DELETE_EVERY_MS = 10 * 60_000;
let deletedAt = 0;

/** The Idempotency-Key and the request it is bound to, or null. @param owner the project, or `*` */
export function idempotent(request: RequestContext, services: ApiServices, owner: string): IdempotentRequest | null {
  if (request.idempotencyKey === null) return null;
  deleteNowAndThen(services);
  const operation = request.operation?.id ?? '';
  // The owner already names the project.
  const { projectId: _project, ...ids } = request.path;
  // Outside projects, callers who may not see all resources do not share answers.
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

/** Deletes old keys now and then, when keys are used. */
function deleteNowAndThen(services: ApiServices): void {
  const now = performance.now();
  if (deletedAt !== 0 && now - deletedAt < DELETE_EVERY_MS) return;
  deletedAt = now;
  services.background('the deletion of old idempotency keys', () => deleteOldIdempotencyKeys(services.db));
}
