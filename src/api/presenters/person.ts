import type { BrowserSessionRow, PersonRow } from '../../store/access/browser-sessions.ts';
import type { components } from '@docent/client';
import type { PersonPrincipal } from '../middleware/sign-ins.ts';

/** The signed-in person. The operator has a display name, and no id. */
export function presentPerson(principal: PersonPrincipal): components['schemas']['SignedIn'] {
  const { person, role, projectIds, sessionId, sessionExpiresAt } = principal;
  return {
    id: person?.id ?? null,
    name: person ? person.name : 'Operator',
    email: person?.email ?? null,
    role,
    projectIds,
    sessionId,
    sessionExpiresAt: sessionExpiresAt.toISOString(),
  };
}

/** A session's record, without its secret. @param current the id of the caller's own session */
export function presentSignIn(row: BrowserSessionRow, current: string | null): components['schemas']['SignIn'] {
  return {
    id: row.id,
    current: row.id === current,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    address: row.address,
    userAgent: row.userAgent,
  };
}

/** A person as admins see them. */
export function presentPersonRecord(row: PersonRow): components['schemas']['Person'] {
  return {
    id: row.id,
    issuer: row.issuer,
    name: row.name,
    email: row.email,
    role: row.role,
    projectIds: row.projectIds,
    roleFromProvider: row.roleSetBy === 'claim',
    disabled: row.disabledAt !== null,
    createdAt: row.createdAt.toISOString(),
    lastSignInAt: row.lastSeenAt?.toISOString() ?? null,
  };
}
