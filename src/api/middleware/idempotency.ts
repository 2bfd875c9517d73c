import { createHash } from 'node:crypto';
import {
  deleteOldIdempotencyKeys,
  findAnswer,
  once,
  type Answer,
  type IdempotentRequest,
} from '../../jobs/idempotency.ts';
import type { Queryable } from '../../store/database.ts';
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

type Work<A extends Answer> = (tx: Queryable) => Promise<A & { storedBody?: A['body'] }>;
type Answered<A extends Answer> = A & { replayed: boolean; headers: Record<string, string> };

/** The answer of `work`, which runs at most once per Idempotency-Key: see {@link once}. */
export async function answerOnce<A extends Answer>(
  request: RequestContext,
  services: ApiServices,
  owner: string,
  work: Work<A>,
): Promise<Answered<A>> {
  return withReplayHeader(await once(services.db, idempotent(request, services, owner), work));
}

/**
 * The same after checks that are too slow for a transaction, which a repeat skips.
 * @param check returns what is then done in the transaction
 */
export async function checkThenAnswerOnce<A extends Answer>(
  request: RequestContext,
  services: ApiServices,
  owner: string,
  check: () => Promise<Work<A>>,
): Promise<Answered<A>> {
  const key = idempotent(request, services, owner);
  const repeated = key && (await findAnswer<A>(services.db, key));
  return withReplayHeader(repeated ?? (await once(services.db, key, await check())));
}

export function withReplayHeader<A extends { replayed: boolean }>(answer: A): A & { headers: Record<string, string> } {
  return { ...answer, headers: answer.replayed ? { 'Idempotent-Replayed': 'true' } : {} };
}

/** The answer that shows a secret, and the one to a repeat, which has null in its place. */
export function shownOnce<B>(secret: string, present: (secret: string | null) => B): { body: B; storedBody: B } {
  return { body: present(secret), storedBody: present(null) };
}

/** Deletes old keys now and then, when keys are used. */
function deleteNowAndThen(services: ApiServices): void {
  const now = performance.now();
  if (deletedAt !== 0 && now - deletedAt < DELETE_EVERY_MS) return;
  deletedAt = now;
  services.background('the deletion of old idempotency keys', () => deleteOldIdempotencyKeys(services.db));
}
