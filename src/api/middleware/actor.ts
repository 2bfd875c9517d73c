import type { Principal } from './authenticate.ts';

/** The author of an action as people see it later. It stays when the key or the person is deleted. */
export interface Actor {
  kind: 'operator' | 'person' | 'key' | 'token';
  /** Id of the person, key or token; null for the operator. */
  id: string | null;
  name: string;
  /** Id of the browser session, or null. */
  sessionId: string | null;
}

/** The caller as an actor. The operator in a browser is the operator. */
export function actorOf(principal: Principal): Actor {
  if (principal.kind === 'operator') return { kind: 'operator', id: null, name: 'Operator', sessionId: null };
  if (principal.kind === 'person') {
    const { person, sessionId } = principal;
    if (!person) return { kind: 'operator', id: null, name: 'Operator', sessionId };
    return { kind: 'person', id: person.id, name: person.name ?? person.email ?? person.id, sessionId };
  }
  const { key, credential } = principal;
  const { token } = credential;
  return token
    ? { kind: 'token', id: token.id, name: key.name, sessionId: null }
    : { kind: 'key', id: key.id, name: key.name, sessionId: null };
}

/** The caller in the log and for limits: `operator`, an id, or an operator's browser session. */
export function callerOf(principal: Principal): string {
  if (principal.kind === 'operator') return 'operator';
  if (principal.kind === 'key') return principal.key.id;
  return principal.person?.id ?? principal.sessionId;
}
