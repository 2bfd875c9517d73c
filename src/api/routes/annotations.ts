import { parseInstant } from '@docent/base/instant';
import { AppError } from '../../platform/errors.ts';
import { addAnnotation, deleteAnnotation as remove, listMarks, type Mark } from '../../store/analytics/annotations.ts';
import { holdProject, requireProject } from '../../store/projects/projects.ts';
import { readRange } from '../analytics-range.ts';
import type { Handler } from '../contract/handler.ts';
import type { components } from '@docent/client';
import { answerOnce } from '../middleware/idempotency.ts';

type Annotation = components['schemas']['Annotation'];
type Created = { status: 201; body: Annotation };

export const listAnnotations: Handler<'listAnnotations'> = async ({ path: { projectId }, query }, { db }) => {
  await requireProject(db, projectId);
  const { limit } = query;
  const marks = await listMarks(db, { projectId, range: readRange(query), limit: limit + 1 });
  return { status: 200, body: { annotations: marks.slice(0, limit).map(present), hasMore: marks.length > limit } };
};

export const createAnnotation: Handler<'createAnnotation'> = async (
  { path: { projectId }, body, request },
  services,
) => {
  const at = body.at === undefined ? Date.now() : instantOf(body.at);
  return answerOnce<Created>(request, services, projectId, async (tx) => {
    await holdProject(tx, projectId);
    const row = await addAnnotation(tx, { projectId, at: new Date(at), text: body.text });
    return { status: 201, body: present({ ...row, at: row.at.toISOString(), jobId: null }) };
  });
};

export const deleteAnnotation: Handler<'deleteAnnotation'> = async ({ path }, { db }) => {
  const { projectId, annotationId: id } = path;
  if (await remove(db, { projectId, id })) return { status: 204 };
  throw new AppError('annotation_not_found', `Annotation ${id} does not exist in this project.`);
};

/** @throws AppError `bad_request` */
function instantOf(text: string): number {
  const instant = parseInstant(text, Math.floor);
  if (instant !== null) return instant;
  throw new AppError(
    'bad_request',
    '`at` must be a date such as 2026-11-21, or a date-time such as 2026-11-21T08:30Z.',
    { param: 'at' },
  );
}

const present = ({ id, at, text, jobId, isRelease }: Mark): Annotation => ({
  id,
  at,
  text,
  kind: jobId !== null ? 'pull-request' : isRelease ? 'release' : 'own',
  jobId,
});
