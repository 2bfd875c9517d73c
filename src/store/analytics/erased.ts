import { and, eq, sql } from 'drizzle-orm';
import { analyticsErased, analyticsProjects } from './analytics-schema.ts';
import type { Queryable } from '../database.ts';

/** How long an erased visitor is remembered: logs are older than this only in archives. */
export const ERASED_KEPT_DAYS = 400;

/** An erased visitor, and the time of the erasure: milliseconds since 1970. */
export interface ErasedVisitor {
  visitor: bigint;
  until: number;
}

/** Remembers erased visitors. Idempotent. Locks the project's row, as imports do, so that none is missed. */
export async function noteErased(q: Queryable, projectId: string, visitors: readonly bigint[]): Promise<void> {
  if (visitors.length === 0) return;
  await q.transaction(async (tx) => {
    await tx
      .select({ id: analyticsProjects.projectId })
      .from(analyticsProjects)
      .where(eq(analyticsProjects.projectId, projectId))
      .for('no key update');
    await tx
      .insert(analyticsErased)
      .values(visitors.map((visitor) => ({ projectId, visitor: BigInt.asIntN(64, visitor) })))
      .onConflictDoUpdate({
        target: [analyticsErased.projectId, analyticsErased.visitor],
        set: { erasedAt: sql`greatest(${analyticsErased.erasedAt}, now())` },
      });
  });
}

/** In a fixed order, so that two answers can be compared. */
export async function erasedVisitors(q: Queryable, projectId: string): Promise<ErasedVisitor[]> {
  const rows = await q
    .select({ visitor: analyticsErased.visitor, erasedAt: analyticsErased.erasedAt })
    .from(analyticsErased)
    .where(eq(analyticsErased.projectId, projectId))
    .orderBy(analyticsErased.visitor);
  return rows.map(({ visitor, erasedAt }) => ({ visitor: BigInt.asUintN(64, visitor), until: erasedAt.getTime() }));
}

/** Deletes old erasure records. Idempotent. */
export async function forgetErased(q: Queryable, projectId: string): Promise<void> {
  const isOld = sql`${analyticsErased.erasedAt} < now() - make_interval(days => ${ERASED_KEPT_DAYS})`;
  await q.delete(analyticsErased).where(and(eq(analyticsErased.projectId, projectId), isOld));
}
