import { isUtf8 } from 'node:buffer';
import { objectId } from '@docent/base/files/object-id';
import { malformedPath, unwiseNewPath } from '@docent/git/path-policy';
import { secretFileReason } from '@docent/git/secret-files';
import { AppError } from '../platform/errors.ts';
import { readImageHead } from '../platform/image-head.ts';

export const MAX_IMAGE_BYTES = 10_000_000;
export const MAX_TEXT_BYTES = 1_000_000;
/** Pixels a side: more than that, providers take of no image. */
const MAX_SIDE = 8_000;

/** By extension; other texts are plain. */
const TEXTS: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  mdx: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  html: 'text/html',
  css: 'text/css',
};

/** The type of a file, detected from its bytes. */
export interface AttachmentType {
  mediaType: string;
  width: number | null;
  height: number | null;
}

/** The id that git gives to the content: by it, a repository that has the file already knows it. */
export const attachmentBlobId = (content: Buffer): string => objectId('blob', content);

/**
 * An uploaded file's type; of images, reads the header.
 * @throws AppError `unsupported_media_type`, `body_too_large`, `bad_request` for an image whose size is
 * unknown
 */
export function attachmentTypeOf(name: string, content: Buffer): AttachmentType {
  const image = readImageHead(content);
  if (image) {
    const { width, height } = image;
    if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE) {
      throw new AppError(
        'bad_request',
        `The image has ${width.toLocaleString('en')} × ${height.toLocaleString('en')} pixels. Allowed: 1 to ${MAX_SIDE.toLocaleString('en')} per side.`,
      );
    }
    return image;
  }
  if (content.length === 0) throw new AppError('bad_request', 'The file is empty. Send its content as the body.');
  if (content.length > MAX_TEXT_BYTES && isUtf8(content)) {
    throw new AppError(
      'body_too_large',
      `The text is too long. Allowed: ${MAX_TEXT_BYTES.toLocaleString('en')} bytes.`,
    );
  }
  if (!isUtf8(content) || content.includes(0)) {
    throw new AppError(
      'unsupported_media_type',
      'Unsupported file type. Allowed: PNG, JPEG, GIF and WebP images, and UTF-8 text.',
    );
  }
  const extension = /\.([a-z\d]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const mediaType = (Object.hasOwn(TEXTS, extension) ? TEXTS[extension] : undefined) ?? 'text/plain';
  return { mediaType, width: null, height: null };
}

/** Whether models see the attachment as an image. An SVG is text. */
export function isImage({ mediaType }: { mediaType: string }): boolean {
  return mediaType.startsWith('image/') && mediaType !== 'image/svg+xml';
}

/** @throws AppError `bad_request` for a name that is unstorable or suggests secrets */
export function checkAttachmentName(name: string): void {
  const isPath = name.includes('/') ? 'it has a folder' : null;
  const problem = isPath ?? malformedPath(name) ?? unwiseNewPath(name) ?? secretFileReason(name);
  if (problem) throw new AppError('bad_request', `\`filename\`: ${problem}.`);
}
