import { and, asc, inArray, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { analyticsFiles, analyticsFolder } from './analytics-schema.ts';

export type FolderRow = typeof analyticsFolder.$inferSelect;

/** The folder of this installation, or null if none was claimed. */
export async function findFolder(q: Queryable): Promise<FolderRow | null> {
  const [row] = await q.select().from(analyticsFolder);
  return row ?? null;
}

/** Claims an unclaimed folder, after any process that is about to. @returns whether it did */
export async function insertFolder(tx: Queryable, row: Pick<FolderRow, 'id' | 'path' | 'host'>): Promise<boolean> {
  const rows = await tx.insert(analyticsFolder).values(row).onConflictDoNothing().returning();
  return rows.length === 1;
}

/** Makes another folder the one of this installation. */
export async function replaceFolder(tx: Queryable, row: Pick<FolderRow, 'id' | 'path' | 'host'>): Promise<void> {
  const values = { ...row, claimedAt: sql`now()` };
  await tx
    .insert(analyticsFolder)
    .values(values)
    .onConflictDoUpdate({ target: analyticsFolder.singleton, set: values });
}

/** Every file of events that counts now, of all projects. */
export async function eventFiles(q: Queryable): Promise<{ path: string; bytes: number }[]> {
  return q
    .select({ path: analyticsFiles.path, bytes: analyticsFiles.bytes })
    .from(analyticsFiles)
    .where(and(inArray(analyticsFiles.family, ['events', 'unmerged']), isNull(analyticsFiles.removedVersion)))
    .orderBy(asc(analyticsFiles.id));
}

/** Whether the page views are in a bucket: then the row has its address instead of a folder. */
export function liesInBucket({ path }: Pick<FolderRow, 'path'>): boolean {
  return path.startsWith('s3://');
}

/** The row of the folder, until the transaction ends the only one's to change. */
export async function lockFolder(tx: Queryable): Promise<FolderRow | null> {
  const [row] = await tx.select().from(analyticsFolder).for('update');
  return row ?? null;
}

/** Every file that a manifest names, of all projects, replaced ones included. */
export async function allFiles(q: Queryable): Promise<{ path: string; bytes: number; sha256: Buffer }[]> {
  const { path, bytes, sha256 } = analyticsFiles;
  return q.select({ path, bytes, sha256 }).from(analyticsFiles).orderBy(asc(analyticsFiles.id));
}
