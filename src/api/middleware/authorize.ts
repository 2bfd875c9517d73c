import type { IncomingMessage } from 'node:http';
import { AppError } from '../../platform/errors.ts';
import type { KeyRow } from '../../store/keys.ts';
import type { KeyScope } from '../../store/schema.ts';
import { projectNotFound } from '../../store/projects.ts';
import type { Access } from '../contract/operations.ts';
import type { Principal } from './authenticate.ts';
import type { ClientAddresses } from './client-address.ts';

/**
 * Decides whether the caller may use the operation. The operator may use all.
 * @param path the ids in it
 * @throws AppError `forbidden_address`, `forbidden_origin`, `project_not_found` (a key is not told which projects exist), `job_not_found` (nor
 * a token for one job which others), `forbidden_scope`
 */
export function authorize(
  principal: Principal,
  access: Access,
  { projectId, id }: { readonly projectId?: string; readonly id?: string },
  caller: { req: IncomingMessage; addresses: ClientAddresses },
): void {
  if (principal.kind === 'operator') return;
  const { key, credential } = principal;
  const { token } = credential;
  if (key.allowedAddresses && !caller.addresses.isWithin(caller.req, key.allowedAddresses)) {
    throw new AppError('forbidden_address', 'This key may not be used from your address.');
  }
  if (token?.origin && caller.req.headers.origin !== token.origin) {
    throw new AppError('forbidden_origin', `Only pages of ${token.origin} may use this token.`);
  }
  if (access.kind !== 'key') {
    throw new AppError('forbidden_scope', 'This takes the operator token, not an API key.');
  }
  if (projectId !== undefined && key.projectIds && !key.projectIds.includes(projectId)) {
    throw projectNotFound(projectId);
  }
  if (token?.jobId && projectId !== undefined && id !== token.jobId) {
    if (id === undefined)
      throw new AppError('forbidden_scope', `This token opens the job ${token.jobId}, and nothing else.`);
    throw new AppError('job_not_found', `There is no job ${id} in this project, or this token does not open it.`);
  }
  if (!access.scopes.some((scope) => hasScope(key, scope))) {
    const scopes = access.scopes.map((scope) => `"${scope}"`).join(' or ');
    throw new AppError(
      'forbidden_scope',
      `This ${token ? 'token' : 'key'} lacks the scope ${scopes}. Use one that has it.`,
    );
  }
}

/** `write` includes `read`; the scopes of the analytics open no job. */
export function hasScope(key: Pick<KeyRow, 'scopes'>, scope: KeyScope): boolean {
  return key.scopes.includes(scope) || (scope === 'read' && key.scopes.includes('write'));
}
