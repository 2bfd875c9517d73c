import type { IncomingMessage } from 'node:http';
import { AppError } from '../../platform/errors.ts';
import { keyNotFound, type KeyRow } from '../../store/access/key-secrets.ts';
import { ROLES, type Role } from '../../store/access/people-schema.ts';
import type { KeyScope } from '../../store/schema.ts';
import { projectNotFound } from '../../store/projects/projects.ts';
import type { Operation, OperationId } from '../contract/operations.ts';
import type { KeyPrincipal, Principal } from './authenticate.ts';
import type { ClientAddresses } from './client-address.ts';
import type { PersonPrincipal } from './sign-ins.ts';

type Target = { readonly projectId?: string; readonly id?: string };

/**
 * Decides whether the caller may use the operation. The operator may use all.
 * @param path the ids in it
 * @throws AppError `forbidden_address`, `forbidden_origin`, `forbidden_scope`; `project_not_found` and
 * `job_not_found` also for existing ones that the key, person or token may not see
 */
export function authorize(
  principal: Principal,
  operation: Operation,
  path: Target,
  caller: { req: IncomingMessage; addresses: ClientAddresses },
): void {
  if (principal.kind === 'key') authorizeKey(principal, operation, path, caller);
  else if (principal.kind === 'person') authorizePerson(principal, operation, path);
}

function authorizeKey(
  { key, credential }: KeyPrincipal,
  { access, id: operationId }: Operation,
  { projectId, id }: Target,
  caller: { req: IncomingMessage; addresses: ClientAddresses },
): void {
  const { token } = credential;
  if (key.allowedAddresses && !caller.addresses.isWithin(caller.req, key.allowedAddresses)) {
    throw new AppError('forbidden_address', 'This key cannot be used from your IP address.');
  }
  if (token?.origin && caller.req.headers.origin !== token.origin) {
    throw new AppError('forbidden_origin', `This token can only be used from pages of ${token.origin}.`);
  }
  if (access.kind !== 'key') {
    throw new AppError('forbidden_scope', 'This route requires the operator token, not an API key.');
  }
  if (projectId !== undefined && key.projectIds && !key.projectIds.includes(projectId)) {
    throw projectNotFound(projectId);
  }
  if (token?.jobId && projectId !== undefined && id !== token.jobId) {
    if (id === undefined)
      throw new AppError('forbidden_scope', `This token only grants access to the job ${token.jobId}.`);
    throw new AppError('job_not_found', `Job ${id} does not exist in this project, or this token has no access to it.`);
  }
  // Visitors of a page hold tokens: a project's repository and settings are not for them.
  if (token && operationId === 'getProject') {
    throw new AppError('forbidden_scope', 'Tokens cannot read projects. Use the key.');
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

/** The role for an operation: in the path's `project`, in `all` projects, or in any (`own`). */
export interface Need {
  role: Role;
  in: 'project' | 'all' | 'own';
}

/** Needs that do not follow from the scopes of keys. */
const NEEDS: Partial<Record<OperationId, Need>> = {
  listProjects: { role: 'viewer', in: 'own' },
  getProject: { role: 'viewer', in: 'project' },
  getProjectInstructions: { role: 'viewer', in: 'project' },
  // The installation decides what Docent can reach: an admin of one project cannot choose another repository.
  createSource: { role: 'admin', in: 'all' },
  listSources: { role: 'viewer', in: 'project' },
  mergeJobPullRequest: { role: 'editor', in: 'project' },
  closeJobPullRequest: { role: 'editor', in: 'project' },
  createKey: { role: 'admin', in: 'own' },
  listKeys: { role: 'admin', in: 'own' },
  getKey: { role: 'admin', in: 'own' },
  updateKey: { role: 'admin', in: 'own' },
  rotateKey: { role: 'admin', in: 'own' },
  revokeKey: { role: 'admin', in: 'own' },
  // Tokens are made from a key, so the handler rejects people.
  createToken: { role: 'admin', in: 'own' },
  getMe: { role: 'viewer', in: 'own' },
  listSignIns: { role: 'viewer', in: 'own' },
  deleteSignIn: { role: 'viewer', in: 'own' },
  signOut: { role: 'viewer', in: 'own' },
};

/** The role that a person needs for an operation that is not public. */
export function needOf({ id, access, path }: Operation): Need {
  const special = NEEDS[id];
  if (special) return special;
  const where = path.includes('{projectId}') ? 'project' : 'all';
  if (access.kind !== 'key') return { role: 'admin', in: where };
  const isReading = access.scopes.some((scope) => scope === 'read' || scope === 'analytics');
  return { role: isReading ? 'viewer' : 'editor', in: where };
}

function authorizePerson(principal: PersonPrincipal, operation: Operation, { projectId }: Target): void {
  const need = needOf(operation);
  const { projectIds } = principal;
  if (need.in === 'project' && projectId !== undefined && projectIds && !projectIds.includes(projectId)) {
    throw projectNotFound(projectId);
  }
  if (!includesRole(principal.role, need.role)) {
    throw new AppError(
      'forbidden_scope',
      `This requires the role ${need.role}. Your role is ${principal.role}. Ask an admin.`,
    );
  }
  if (need.in === 'all') refuseUnlessOfAll(principal);
}

function includesRole(has: Role, needed: Role): boolean {
  return ROLES.indexOf(has) >= ROLES.indexOf(needed);
}

/** Rejects people with a role in some projects only. @throws AppError `forbidden_scope` */
export function refuseUnlessOfAll(principal: Principal | null): void {
  if (principal?.kind !== 'person' || principal.projectIds === null) return;
  throw new AppError(
    'forbidden_scope',
    'This requires a role for all projects. Your role covers some of them. Ask an admin.',
  );
}

/** Whether a signed-in person has a role in a project. */
export function hasRole(principal: PersonPrincipal, role: Role, projectId: string): boolean {
  return includesRole(principal.role, role) && (principal.projectIds?.includes(projectId) ?? true);
}

/** The projects that the caller is bound to; null for all. */
export function projectsOf(principal: Principal | null): string[] | null {
  if (principal?.kind === 'key') return principal.key.projectIds;
  return principal?.kind === 'person' ? principal.projectIds : null;
}

/**
 * Refuses to create what opens more projects than the caller's.
 * @throws AppError `forbidden_scope`, `project_not_found`
 */
export function refuseBeyond(principal: Principal | null, projectIds: readonly string[] | null): void {
  const own = projectsOf(principal);
  if (own === null) return;
  if (projectIds === null) {
    throw new AppError(
      'forbidden_scope',
      '`projectIds` is required: list your projects. Only admins of all projects can create keys for all ' +
        'projects.',
    );
  }
  const other = projectIds.find((id) => !own.includes(id));
  if (other !== undefined) throw projectNotFound(other);
}

/** An admin of some projects sees only keys limited to these. @throws AppError `key_not_found` */
export function refuseKeyBeyond(principal: Principal | null, key: Pick<KeyRow, 'id' | 'projectIds'>): void {
  const own = projectsOf(principal);
  if (own === null || (key.projectIds?.length && key.projectIds.every((id) => own.includes(id)))) return;
  throw keyNotFound(key.id);
}
