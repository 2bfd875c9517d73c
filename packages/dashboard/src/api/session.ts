import { signal } from '@preact/signals';
import type { components } from '@docent/client';

export type Caller = components['schemas']['Caller'];

const caller = signal<Caller | null>(null);
const hasEnded = signal(false);

/** Who is signed in, in this tab. */
export const session = {
  caller,
  /** Whether someone was signed in and is no more: a dialog asks to sign in again, over the page as it is. */
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
 * Whether who is signed in may do what takes this role, in a project, or in all of the installation (null).
 * The server decides: this only hides what it would refuse.
 */
export function may(role: Role, projectId: string | null): boolean {
  const who = caller.value;
  if (who?.kind === 'operator') return true;
  if (who?.kind !== 'person' || !who.person) return false;
  const { role: has, projectIds } = who.person;
  if (RANK[has] < RANK[role]) return false;
  return projectIds === null || (projectId !== null && projectIds.includes(projectId));
}

/** Whether who is signed in has this role in some project. */
export function mayAnywhere(role: Role): boolean {
  const who = caller.value;
  return may(role, null) || (who?.person?.projectIds ?? []).some((id) => may(role, id));
}
