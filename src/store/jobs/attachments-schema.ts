import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea, instant } from '../columns.ts';
import { jobs, projects } from '../schema.ts';

/**
 * Files that clients upload for jobs. They are stored here, and not in a folder, so that backups include
 * them, any process can read them, and rows are complete or absent. Rows never change except for `expiresAt`.
 */
export const attachments = pgTable(
  'attachments',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** A file's name, without a folder. */
    name: text('name').notNull(),
    /** Detected from the content, and for texts from the name's extension; never taken from the client. */
    mediaType: text('media_type').notNull(),
    bytes: integer('bytes').notNull(),
    /** Pixels of an image, from its header; null for a text. */
    width: integer('width'),
    height: integer('height'),
    sha256: text('sha256').notNull(),
    /** The id that git gives to this content. */
    blobId: text('blob_id').notNull(),
    /** At most 10 MB. `STORAGE EXTERNAL` in the migration: uncompressed, so that parts can be read alone. */
    content: bytea('content').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When it is deleted if unused; null once a message has it. */
    expiresAt: instant('expires_at'),
  },
  (t) => [
    index('attachments_of_project').on(t.projectId, t.createdAt, t.id),
    index('attachments_expiry').on(t.expiresAt),
  ],
);

/** The attachments in jobs' messages. While there is a row, the attachment stays. */
export const attachmentUses = pgTable(
  'attachment_uses',
  {
    attachmentId: text('attachment_id')
      .notNull()
      .references(() => attachments.id),
    jobId: text('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.jobId, t.attachmentId] }), index('attachment_uses_attachment').on(t.attachmentId)],
);
