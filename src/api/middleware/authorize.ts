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
 * @param projectId of the path, where it has one
 * @throws AppError `forbidden_address`, `project_not_found` (a key is not told which projects exist), `forbidden_scope`
 */
export function authorize(
  principal: Principal,
  access: Access,
  projectId: string | undefined,
  caller: { req: IncomingMessage; addresses: ClientAddresses },
): void {
  if (principal.kind === 'operator') return;
  const { key } = principal;
  if (key.allowedAddresses && !caller.addresses.isWithin(caller.req, key.allowedAddresses)) {
    throw new AppError('forbidden_address', 'This key may not be used from your address.');
  }
  if (access.kind !== 'key') {
    throw new AppError('forbidden_scope', 'This takes the operator token, not an API key.');
  }
  if (projectId !== undefined && key.projectIds && !key.projectIds.includes(projectId)) {
    throw projectNotFound(projectId);
  }
  if (!access.scopes.some((scope) => hasScope(key, scope))) {
    const scopes = access.scopes.map((scope) => `"${scope}"`).join(' or ');
    throw new AppError('forbidden_scope', `This key lacks the scope ${scopes}. Use one that has it.`);
  }
}

/** `write` includes `read`; the scopes of the analytics open no job. */
function hasScope(key: Pick<KeyRow, 'scopes'>, scope: KeyScope): boolean {
  return key.scopes.includes(scope) || (scope === 'read' && key.scopes.includes('write'));
}
