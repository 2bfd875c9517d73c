import { createHash } from 'node:crypto';
import { sweepIdempotencyKeys, type IdempotentRequest } from '../../jobs/idempotency.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';

const SWEEP_MS = 10 * 60_000;
let sweptAt = 0;

/**
 * The request's Idempotency-Key with what it is bound to; null where it has none.
 * @param owner the project, `*` outside projects
 */
export function idempotent(request: RequestContext, services: ApiServices, owner: string): IdempotentRequest | null {
  if (request.idempotencyKey === null) return null;
  sweepNowAndThen(services);
  const operation = request.operation?.id ?? '';
  return {
    owner,
    route: request.path.id === undefined ? operation : `${operation} ${request.path.id}`,
    key: request.idempotencyKey,
    bodyHash: createHash('sha256').update(request.rawBody).digest(),
  };
}

export function replayHeaders(answer: { replayed: boolean }): Record<string, string> {
  return answer.replayed ? { 'Idempotent-Replayed': 'true' } : {};
}

/** Whoever uses keys now and then removes the old ones. */
function sweepNowAndThen(services: ApiServices): void {
  const now = performance.now();
  if (sweptAt !== 0 && now - sweptAt < SWEEP_MS) return;
  sweptAt = now;
  services.background('sweeping old idempotency keys', () => sweepIdempotencyKeys(services.db));
}
