import { and, desc, eq, getTableColumns, inArray, isNull, or, sql } from 'drizzle-orm';
import { AppError } from '../../platform/errors.ts';
import { attachments, attachmentUses } from './attachments-schema.ts';
import type { Queryable } from '../database.ts';
import { sqlStateOf } from '../database-problem.ts';
import { newId } from '../ids.ts';

const { content: _, ...KNOWN } = getTableColumns(attachments);

/** An attachment without its content. */
export type AttachmentRow = Omit<typeof attachments.$inferSelect, 'content'>;

/** How long an unused attachment is kept. */
const LIFE = sql`interval '24 hours'`;
/** An expired attachment does not exist, whether or not it was already deleted. */
const LIVES = or(isNull(attachments.expiresAt), sql`${attachments.expiresAt} > now()`);
const FOREIGN_KEY = '23503';

export async function addAttachment(
  tx: Queryable,
  file: Pick<AttachmentRow, 'projectId' | 'name' | 'mediaType' | 'bytes' | 'width' | 'height' | 'sha256' | 'blobId'> & {
    content: Buffer;
  },
): Promise<AttachmentRow> {
  const [row] = await tx
    .insert(attachments)
    .values({ ...file, id: newId(), expiresAt: sql`now() + ${LIFE}` })
    .returning(KNOWN);
  if (!row) throw new Error('The inserted attachment was not returned.');
  return row;
}

export async function findAttachment(q: Queryable, projectId: string, id: string): Promise<AttachmentRow | null> {
  const [row] = await q
    .select(KNOWN)
    .from(attachments)
    .where(and(eq(attachments.projectId, projectId), eq(attachments.id, id), LIVES));
  return row ?? null;
}

/** Newest first; `before` is the last row of the previous page. */
export function listAttachments(
  q: Queryable,
  at: { projectId: string; limit: number; before?: { createdAt: Date; id: string } | undefined },
): Promise<AttachmentRow[]> {
  const { before } = at;
  return q
    .select(KNOWN)
    .from(attachments)
    .where(
      and(
        eq(attachments.projectId, at.projectId),
        LIVES,
        before && sql`(${attachments.createdAt}, ${attachments.id}) < (${before.createdAt}, ${before.id})`,
      ),
    )
    .orderBy(desc(attachments.createdAt), desc(attachments.id))
    .limit(at.limit);
}

/** Those with these ids, whatever the project, by id: for ids that a message of the job has. */
export async function attachmentsById(q: Queryable, ids: readonly string[]): Promise<Map<string, AttachmentRow>> {
  if (ids.length === 0) return new Map();
  const rows = await q
    .select(KNOWN)
    .from(attachments)
    .where(inArray(attachments.id, [...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** All attachments of the job's messages, in the order of their upload. */
export function attachmentsOfJob(q: Queryable, jobId: string): Promise<AttachmentRow[]> {
  return q
    .select(KNOWN)
    .from(attachments)
    .innerJoin(attachmentUses, eq(attachmentUses.attachmentId, attachments.id))
    .where(eq(attachmentUses.jobId, jobId))
    .orderBy(attachments.createdAt, attachments.id);
}

/** Contents by id; deleted ones are missing. Callers limit the total to what fits into memory. */
export async function contentsOf(q: Queryable, ids: readonly string[]): Promise<Map<string, Buffer>> {
  if (ids.length === 0) return new Map();
  const rows = await q
    .select({ id: attachments.id, content: attachments.content })
    .from(attachments)
    .where(inArray(attachments.id, [...ids]));
  return new Map(rows.map(({ id, content }) => [id, content]));
}

/** Total bytes of a project, without expired attachments. */
export async function bytesOfProject(q: Queryable, projectId: string): Promise<number> {
  const [row] = await q
    .select({ bytes: sql<string>`coalesce(sum(${attachments.bytes}), 0)` })
    .from(attachments)
    .where(and(eq(attachments.projectId, projectId), LIVES));
  return Number(row?.bytes ?? 0);
}

const PART_BYTES = 256 * 1_024;

/** The content in parts, each read on demand. @throws Error if it ends early */
export async function* contentParts(q: Queryable, { id, bytes }: AttachmentRow): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes; from += PART_BYTES) {
    const [row] = await q
      .select({ part: sql<Buffer>`substring(${attachments.content} FROM ${from + 1}::int FOR ${PART_BYTES}::int)` })
      .from(attachments)
      .where(eq(attachments.id, id));
    if (!row) throw new Error(`The attachment ${id} was deleted while it was read.`);
    yield row.part;
  }
}

/**
 * Keeps these attachments for a job's message, in the transaction that accepts it.
 * @throws AppError `bad_request` that names the first missing one
 */
export async function useAttachments(
  tx: Queryable,
  at: { projectId: string; jobId: string },
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const found = await tx
    .select({ id: attachments.id })
    .from(attachments)
    .where(and(eq(attachments.projectId, at.projectId), inArray(attachments.id, [...ids]), LIVES))
    .orderBy(attachments.id)
    .for('update');
  const known = new Set(found.map(({ id }) => id));
  const missing = ids.findIndex((id) => !known.has(id));
  if (missing !== -1) {
    throw new AppError(
      'bad_request',
      `\`attachments[${missing}]\`: this project has no attachment ${ids[missing]}. Unused attachments are deleted after 24 hours; upload it again.`,
    );
  }
  await tx
    .update(attachments)
    .set({ expiresAt: null })
    .where(inArray(attachments.id, [...ids]));
  await tx
    .insert(attachmentUses)
    .values(ids.map((attachmentId) => ({ attachmentId, jobId: at.jobId })))
    .onConflictDoNothing();
}

/**
 * @param check gets the locked row, and throws to prevent it
 * @throws AppError `attachment_not_found`, `attachment_in_use`
 */
export async function removeAttachment(
  tx: Queryable,
  { projectId, id }: { projectId: string; id: string },
  check: (current: AttachmentRow) => void,
): Promise<void> {
  const [row] = await tx
    .select(KNOWN)
    .from(attachments)
    .where(and(eq(attachments.projectId, projectId), eq(attachments.id, id), LIVES))
    .for('update');
  if (!row) throw attachmentNotFound(id);
  check(row);
  const [use] = await tx
    .select({ jobId: attachmentUses.jobId })
    .from(attachmentUses)
    .where(eq(attachmentUses.attachmentId, id))
    .limit(1);
  if (use) {
    throw new AppError(
      'attachment_in_use',
      `The job ${use.jobId} uses this attachment, so it is kept as long as the job.`,
    );
  }
  await tx.delete(attachments).where(eq(attachments.id, id));
}

export function attachmentNotFound(id: string): AppError {
  return new AppError(
    'attachment_not_found',
    `Attachment ${id} does not exist in this project. Unused attachments are deleted after 24 hours.`,
  );
}

/** Deletes a batch of expired and orphaned attachments, but none that is being attached. Returns how many. */
export async function removeUnused(q: Queryable): Promise<number> {
  try {
    const { rowCount } = await q.execute(sql`
      DELETE FROM attachments WHERE id IN (
        SELECT a.id FROM attachments a
        WHERE coalesce(a.expires_at, a.created_at + ${LIFE}) < now()
          AND NOT EXISTS (SELECT 1 FROM attachment_uses u WHERE u.attachment_id = a.id)
        LIMIT 200 FOR UPDATE SKIP LOCKED)`);
    return rowCount ?? 0;
  } catch (err) {
    // Used between the check and the deletion: the next time it is not among them.
    if (sqlStateOf(err) === FOREIGN_KEY) return 0;
    throw err;
  }
}
