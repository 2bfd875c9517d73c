import type { AttachmentRow } from '../../store/jobs/attachments.ts';
import type { components } from '@docent/client';

/** An attachment as the API shows it, without its content. */
export function presentAttachment(row: AttachmentRow): components['schemas']['Attachment'] {
  const { id, name, mediaType, bytes, width, height, sha256 } = row;
  return {
    id,
    name,
    mediaType,
    bytes,
    width,
    height,
    sha256,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
  };
}
