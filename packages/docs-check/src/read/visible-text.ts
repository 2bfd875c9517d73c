import { createHash } from 'node:crypto';
import { commentRanges } from './comment-ranges.ts';
import type { Range } from './page-facts.ts';
import { TextLines } from './text-lines.ts';

/**
 * A file as the model sees it, and the way back to the file.
 *
 * Repository text is data, but a model may treat it as instructions, so text that is invisible to readers is
 * removed. Comments become a short placeholder that represents them in edits; zero-width, bidirectional and
 * other invisible characters are left out; line breaks are `\n`.
 */
export class VisibleText {
  readonly raw: string;
  readonly text: string;
  readonly #segments: readonly Segment[];
  readonly #comments: ReadonlyMap<string, string>;
  #lines: TextLines | null = null;

  /** @param comments positions of comments in the raw text, sorted */
  constructor(raw: string, comments: readonly Range[]) {
    this.raw = raw;
    const { text, segments, placeholders } = build(raw, comments);
    // The same string twice would be kept twice.
    this.text = text === raw ? raw : text;
    this.#segments = segments;
    this.#comments = placeholders;
  }

  /** The file's line of a character in the visible text, from 1. */
  lineAt(offset: number): number {
    this.#lines ??= new TextLines(this.raw);
    return this.#lines.lineAt(this.rawRange(offset, offset)[0]);
  }

  /** The part of the file that a part of the visible text comes from. A placeholder counts as a whole. */
  rawRange(start: number, end: number): Range {
    const first = this.#segmentAt(start);
    const from = first ? (first.kept ? first.raw + start - first.at : first.raw) : this.raw.length;
    if (end <= start) return [from, from];
    const last = this.#segmentAt(end - 1)!;
    return [from, last.kept ? last.raw + end - last.at : last.raw + last.rawLength];
  }

  /** Moves an offset inside a placeholder to one of its ends. */
  outsidePlaceholder(offset: number, towards: 'start' | 'end'): number {
    const segment = this.#segmentAt(offset);
    if (!segment || segment.kept || offset === segment.at) return offset;
    return towards === 'start' ? segment.at : segment.at + segment.length;
  }

  /**
   * Restores the comments for placeholders in the model's text.
   * @returns a placeholder without a comment in this file, if there is one
   */
  restore(text: string): { ok: true; text: string } | { ok: false; placeholder: string } {
    let unknown: string | null = null;
    const restored = text.replace(PLACEHOLDER, (placeholder) => {
      const comment = this.#comments.get(placeholder);
      if (comment === undefined) unknown ??= placeholder;
      return comment ?? placeholder;
    });
    return unknown === null ? { ok: true, text: restored } : { ok: false, placeholder: unknown };
  }

  #segmentAt(offset: number): Segment | undefined {
    let [low, high] = [0, this.#segments.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#segments[middle]!.at <= offset) low = middle;
      else high = middle - 1;
    }
    const segment = this.#segments[low];
    return segment && offset < segment.at + segment.length ? segment : undefined;
  }
}

interface Segment {
  /** In the visible text. */
  at: number;
  length: number;
  raw: number;
  rawLength: number;
  /** The same characters in both texts; else a placeholder. */
  kept: boolean;
}

const PLACEHOLDER = /(?:<!-- |\{\/\* )hidden comment [0-9a-f]{8}(?: -->| \*\/\})/g;

/**
 * Invisible characters: zero-width, bidirectional control, soft hyphens, tags, and the variation selectors
 * that no emoji uses. Joiners are checked one by one.
 */
const INVISIBLE =
  /[\u00AD\u061C\u115F\u1160\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]|[\uFE00-\uFE0D]|\u034F|[\u17B4\u17B5]|[\u180B-\u180D]|\uDB40[\uDC00-\uDDEF]|\r(?=\n)/g;

/** Scripts that need joiners between letters, and composed emoji. */
const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Mongolian}\p{Extended_Pictographic}]|\uFE0F|[\u{1F3FB}-\u{1F3FF}]/u;

/** A text without what readers cannot see. For names, titles and messages. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, (found, at: number) => (isJoiner(text, found, at) ? found : ''));
}

/** A path or a name as one line of a tool's answer can hold it. */
export function visibleName(name: string): string {
  return withoutInvisible(name)
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, 500);
}

function isJoiner(text: string, found: string, at: number): boolean {
  if (found !== '\u200C' && found !== '\u200D') return false;
  const before = text.codePointAt(Math.max(0, at - (/[\uDC00-\uDFFF]/.test(text[at - 1] ?? '') ? 2 : 1)));
  const after = text.codePointAt(at + 1);
  if (at === 0 || before === undefined || after === undefined) return false;
  return JOINED.test(String.fromCodePoint(before)) && JOINED.test(String.fromCodePoint(after));
}

function build(
  raw: string,
  comments: readonly Range[],
): { text: string; segments: Segment[]; placeholders: Map<string, string> } {
  const segments: Segment[] = [];
  const placeholders = new Map<string, string>();
  let text = '';
  const keep = (start: number, end: number) => {
    if (end <= start) return;
    segments.push({ at: text.length, length: end - start, raw: start, rawLength: end - start, kept: true });
    text += raw.slice(start, end);
  };
  const invisible = raw.matchAll(INVISIBLE);
  let hidden = invisible.next();
  const keepVisible = (start: number, end: number) => {
    let from = start;
    while (!hidden.done && hidden.value.index < end) {
      const { index, 0: found } = hidden.value;
      if (index >= start && !isJoiner(raw, found, index)) {
        keep(from, index);
        from = index + found.length;
      }
      hidden = invisible.next();
    }
    keep(from, end);
  };
  let from = 0;
  for (const [start, end] of comments) {
    if (start < from) continue;
    keepVisible(from, start);
    const comment = raw.slice(start, end);
    const placeholder = placeholderOf(comment);
    placeholders.set(placeholder, comment);
    segments.push({ at: text.length, length: placeholder.length, raw: start, rawLength: end - start, kept: false });
    text += placeholder;
    from = end;
  }
  keepVisible(from, raw.length);
  return { text, segments, placeholders };
}

function placeholderOf(comment: string): string {
  const id = createHash('sha256').update(comment).digest('hex').slice(0, 8);
  return comment.startsWith('{') ? `{/* hidden comment ${id} */}` : `<!-- hidden comment ${id} -->`;
}

/** Comments in a file that is not a page, or a page that does not parse. */
export function commentsByPattern(raw: string, path: string): Range[] {
  if (!/\.(mdx?|markdown|html?|svg|xml)$/i.test(path)) return [];
  return commentRanges(raw, /\.mdx$/i.test(path));
}
