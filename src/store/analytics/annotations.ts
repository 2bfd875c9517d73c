import { createHash } from 'node:crypto';
import { and, count, eq, sql } from 'drizzle-orm';
import { AppError } from '../../platform/errors.ts';
import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import { annotations, seenTags } from './annotation-schema.ts';

export type AnnotationRow = typeof annotations.$inferSelect;

const MAX_ANNOTATIONS = 1_000;
const MOST_NEW_TAGS = 20;
const MAX_TEXT = 200;

/** A mark in the chart: one of the project's own, or a merged pull request. */
export interface Mark extends Record<string, unknown> {
  /** Null for a pull request. */
  id: string | null;
  at: string;
  text: string;
  jobId: string | null;
  isRelease: boolean;
}

/** Newest first. @param range half-open, in milliseconds since 1970; null for no bound */
export async function listMarks(
  q: Queryable,
  { projectId, range, limit }: { projectId: string; range: { from: number | null; to: number | null }; limit: number },
): Promise<Mark[]> {
  const { rows } = await q.execute<Mark>(sql`
    SELECT id, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, text, "jobId", "isRelease" FROM (
      SELECT id, at, text, NULL AS "jobId", is_release AS "isRelease" FROM annotations WHERE project_id = ${projectId}
      UNION ALL
      SELECT NULL, settled_at, title, job_id, false FROM pull_requests
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
  // Exact, even for parallel requests: they are serialized.
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

/** A repository of a project whose new tags are marked. */
export interface TaggedRepository extends Record<string, unknown> {
  projectId: string;
  /** The name of a source; `.` for the project's own repository. */
  name: string;
  host: string;
  repository: string;
  repositoryId: string | null;
}

/** The repositories of all projects and their sources. */
export async function listTaggedRepositories(q: Queryable): Promise<TaggedRepository[]> {
  const { rows } = await q.execute<TaggedRepository>(sql`
    SELECT id AS "projectId", '.' AS name, host, repository, repository_id AS "repositoryId" FROM projects
    UNION ALL SELECT project_id, name, host, repository, repository_id FROM sources ORDER BY 1, 2`);
  return rows;
}

/**
 * Marks the tags that a repository did not have before, at most twenty of them: more are a moved repository.
 * Those of the first time are not releases of today. Idempotent; a deleted mark does not come back.
 * @returns how many were marked
 */
export async function noteTags(
  tx: Queryable,
  { projectId, name, repository }: TaggedRepository,
  tags: readonly string[],
): Promise<number> {
  const isIt = and(eq(seenTags.projectId, projectId), eq(seenTags.name, name));
  const [before] = await tx.select().from(seenTags).where(isIt).for('update');
  const set = { repository, tags: [...tags] };
  await tx
    .insert(seenTags)
    .values({ projectId, name, ...set })
    .onConflictDoUpdate({ target: [seenTags.projectId, seenTags.name], set });
  if (before?.repository !== repository) return 0;
  const known = new Set(before.tags);
  const added = tags.filter((tag) => !known.has(tag));
  if (added.length === 0 || added.length > MOST_NEW_TAGS) return 0;
  const marked = await tx
    .insert(annotations)
    .values(
      added.map((tag) => ({
        id: `ann_${createHash('sha256').update([projectId, name, tag].join('\0')).digest('hex').slice(0, 20)}`,
        projectId,
        at: sql`now()`,
        text: (name === '.' ? tag : `${name} ${tag}`).slice(0, MAX_TEXT),
        isRelease: true,
      })),
    )
    .onConflictDoNothing()
    .returning({ id: annotations.id });
  return marked.length;
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
