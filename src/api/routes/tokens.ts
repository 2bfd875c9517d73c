import { AppError } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/faults.ts';
import { VERSION } from '../../platform/version.ts';
import { createToken as create, deleteOldTokens } from '../../store/access/access-tokens.ts';
import { formerSecretsOf } from '../../store/access/key-secrets.ts';
import { projectNotFound } from '../../store/projects/projects.ts';
import type { Handler } from '../contract/handler.ts';
import type { KeyPrincipal } from '../middleware/authenticate.ts';
import { hasScope } from '../middleware/authorize.ts';
import { presentKey, presentToken } from '../presenters/key.ts';
import { presentPerson } from '../presenters/person.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';
import { requireJob } from '../../store/jobs/jobs.ts';
import { answerOnce, shownOnce } from '../middleware/idempotency.ts';

const TOO_MANY = 'Rate limit reached: too many tokens were created with this key. Use each token until it expires.';

export const createToken: Handler<'createToken'> = async ({ body, request }, services) => {
  const { config } = services;
  const { key, credential } = keyOf(request);
  const { projectId, jobId, scopes, expiresInSeconds } = body;
  if (key.projectIds && !key.projectIds.includes(projectId)) throw projectNotFound(projectId);
  const lacking = scopes.find((scope) => !hasScope(key, scope));
  if (lacking)
    throw new AppError('forbidden_scope', `The key lacks the scope "${lacking}", so it cannot grant it to a token.`);
  const origin = body.origin === null ? null : allowedOrigin(body.origin, config.allowedOrigins);
  const answer = await answerOnce(request, services, key.id, async (tx) => {
    services.limits.tokens.pass('tokens', key.id, TOO_MANY);
    if (jobId !== null) await requireJob(tx, projectId, jobId);
    const { keyPrefix: prefix } = config;
    const { row, text } = await create(tx, credential, { scopes, projectId, jobId, origin, expiresInSeconds, prefix });
    return { status: 201 as const, ...shownOnce(text, (token) => ({ ...presentToken(row), token })) };
  });
  faultPoint('token-made');
  deleteNowAndThen(services);
  return answer;
};

/** @throws AppError `forbidden_scope` if it is not a key that asks */
function keyOf({ principal }: RequestContext): KeyPrincipal {
  if (principal?.kind === 'key' && !principal.credential.token) return principal;
  throw new AppError('forbidden_scope', 'Creating a token requires an API key.');
}

function allowedOrigin(origin: string, allowed: readonly string[]): string {
  if (allowed.includes(origin)) return origin;
  throw new AppError(
    'bad_request',
    '`origin` is not allowed on this server. The operator can add it to DOCENT_ALLOWED_ORIGINS.',
  );
}

const DELETE_EVERY_MS = 10 * 60_000;
let deletedAt = -Infinity;

/** Deletes old tokens now and then, when tokens are created. */
export function deleteNowAndThen(services: ApiServices): void {
  const now = performance.now();
  if (now - deletedAt < DELETE_EVERY_MS) return;
  deletedAt = now;
  services.background('the deletion of old tokens', () => deleteOldTokens(services.db));
}

/** The fields for every caller. */
export function commonOf({ config }: Pick<ApiServices, 'config'>) {
  const { jobsPerHour, messagesPerHour } = config;
  return { limits: { jobsPerHour, messagesPerHour }, version: VERSION };
}

export const getMe: Handler<'getMe'> = async ({ request: { principal } }, services) => {
  const { db } = services;
  const common = { key: null, token: null, person: null, ...commonOf(services) };
  if (principal?.kind === 'person') {
    return { status: 200, body: { ...common, kind: 'person', person: presentPerson(principal) } };
  }
  if (principal?.kind !== 'key') return { status: 200, body: { ...common, kind: 'operator' } };
  const { key, credential } = principal;
  // Token holders do not see the key of the token.
  if (credential.token) {
    return { status: 200, body: { ...common, kind: 'token', token: presentToken(credential.token) } };
  }
  const shown = presentKey(key, await formerSecretsOf(db, [key.id]));
  return { status: 200, body: { ...common, kind: 'key', key: shown } };
};
