import { asc, count, eq, inArray, sql } from 'drizzle-orm';
import { analyticsDamage, analyticsFiles, analyticsProjects } from './analytics-schema.ts';
import type { Queryable } from '../database.ts';

export type DamageRow = typeof analyticsDamage.$inferSelect;

/** Notes files of the manifest as damaged; part of the transaction that takes them out of it. Idempotent. */
export async function noteDamage(tx: Queryable, damaged: readonly { id: string; reason: string }[]): Promise<void> {
  if (damaged.length === 0) return;
  const reasons = new Map(damaged.map(({ id, reason }) => [id, reason]));
  const files = await tx
    .select()
    .from(analyticsFiles)
    .where(inArray(analyticsFiles.id, [...reasons.keys()]));
  await tx
    .insert(analyticsDamage)
    .values(
      files.map((file) => ({
        id: file.id,
        projectId: file.projectId,
        family: file.family,
        path: file.path,
        rows: file.rows,
        minDay: file.minDay,
        maxDay: file.maxDay,
        bytes: file.bytes,
        sha256: file.sha256,
        reason: reasons.get(file.id) ?? '',
      })),
    )
    .onConflictDoNothing();
}

/** Files of a project that were found damaged, the oldest finding first. */
export async function damageOf(q: Queryable, projectId: string): Promise<DamageRow[]> {
  return q
    .select()
    .from(analyticsDamage)
    .where(eq(analyticsDamage.projectId, projectId))
    .orderBy(asc(analyticsDamage.foundAt), asc(analyticsDamage.id));
}

/** The number of damaged files of all projects that still need attention. */
export async function countDamage(q: Queryable): Promise<number> {
  const [row] = await q.select({ files: count() }).from(analyticsDamage);
  return row?.files ?? 0;
}

/** A file is back: part of the transaction that adds it to the manifest. False if it was forgotten. */
export async function undoDamage(tx: Queryable, id: string): Promise<boolean> {
  const rows = await tx.delete(analyticsDamage).where(eq(analyticsDamage.id, id)).returning({ id: analyticsDamage.id });
  return rows.length === 1;
}

/** Stops the automatic restore of a project's lost files: they may hold data that was erased since. */
export async function forbidTakingBack(q: Queryable, projectId: string): Promise<void> {
  await q.update(analyticsDamage).set({ sha256: null }).where(eq(analyticsDamage.projectId, projectId));
}

/** Ids of all damaged files that still need attention. */
export async function damagedIds(q: Queryable): Promise<Set<string>> {
  const rows = await q.select({ id: analyticsDamage.id }).from(analyticsDamage);
  return new Set(rows.map(({ id }) => id));
}

/** An operator has seen to them. @returns how many there were */
export async function forgetDamage(q: Queryable, projectId: string): Promise<number> {
  const rows = await q
    .delete(analyticsDamage)
    .where(eq(analyticsDamage.projectId, projectId))
    .returning({ id: analyticsDamage.id });
  return rows.length;
}

/** Makes all versions before the newest unreadable. */
export async function endOldVersions(q: Queryable, projectId: string): Promise<void> {
  await q
    .update(analyticsProjects)
    .set({ oldestVersion: sql`${analyticsProjects.version}` })
    .where(eq(analyticsProjects.projectId, projectId));
}
