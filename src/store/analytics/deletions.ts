import { and, eq, inArray, like, not, notExists, sql } from 'drizzle-orm';
import { analyticsDeletions, analyticsFiles } from './analytics-schema.ts';
import type { Queryable } from '../database.ts';

/** Marks all files of a deleted project. */
const markOf = (projectId: string): string => `files/${projectId}`;
const isFile = like(analyticsDeletions.path, '%.parquet');

/** Notes files for deletion, in the transaction that removes them from the manifest. Idempotent. */
export async function noteDeletions(tx: Queryable, paths: readonly string[]): Promise<void> {
  for (let i = 0; i < paths.length; i += 1_000) {
    const rows = paths.slice(i, i + 1_000).map((path) => ({ path }));
    await tx.insert(analyticsDeletions).values(rows).onConflictDoNothing();
  }
}

/** Part of the transaction that deletes the project, before its manifest goes. */
export async function noteDeletedProject(tx: Queryable, projectId: string): Promise<void> {
  await tx.execute(
    sql`INSERT INTO ${analyticsDeletions} (path) SELECT path FROM ${analyticsFiles} WHERE project_id = ${projectId} ON CONFLICT DO NOTHING`,
  );
  await tx
    .insert(analyticsDeletions)
    .values({ path: markOf(projectId) })
    .onConflictDoNothing();
}

/** A project with that id counts page views again: its new files must not be deleted. */
export async function forgetDeletedProject(q: Queryable, projectId: string): Promise<void> {
  await q.delete(analyticsDeletions).where(eq(analyticsDeletions.path, markOf(projectId)));
}

/** Whether a missing project was deleted on purpose. Otherwise the database is older than the project. */
export async function wasDeleted(q: Queryable, projectId: string): Promise<boolean> {
  const rows = await q
    .select({ path: analyticsDeletions.path })
    .from(analyticsDeletions)
    .where(eq(analyticsDeletions.path, markOf(projectId)));
  return rows.length > 0;
}

/** Files that are still to be deleted, and that no manifest names. */
export async function pendingDeletions(q: Queryable): Promise<string[]> {
  const isNamed = q
    .select({ one: sql`1` })
    .from(analyticsFiles)
    .where(eq(analyticsFiles.path, analyticsDeletions.path));
  const rows = await q
    .select({ path: analyticsDeletions.path })
    .from(analyticsDeletions)
    .where(and(isFile, notExists(isNamed)));
  return rows.map(({ path }) => path);
}

/** The files are gone from the disk. */
export async function forgetDeletions(q: Queryable, paths: readonly string[]): Promise<void> {
  for (let i = 0; i < paths.length; i += 1_000) {
    await q.delete(analyticsDeletions).where(inArray(analyticsDeletions.path, paths.slice(i, i + 1_000)));
  }
}

/** Projects that were deleted on purpose. Their files are deleted as a whole. */
export async function deletedProjects(q: Queryable): Promise<string[]> {
  const rows = await q.select({ path: analyticsDeletions.path }).from(analyticsDeletions).where(not(isFile));
  return rows.map(({ path }) => path.slice('files/'.length));
}
