import { commentsByPattern, VisibleText, visibleName } from '@docent/docs-check/read/visible-text';
import { beginningOf } from '@docent/base/ellipsis';
import { charactersOf } from '../cost.ts';
import type { Attached, TranscriptEntry } from './transcript.ts';

/** The size of an image in characters: providers count about 1,600 tokens for a large one. */
export const IMAGE_CHARACTERS = 5_600;

/** The shown part of one text. For the rest, place the file and read it in parts. */
const MAX_TEXT = 40_000;
/** Limits for all texts together: in characters, and as a share of the model's window. */
const MAX_TEXTS = 160_000;
const SHARE_OF_WINDOW = 0.25;
/** Bytes that providers take of one image: Anthropic's limit, 5 MB of base64, is the lowest. */
const MAX_IMAGE = 3_750_000;
/** Limits of all images in a request, which has at most 32 MB with its base64. */
const MAX_IMAGES_BYTES = 15_000_000;
const MAX_IMAGES = 20;

/** Whether models with vision get it as an image. An SVG is text. */
export function isShownAsImage({ mediaType }: Pick<Attached, 'mediaType'>): boolean {
  return mediaType.startsWith('image/') && mediaType !== 'image/svg+xml';
}

/** The approximate number of characters that attachments add to a message; images count as what they cost. */
export function shownLength(attachments: readonly Attached[]): number {
  return attachments.reduce((sum, attached) => {
    if (attached.left) return sum;
    return sum + (isShownAsImage(attached) ? IMAGE_CHARACTERS : Math.min(attached.bytes, MAX_TEXT));
  }, 0);
}

/** Attachments whose contents a request needs: only the newest images, as many as providers accept. */
export function neededFiles(transcript: readonly TranscriptEntry[], images: boolean): string[] {
  const attached = attachmentsIn(transcript).filter(({ left }) => !left);
  const texts = attached.filter((one) => !isShownAsImage(one)).map(({ id }) => id);
  return [...new Set([...texts, ...(images ? imagesToShow(attached) : [])])];
}

export function attachmentsIn(transcript: readonly TranscriptEntry[]): Attached[] {
  return transcript.flatMap((entry) => (entry.role === 'user' ? (entry.attachments ?? []) : []));
}

function imagesToShow(attached: readonly Attached[]): Set<string> {
  const ids = new Set<string>();
  let bytes = 0;
  for (const one of attached.toReversed()) {
    if (one.left || !isShownAsImage(one) || one.bytes > MAX_IMAGE || ids.has(one.id)) continue;
    if (ids.size >= MAX_IMAGES || bytes + one.bytes > MAX_IMAGES_BYTES) break;
    ids.add(one.id);
    bytes += one.bytes;
  }
  return ids;
}

/** The attachments that a request shows. Texts are cleaned like repository files, and limited. */
export class ShownFiles {
  readonly #files: ReadonlyMap<string, Uint8Array>;
  readonly #images: ReadonlySet<string>;
  readonly #sees: boolean;
  #room: number;

  constructor(
    transcript: readonly TranscriptEntry[],
    files: ReadonlyMap<string, Uint8Array>,
    facts: { contextTokens: number; images: boolean },
  ) {
    this.#files = files;
    this.#sees = facts.images;
    this.#images = facts.images ? imagesToShow(attachmentsIn(transcript)) : new Set();
    this.#room = Math.min(MAX_TEXTS, Math.floor(charactersOf(facts.contextTokens) * SHARE_OF_WINDOW));
  }

  /** An attachment as text, and its image if the model sees it. Call it in the order of the conversation. */
  of(attached: Attached): { text: string; image?: Uint8Array } {
    const file = this.#files.get(attached.id);
    const note = (words: string) => ({ text: `<attachment ${headOf(attached)}>${words}</attachment>` });
    if (attached.left) return note('It was shown before, and is left out because the conversation is long.');
    if (isShownAsImage(attached)) {
      if (!this.#sees) return note('An image. You cannot be shown images: say so if you would have to see it.');
      if (!this.#images.has(attached.id))
        return note('An image that is too large, or one too many, to be shown to you.');
      if (!file) return note('An image that no longer exists.');
      return {
        ...note('The image that follows.'),
        image: new Uint8Array(file.buffer, file.byteOffset, file.byteLength),
      };
    }
    return file ? { text: this.#quoted(attached, file) } : note('A text that no longer exists.');
  }

  /** A text between tags that it cannot close itself. */
  #quoted(attached: Attached, file: Uint8Array): string {
    const raw = Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString('utf8');
    const { text } = new VisibleText(raw, commentsByPattern(raw, attached.name));
    const room = Math.max(0, Math.min(MAX_TEXT, this.#room));
    const shown = text.length <= room ? text : beginningOf(text, room);
    this.#room -= shown.length;
    const left = text.length - shown.length;
    const rest =
      left === 0
        ? ''
        : `\n[${left.toLocaleString('en')} more characters are not shown. To work with them, place the file and read it in parts.]`;
    return `<attachment ${headOf(attached)}>\n${shown.replace(/<(?=\/?attachment\b)/gi, '&lt;')}${rest}\n</attachment>`;
  }
}

function headOf({ id, name, mediaType, bytes, width, height }: Attached): string {
  const size = width === null || height === null ? '' : ` pixels="${width}x${height}"`;
  return `id="${id}" name=${JSON.stringify(visibleName(name)).replace(/[<>]/g, '')} type="${mediaType}" bytes="${bytes}"${size}`;
}
