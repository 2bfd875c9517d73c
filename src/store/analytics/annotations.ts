import { and, count, eq, sql } from 'drizzle-orm';
import { AppError } from '../../platform/errors.ts';
import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import { annotations } from './annotation-schema.ts';

export type AnnotationRow = typeof annotations.$inferSelect;

const MAX_ANNOTATIONS = 1_000;

/** A mark in the chart: one of the project's own, or a merged pull request. */
export interface Mark extends Record<string, unknown> {
  /** Null for a pull request. */
  id: string | null;
  at: string;
  text: string;
  jobId: string | null;
}

/** Newest first. @param range half-open, in milliseconds since 1970; null for no bound */
export async function listMarks(
  q: Queryable,
  { projectId, range, limit }: { projectId: string; range: { from: number | null; to: number | null }; limit: number },
): Promise<Mark[]> {
  const { rows } = await q.execute<Mark>(sql`
    SELECT id, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, text, "jobId" FROM (
      SELECT id, at, text, NULL AS "jobId" FROM annotations WHERE project_id = ${projectId}
      UNION ALL
      SELECT NULL, settled_at, title, job_id FROM pull_requests
      WHERE project_id = ${projectId} AND state = 'merged' AND settled_at IS NOT NULL) marks
    WHERE marks.at >= coalesce(${bound(range.from)}::timestamptz, '-infinity')
      AND marks.at < coalesce(${bound(range.to)}::timestamptz, 'infinity')
    ORDER BY marks.at DESC, id, "jobId" LIMIT ${limit}`);
  return rows;
}

/** The caller holds the project. @throws AppError `too_many_annotations` */
export async function addAnnotation(
  tx: Queryable,
  annotation: Pick<AnnotationRow, 'projectId' | 'at' | 'text'>,
): Promise<AnnotationRow> {
  const { projectId } = annotation;
  // Exact, also for parallel requests: they are serialized.
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`docent:annotations:${projectId}`}, 0))`);
  const [found] = await tx.select({ there: count() }).from(annotations).where(eq(annotations.projectId, projectId));
  if ((found?.there ?? 0) >= MAX_ANNOTATIONS) {
    throw new AppError('too_many_annotations', `The project has ${MAX_ANNOTATIONS} annotations. Delete one first.`);
  }
  const [row] = await tx
    .insert(annotations)
    .values({ ...annotation, id: `ann_${newId()}` })
    .returning();
  return row!;
}

/** @returns whether the project had it */
export async function deleteAnnotation(q: Queryable, at: { projectId: string; id: string }): Promise<boolean> {
  const deleted = await q
    .delete(annotations)
    .where(and(eq(annotations.projectId, at.projectId), eq(annotations.id, at.id)))
    .returning({ id: annotations.id });
  return deleted.length > 0;
}

const bound = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString());
