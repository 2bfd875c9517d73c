import type { StepInput } from '@docent/agent/step-runner';
import type { ToolCall } from '@docent/models/conversation/tool-call';
import { isImage } from '../../jobs/attachment-type.ts';
import { attachmentsOfJob, contentsOf } from '../../store/jobs/attachments.ts';
import type { Queryable } from '../../store/database.ts';
import type { StoredOverlayEntry } from '../../store/jobs/overlay.ts';

/** The job's attachments for tools. Empty if no call places one and none was placed. */
export async function attachmentsFor(
  q: Queryable,
  jobId: string,
  calls: readonly ToolCall[],
  overlay: readonly StoredOverlayEntry[],
): Promise<Pick<StepInput, 'attachments'>> {
  const inputs = calls.filter(({ name }) => /\bplace$/i.test(name)).map(({ input }) => JSON.stringify(input) ?? '');
  if (inputs.length === 0 && !hasBlobs(overlay)) return {};
  const attachments = await attachmentsOfJob(q, jobId);
  const isMeant = ({ id, name }: { id: string; name: string }) => {
    const quoted = JSON.stringify(name).slice(1, -1).toLowerCase();
    return inputs.some((input) => input.includes(id) || input.toLowerCase().includes(quoted));
  };
  const texts = await contentsOf(
    q,
    attachments.filter((one) => !isImage(one) && isMeant(one)).map(({ id }) => id),
  );
  return {
    attachments: attachments.map(({ id, name, mediaType, bytes, blobId }) => ({
      id,
      name,
      mediaType,
      bytes,
      blobId,
      text: texts.get(id)?.toString('utf8') ?? null,
    })),
  };
}

/** Attachments that the overlay places, by blob id, up to a turn's limit. */
export async function placedBlobs(
  q: Queryable,
  jobId: string,
  overlay: readonly StoredOverlayEntry[],
): Promise<Map<string, Buffer>> {
  if (!hasBlobs(overlay)) return new Map();
  const placed = new Set(overlay.map(({ blobId }) => blobId));
  const byBlob = new Map((await attachmentsOfJob(q, jobId)).map((row) => [row.blobId, row.id]));
  const wanted = [...byBlob].filter(([blobId]) => placed.has(blobId));
  const contents = await contentsOf(
    q,
    wanted.map(([, id]) => id),
  );
  return new Map(
    wanted.flatMap(([blobId, id]) => {
      const content = contents.get(id);
      return content ? [[blobId, content] as const] : [];
    }),
  );
}

function hasBlobs(overlay: readonly StoredOverlayEntry[]): boolean {
  return overlay.some(({ content, blobId }) => content === null && blobId !== null);
}
