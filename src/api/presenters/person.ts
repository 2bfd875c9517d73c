import type { BrowserSessionRow } from '../../store/browser-sessions.ts';
import type { components } from '../generated/openapi.ts';
import type { PersonPrincipal } from '../middleware/sign-ins.ts';

/** Who is signed in. The operator has a name for people to read, and no id. */
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

/** A session's record. Nothing of its secret is in it. @param current the id of the one that asks */
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
