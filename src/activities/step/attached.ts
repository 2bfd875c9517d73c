import { attachmentsIn, isShownAsImage, neededFiles } from '@docent/models/conversation/attached-files';
import type { Model, ModelRequest, ToolDefinition } from '@docent/models/model';
import {
  ATTACHMENT_TOOLS,
  READ_ONLY_TOOLS,
  SOURCE_TOOLS,
  TOOL_DEFINITIONS,
  WEB_TOOLS,
} from '@docent/agent/tools/tool-set';
import type { TranscriptEntry } from '@docent/models/conversation/transcript';
import { plural } from '@docent/base/plural';
import { attachmentsById, contentsOf } from '../../store/jobs/attachments.ts';
import type { Queryable } from '../../store/database.ts';
import type { MessageRow } from '../../store/jobs/turns.ts';

/** Messages as the transcript keeps them: attachments are described, without their content. */
export async function messageEntries(q: Queryable, taken: readonly MessageRow[]): Promise<TranscriptEntry[]> {
  const known = await attachmentsById(
    q,
    taken.flatMap(({ attachments }) => attachments),
  );
  return taken.map(({ no, prompt, attachments }) => {
    const attached = attachments.flatMap((id) => {
      const row = known.get(id);
      if (!row) return [];
      const { name, mediaType, bytes, width, height } = row;
      return [{ id, name, mediaType, bytes, width, height }];
    });
    return { role: 'user', no, text: prompt, ...(attached.length > 0 ? { attachments: attached } : {}) };
  });
}

/**
 * A model's tools, including those for attachments and sources if there are any.
 * @param of.readOnly nothing may be changed
 */
export function toolsFor(
  entries: readonly TranscriptEntry[],
  of: { readOnly: boolean; sources: boolean; webPages: boolean },
): readonly ToolDefinition[] {
  const ofSources = [...(of.sources ? SOURCE_TOOLS : []), ...(of.webPages ? WEB_TOOLS : [])];
  if (of.readOnly) return [...READ_ONLY_TOOLS, ...ofSources];
  const ofAttachments = attachmentsIn(entries).length === 0 ? [] : ATTACHMENT_TOOLS;
  return [...TOOL_DEFINITIONS, ...ofAttachments, ...ofSources];
}

/** The attachments that a request shows: at most 15 MB of images, and texts of 1 MB each. */
export async function filesFor(
  q: Queryable,
  transcript: readonly TranscriptEntry[],
  model: Model,
): Promise<Pick<ModelRequest, 'files'>> {
  // Without a window there is no provider: the answer comes from a program that uses only names.
  const needed = model.contextTokens === null ? [] : neededFiles(transcript, model.images ?? false);
  return needed.length === 0 ? {} : { files: await contentsOf(q, needed) };
}

/** For the job's events: the model does not see the images of these messages. Empty if it does. */
export function unseenImages(said: readonly TranscriptEntry[], model: Model): string {
  const images = attachmentsIn(said).filter(isShownAsImage).length;
  if (images === 0 || model.images) return '';
  return `The model ${model.id} does not support images. It got ${plural(images, 'image')} as a text description.`;
}
