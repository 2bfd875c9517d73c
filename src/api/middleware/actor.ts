import type { Principal } from './authenticate.ts';

/**
 * Who does something, for people to read later: what is kept of it stays when the key or the person is gone.
 */
export interface Actor {
  kind: 'operator' | 'person' | 'key' | 'token';
  /** Of the person, key or token; null for the operator. */
  id: string | null;
  name: string;
  /** Of the browser's session; null for who has none. */
  sessionId: string | null;
}

/** Who the caller is. The operator in a browser is the operator. */
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

/**
 * A name for the log, and what limits count by: `operator`, or the id of a person or key, a key's tokens'
 * too. Of the operator's browsers, each is a caller of its own, by its session's id: several people may use
 * them at once.
 */
export function callerOf(principal: Principal): string {
  if (principal.kind === 'operator') return 'operator';
  if (principal.kind === 'key') return principal.key.id;
  return principal.person?.id ?? principal.sessionId;
}
