import { and, desc, eq, lt, or, sql } from 'drizzle-orm';
import { AppError } from '../../platform/errors.ts';
import { endBrowserSessions, type PersonRow } from './browser-sessions.ts';
import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import { people, type Role } from './people-schema.ts';

export type { PersonRow } from './browser-sessions.ts';

/** A person from the provider with their role by the settings; `grant` null: none. */
export interface SignedInPerson {
  issuer: string;
  subject: string;
  name: string | null;
  email: string | null;
  grant: { role: Role; projectIds: string[] | null } | null;
}

/**
 * Stores the provider's facts about a person. Keeps a role that was set manually, and ends the sessions of
 * those who may not sign in. Idempotent.
 * @returns the person, or why they may not sign in
 */
export async function keepPerson(tx: Queryable, who: SignedInPerson): Promise<PersonRow | 'disabled' | 'no_role'> {
  const { issuer, subject, name, email, grant } = who;
  const isSame = and(eq(people.issuer, issuer), eq(people.subject, subject));
  const [before] = await tx.select().from(people).where(isSame).for('update');
  if (before?.disabledAt) return 'disabled';
  const isByHand = before?.roleSetBy === 'person';
  if (!grant && !isByHand) {
    if (before) await endBrowserSessions(tx, { personId: before.id });
    return 'no_role';
  }
  const seen = { name, email, lastSeenAt: sql`now()` };
  if (before) {
    const [row] = await tx
      .update(people)
      .set(isByHand || !grant ? seen : { ...seen, ...grant })
      .where(isSame)
      .returning();
    if (row) return row;
  }
  if (!grant) return 'no_role';
  const [row] = await tx
    .insert(people)
    .values({ id: `per_${newId()}`, issuer, subject, ...grant, roleSetBy: 'claim', ...seen })
    .onConflictDoUpdate({ target: [people.issuer, people.subject], set: seen })
    .returning();
  if (!row) throw new Error('The person that was kept was not returned.');
  return row.disabledAt ? 'disabled' : row;
}

/** Newest first; `before` is the last row of the previous page. */
export function listPeople(
  q: Queryable,
  { limit, before }: { limit: number; before?: { createdAt: Date; id: string } },
): Promise<PersonRow[]> {
  return q
    .select()
    .from(people)
    .where(
      before &&
        or(
          lt(people.createdAt, before.createdAt),
          and(eq(people.createdAt, before.createdAt), lt(people.id, before.id)),
        ),
    )
    .orderBy(desc(people.createdAt), desc(people.id))
    .limit(limit);
}

/** @throws AppError `person_not_found` */
export async function findPerson(q: Queryable, id: string): Promise<PersonRow> {
  const [row] = await q.select().from(people).where(eq(people.id, id));
  if (!row) throw personNotFound(id);
  return row;
}

export interface PersonChange {
  role?: Role;
  /** Null for all projects. */
  projectIds?: string[] | null;
  /** True ends all their sessions, and the links that they had made, too. */
  disabled?: boolean;
  /** True lets the settings decide again, from the next sign-in on. */
  roleFromProvider?: boolean;
}

/**
 * @param check gets the locked person before the change, and throws to prevent it
 * @throws AppError `person_not_found`
 */
export async function updatePerson(
  tx: Queryable,
  id: string,
  change: PersonChange,
  check: (before: PersonRow) => void,
): Promise<PersonRow> {
  const [before] = await tx.select().from(people).where(eq(people.id, id)).for('update');
  if (!before) throw personNotFound(id);
  check(before);
  const { role, projectIds, disabled, roleFromProvider } = change;
  const isRole = role !== undefined || projectIds !== undefined;
  const roleSetBy = isRole
    ? ('person' as const)
    : roleFromProvider === undefined
      ? undefined
      : roleFromProvider
        ? ('claim' as const)
        : ('person' as const);
  const [row] = await tx
    .update(people)
    .set({
      // Something has to be set.
      id,
      role,
      projectIds,
      roleSetBy,
      ...(disabled === undefined ? {} : { disabledAt: disabled ? sql`COALESCE(${people.disabledAt}, now())` : null }),
    })
    .where(eq(people.id, id))
    .returning();
  if (!row) throw personNotFound(id);
  if (disabled) await endBrowserSessions(tx, { personId: id });
  return row;
}

/** Their sessions end with them. Returns the row as it was. @throws AppError `person_not_found` */
export async function deletePerson(q: Queryable, id: string): Promise<PersonRow> {
  const [row] = await q.delete(people).where(eq(people.id, id)).returning();
  if (!row) throw personNotFound(id);
  return row;
}

function personNotFound(id: string): AppError {
  return new AppError('person_not_found', `Person ${id} does not exist.`);
}
