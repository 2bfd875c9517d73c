import { and, asc, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import type { NewFile } from './analytics-manifest.ts';
import { analyticsMergeFiles, analyticsMerges } from './analytics-schema.ts';
import type { Queryable } from './database.ts';
import { newId } from './ids.ts';

export type MergeRow = typeof analyticsMerges.$inferSelect;

/** A planned merge, and the files that were written for it. */
export interface PlannedMerge extends MergeRow {
  files: NewFile[];
}

/** Plans a merge, instead of the one that was planned before. Part of a transaction. @returns its id */
export async function planMerge(
  tx: Queryable,
  plan: Pick<MergeRow, 'projectId' | 'fence' | 'version' | 'shards' | 'unmerged'>,
  files: readonly NewFile[],
): Promise<string> {
  const id = newId();
  await endMerge(tx, plan.projectId);
  await tx.insert(analyticsMerges).values({ ...plan, id });
  await addFiles(tx, id, files);
  return id;
}

/** Null where another one is planned by now, or none. */
export async function findMerge(q: Queryable, projectId: string, id: string): Promise<PlannedMerge | null> {
  const [merge] = await q
    .select()
    .from(analyticsMerges)
    .where(and(eq(analyticsMerges.id, id), eq(analyticsMerges.projectId, projectId)));
  if (!merge) return null;
  const { mergeId: _, ...columns } = getTableColumns(analyticsMergeFiles);
  const files = await q
    .select(columns)
    .from(analyticsMergeFiles)
    .where(eq(analyticsMergeFiles.mergeId, id))
    .orderBy(asc(analyticsMergeFiles.id));
  return { ...merge, files };
}

/** Notes the files of a shard; part of a transaction. False where they were noted before, or the merge has ended. */
export async function noteShard(tx: Queryable, id: string, shard: number, files: readonly NewFile[]): Promise<boolean> {
  const noted = await tx
    .update(analyticsMerges)
    .set({ written: sql`${analyticsMerges.written} || to_jsonb(${shard}::int)` })
    .where(and(eq(analyticsMerges.id, id), sql`NOT ${analyticsMerges.written} @> to_jsonb(${shard}::int)`))
    .returning({ id: analyticsMerges.id });
  if (noted.length === 0) return false;
  await addFiles(tx, id, files);
  return true;
}

/** Ends what is planned of a project; part of the transaction that changes its counts. Files that do not enter the manifest with it are nobody's. */
export async function endMerge(tx: Queryable, projectId: string): Promise<void> {
  await tx.delete(analyticsMerges).where(eq(analyticsMerges.projectId, projectId));
}

/** Ends what is planned of all projects, as {@link endMerge} does: their files do not come along where the page views go. */
export async function endMerges(tx: Queryable): Promise<void> {
  await tx.delete(analyticsMerges);
}

/** Whether a merge was planned so short a while ago that workers are likely at it. */
export async function isMergePlanned(q: Queryable, projectId: string, withinMs: number): Promise<boolean> {
  const rows = await q
    .select({ id: analyticsMerges.id })
    .from(analyticsMerges)
    .where(
      and(
        eq(analyticsMerges.projectId, projectId),
        gt(analyticsMerges.plannedAt, sql`now() - make_interval(secs => ${withinMs / 1_000})`),
      ),
    );
  return rows.length > 0;
}

async function addFiles(tx: Queryable, mergeId: string, files: readonly NewFile[]): Promise<void> {
  if (files.length > 0) await tx.insert(analyticsMergeFiles).values(files.map((file) => ({ ...file, mergeId })));
}
