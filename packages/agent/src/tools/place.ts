import { extname } from 'node:path/posix';
import { z } from 'zod';
import { visibleName } from '@docent/docs-check/read/visible-text';
import { secretFileNoun } from '@docent/git/secret-files';
import type { AttachedFile } from './attached-file.ts';
import { listed } from './bounded-output.ts';
import { resolveNewPath } from './new-path.ts';
import { defineTool, ToolRefusal } from './tool.ts';
import type { ToolSession } from './tool-session.ts';

const schema = z.strictObject({
  attachment: z.string().min(1).max(500).describe('The id or the name of a file that the user attached.'),
  path: z
    .string()
    .min(1)
    .max(2_000)
    .describe(
      'The new location of the file. With a trailing slash, or without an extension: the folder, where it keeps its name.',
    ),
  replace: z.boolean().optional().describe('Replace a file of the same kind that is at the path.'),
});

/** Allowed extensions of the path, by the kind of content; for other texts, the extension of their name. */
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/gif': ['.gif'],
  'image/webp': ['.webp'],
};

/** Copies what the user attached into the repository, byte for byte if it is an image. */
export const placeTool = defineTool({
  name: 'place',
  description:
    'Copies a file that the user attached into the repository, unchanged, so that pages can show or link ' +
    'it. Do so only if the user wants it in the docs.',
  schema,
  example: { attachment: 'screenshot.png', path: 'images/screenshot.png' },
  run({ attachment, path: given, replace = false }, session) {
    const file = attachedAs(attachment, session);
    const path = resolveNewPath(session, named(given, file));
    mustMatch(path, file);
    const { workspace } = session;
    const data = { tool: 'place' as const, path, name: file.name };
    const exists = workspace.exists(path);
    if (exists && workspace.blobKey(path) === file.blobId) {
      return { text: `${visibleName(path)} is already that file.`, data, changed: [] };
    }
    if (exists && !replace) {
      throw new ToolRefusal(
        `${visibleName(path)} already exists. Choose another path, or replace it with replace: true if the user wants that.`,
      );
    }
    if (file.text === null && file.mediaType in EXTENSIONS) session.change({ place: new Map([[path, file.blobId]]) });
    else session.change({ write: new Map([[path, textOf(file)]]) });
    return { text: `${exists ? 'Replaced' : 'Placed'} ${visibleName(path)}.`, data, changed: [path] };
  },
});

function textOf({ text, name }: AttachedFile): string {
  if (text === null) throw new ToolRefusal(`The content of ${visibleName(name)} is not there. Call place with its id.`);
  if (secretFileNoun(name) !== null) throw new ToolRefusal(`${visibleName(name)} holds secrets by its name.`);
  return text;
}

function attachedAs(reference: string, { attachments }: ToolSession): AttachedFile {
  const byId = attachments.find(({ id }) => id === reference.trim());
  if (byId) return byId;
  const wanted = reference.trim().toLowerCase();
  const found = attachments.filter(({ name }) => name.toLowerCase() === wanted);
  // Two attachments with the same content are not ambiguous.
  if (new Set(found.map(({ blobId }) => blobId)).size === 1) return found[0]!;
  if (found.length > 1) {
    throw new ToolRefusal(
      `Several attachments have the name ${visibleName(reference)}. Say which by its id: ${found.map(({ id }) => id).join(', ')}.`,
    );
  }
  const names = attachments.map(({ name }) => visibleName(name));
  throw new ToolRefusal(
    names.length === 0
      ? `There is no attachment ${visibleName(reference)}: the user attached nothing.`
      : `There is no attachment ${visibleName(reference)}. There is ${listed(names, 20)}.`,
  );
}

/** The path, with the file's own name if it is a folder. */
function named(given: string, { name }: AttachedFile): string {
  const path = given.trim();
  if (path.endsWith('/')) return path + name;
  return extname(path) === '' && extname(name) !== '' ? `${path}/${name}` : path;
}

function mustMatch(path: string, { mediaType, name }: AttachedFile): void {
  const own = extname(name).toLowerCase();
  const allowed = EXTENSIONS[mediaType] ?? [own];
  if (allowed.includes(extname(path).toLowerCase())) return;
  const what = mediaType in EXTENSIONS ? `is ${mediaType}` : 'keeps its kind';
  throw new ToolRefusal(
    `${visibleName(name)} ${what}: at its path it must end with ${allowed.map((one) => one || 'no extension').join(' or ')}.`,
  );
}
