import { and, asc, eq, gt, inArray, isNull, lt, ne, sql } from 'drizzle-orm';
import type { Queryable } from './database.ts';
import { analyticsFiles, analyticsFolder, analyticsProcesses } from './analytics-schema.ts';

export type FolderRow = typeof analyticsFolder.$inferSelect;
export type ProcessRow = typeof analyticsProcesses.$inferSelect;

/** Of a process that has the folder open: who it is, for people. */
export type ProcessName = Pick<ProcessRow, 'name' | 'host' | 'pid' | 'path'>;

/** Rows of processes that have not given a sign of life for so long are cleared away. */
const FORGOTTEN = sql`now() - interval '1 day'`;

/** The folder of this installation, or null where none was claimed. */
export async function findFolder(q: Queryable): Promise<FolderRow | null> {
  const [row] = await q.select().from(analyticsFolder);
  return row ?? null;
}

/** Claims a folder, if none is. Waits for another process that is about to. @returns whether it was claimed just now */
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

/** A process tells its newest nonce. Idempotent; a row that was cleared away is made anew, as that of a newcomer. */
export async function tellNonce(
  q: Queryable,
  process: ProcessName & Pick<ProcessRow, 'id' | 'nonce' | 'seesOthers'>,
): Promise<void> {
  const { nonce, seesOthers } = process;
  await q
    .insert(analyticsProcesses)
    .values(process)
    .onConflictDoUpdate({ target: analyticsProcesses.id, set: { nonce, seesOthers, beatAt: sql`now()` } });
}

/** All processes but this one, in the order in which they came. */
export async function otherProcesses(q: Queryable, id: string): Promise<ProcessRow[]> {
  return q.select().from(analyticsProcesses).where(ne(analyticsProcesses.id, id)).orderBy(asc(analyticsProcesses.no));
}

/** Where this process stands among the others; null where its row was cleared away. */
export async function numberOf(q: Queryable, id: string): Promise<number | null> {
  const [row] = await q
    .select({ no: analyticsProcesses.no })
    .from(analyticsProcesses)
    .where(eq(analyticsProcesses.id, id));
  return row?.no ?? null;
}

/** Whether the page views are in a bucket: the row names its address then, and not a folder. */
export function liesInBucket({ path }: Pick<FolderRow, 'path'>): boolean {
  return path.startsWith('s3://');
}

/** Processes that said so recently that they have the folder open: those that died stop within this time. */
export async function processesOpen(q: Queryable, withinSeconds: number): Promise<ProcessName[]> {
  const { name, host, pid, path, beatAt } = analyticsProcesses;
  return q
    .select({ name, host, pid, path })
    .from(analyticsProcesses)
    .where(gt(beatAt, sql`now() - make_interval(secs => ${withinSeconds})`));
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

/** A process lets go of the folder. Idempotent. */
export async function removeProcess(q: Queryable, id: string): Promise<void> {
  await q.delete(analyticsProcesses).where(eq(analyticsProcesses.id, id));
}

/** Clears away what processes left that died long ago. @returns their ids */
export async function removeOldProcesses(q: Queryable): Promise<string[]> {
  const rows = await q
    .delete(analyticsProcesses)
    .where(lt(analyticsProcesses.beatAt, FORGOTTEN))
    .returning({ id: analyticsProcesses.id });
  return rows.map(({ id }) => id);
}
