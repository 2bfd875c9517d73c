import { signal } from '@preact/signals';
import type { components } from '@docent/client';

export type Caller = components['schemas']['Caller'];

const caller = signal<Caller | null>(null);
const hasEnded = signal(false);

/** The person signed in, in this tab. */
export const session = {
  caller,
  /** Whether a session ended: a dialog asks to sign in again, on top of the page. */
  hasEnded,
  began(who: Caller): void {
    caller.value = who;
    hasEnded.value = false;
  },
  ended(): void {
    if (caller.peek()) hasEnded.value = true;
  },
};

type Role = 'viewer' | 'editor' | 'admin';
const RANK: Record<Role, number> = { viewer: 0, editor: 1, admin: 2 };

/**
 * Whether the person has this role in a project, or in all (null). The server decides: this only hides what
 * it would refuse.
 */
export function may(role: Role, projectId: string | null): boolean {
  const who = caller.value;
  if (who?.kind === 'operator') return true;
  if (who?.kind !== 'person' || !who.person) return false;
  const { role: has, projectIds } = who.person;
  if (RANK[has] < RANK[role]) return false;
  return projectIds === null || (projectId !== null && projectIds.includes(projectId));
}

/** Whether the person has this role in any project. */
export function mayAnywhere(role: Role): boolean {
  const who = caller.value;
  return may(role, null) || (who?.person?.projectIds ?? []).some((id) => may(role, id));
}
