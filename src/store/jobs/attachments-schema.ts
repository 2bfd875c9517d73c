import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea, instant } from '../columns.ts';
import { jobs, projects } from '../schema.ts';

/**
 * Files that clients bring for jobs. Their bytes rest here, and not in a folder: a backup of the database has
 * them, any process on any machine reads them, and a row is there wholly or not at all. Rows are never
 * changed but for `expiresAt`.
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
    /** By the content, and among texts by the name's extension; never what the client said. */
    mediaType: text('media_type').notNull(),
    bytes: integer('bytes').notNull(),
    /** Of an image, in pixels, as its head says; null for a text. */
    width: integer('width'),
    height: integer('height'),
    sha256: text('sha256').notNull(),
    /** The id that git gives to this content. */
    blobId: text('blob_id').notNull(),
    /**
     * At most 10 MB. Not compressed by the migration's `STORAGE EXTERNAL`: images gain nothing, and parts are
     * read without the rest.
     */
    content: bytea('content').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When it goes if no one uses it; null once a message has it. */
    expiresAt: instant('expires_at'),
  },
  (t) => [
    index('attachments_of_project').on(t.projectId, t.createdAt, t.id),
    index('attachments_expiry').on(t.expiresAt),
  ],
);

/** Which jobs have which attachments in their messages: while there is one, the attachment stays. */
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
