import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import { sql } from 'drizzle-orm';
import {
  attachmentBlobId,
  attachmentTypeOf,
  checkAttachmentName,
  MAX_IMAGE_BYTES,
} from '../../jobs/attachment-type.ts';
import { refuseAboveLimit } from '../../jobs/hourly-limit.ts';
import { AppError } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/faults.ts';
import {
  addAttachment,
  attachmentNotFound,
  bytesOfProject,
  contentParts,
  findAttachment,
  listAttachments as list,
  removeAttachment,
  removeUnused,
  type AttachmentRow,
} from '../../store/jobs/attachments.ts';
import type { Queryable } from '../../store/database.ts';
import type { Handler } from '../contract/handler.ts';
import { refuseUnlessMatched } from '../middleware/entity-tag.ts';
import { readBytes } from '../middleware/read-body.ts';
import { presentAttachment } from '../presenters/attachment.ts';
import { requireProject } from '../../store/projects/projects.ts';
import { answerOnce } from '../middleware/idempotency.ts';
import { timePage } from '../presenters/cursor.ts';

/** Files that are in memory at a time: each is whole there while it comes in. */
const MAX_AT_ONCE = 8;
/** More than that a project does not get of them: one slow sender must not keep out the others. */
const MAX_OF_PROJECT = 4;
/** How long a file may take to arrive, as often as a body of JSON. */
const PATIENCE = 3;
const MEGABYTE = 1_000_000;

/** Projects with uploads in progress, one entry per file. */
const comingIn: string[] = [];

export const uploadAttachment: Handler<'uploadAttachment'> = async ({ path, query, request }, services) => {
  const { db, config, pathOf } = services;
  const { projectId } = path;
  const name = query.filename;
  checkAttachmentName(name);
  if (/^multipart\//i.test(request.incoming.headers['content-type'] ?? '')) {
    throw new AppError(
      'unsupported_media_type',
      'Send the file itself as the body, as `curl --data-binary @FILE` does, not a form.',
    );
  }
  await requireProject(db, projectId);
  return whileComingIn(projectId, async () => {
    const content = await readBytes(request.incoming, {
      maxBodyBytes: MAX_IMAGE_BYTES,
      bodyMs: config.bodyMs * PATIENCE,
    });
    const type = attachmentTypeOf(name, content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const file = {
      projectId,
      name,
      ...type,
      bytes: content.length,
      sha256,
      blobId: attachmentBlobId(content),
      content,
    };
    // The name is as much of the request as the body is.
    request.rawBody = Buffer.from(`${name}\0${sha256}`);
    const answer = await answerOnce(request, services, projectId, async (tx) => {
      await mayAdd(tx, projectId, content.length, config);
      const body = presentAttachment(await addAttachment(tx, file));
      faultPoint('attachment-inserted');
      return { status: 201 as const, body };
    });
    services.background('the removal of attachments that nobody used', () => removeUnused(db));
    const location = pathOf(`/v2/agent/${projectId}/attachments/${answer.body.id}`);
    return { ...answer, headers: { Location: location, ...answer.headers } };
  });
};

/** @throws AppError `unavailable` if too many come in already */
async function whileComingIn<T>(projectId: string, work: () => Promise<T>): Promise<T> {
  const ofProject = comingIn.filter((other) => other === projectId).length;
  if (comingIn.length >= MAX_AT_ONCE || ofProject >= MAX_OF_PROJECT) {
    throw new AppError('unavailable', 'Too many uploads at the same time. Try again in a moment.', {
      retryAfterSeconds: 2,
    });
  }
  comingIn.push(projectId);
  try {
    return await work();
  } finally {
    comingIn.splice(comingIn.indexOf(projectId), 1);
  }
}

/**
 * Serializes a project's uploads, so that its limits are exact.
 * @throws AppError `rate_limited`, `attachments_full`
 */
async function mayAdd(
  tx: Queryable,
  projectId: string,
  bytes: number,
  limits: { attachmentsPerHour: number; attachmentMegabytes: number },
): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`docent:attach:${projectId}`}, 0))`);
  await refuseAboveLimit(tx, 'attachments', projectId, limits.attachmentsPerHour);
  if ((await bytesOfProject(tx, projectId)) + bytes <= limits.attachmentMegabytes * MEGABYTE) return;
  throw new AppError(
    'attachments_full',
    `The project's attachments have reached the limit of ` +
      `${limits.attachmentMegabytes.toLocaleString('en')} MB. Delete unused ones, or ask the operator to ` +
      'raise DOCENT_ATTACHMENT_MB.',
  );
}

export const listAttachments: Handler<'listAttachments'> = async ({ path, query }, { db }) => {
  const { projectId } = path;
  const { rows, nextCursor } = await timePage(query, (at) => list(db, { projectId, ...at }));
  if (rows.length === 0) await requireProject(db, projectId);
  return { status: 200, body: { attachments: rows.map(presentAttachment), nextCursor } };
};

export const getAttachment: Handler<'getAttachment'> = async ({ path }, { db }) => ({
  status: 200,
  body: presentAttachment(await mustFind(db, path)),
});

export const getAttachmentContent: Handler<'getAttachmentContent'> = async ({ path }, { db }) => {
  const row = await mustFind(db, path);
  return {
    status: 200,
    type: 'application/octet-stream',
    stream: Readable.from(contentParts(db, row), { objectMode: false }),
    headers: {
      'Content-Disposition': contentDisposition(row.name),
      'Content-Length': String(row.bytes),
      // If a browser shows it anyway, nothing in it runs.
      'Content-Security-Policy': "sandbox; default-src 'none'",
      ETag: `"${row.sha256}"`,
    },
  };
};

export const deleteAttachment: Handler<'deleteAttachment'> = async ({ path, request }, { db }) => {
  const { projectId, attachmentId: id } = path;
  const check = (row: AttachmentRow) => refuseUnlessMatched(request.ifMatch, presentAttachment(row));
  await db.transaction((tx) => removeAttachment(tx, { projectId, id }, check));
  return { status: 204 };
};

async function mustFind(q: Queryable, path: { projectId: string; attachmentId: string }): Promise<AttachmentRow> {
  const row = await findAttachment(q, path.projectId, path.attachmentId);
  if (row) return row;
  throw attachmentNotFound(path.attachmentId);
}
