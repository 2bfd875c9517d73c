import { basename } from 'node:path/posix';
import { withoutPageExtension } from './page-format.ts';
import type { TextEdit } from './text-edits.ts';
import { lineBreakOf } from './text-lines.ts';
import { lineAt } from './yaml-lines.ts';

/** Edits of mdBook's `SUMMARY.md` by its lines, a chapter on each. */

const CHAPTER = /^([ \t]*(?:[-*+][ \t]+)?)\[[^[\]]*\]\([^()]*\)[ \t]*$/;

/**
 * Removes a chapter; one with others below it becomes a draft, which mdBook has for this. Null if its line
 * has more.
 */
export function removeChapter(source: string, start: number, end: number): TextEdit | null {
  const line = lineAt(source, start);
  const own = CHAPTER.exec(line.text)?.[1];
  if (own === undefined) return null;
  const isParent = /\S/.test(own) && columnOf(lineAt(source, line.end).text) > columnOf(own);
  return isParent && line.end < source.length
    ? { start, end, text: '' }
    : { start: line.start, end: line.end, text: '' };
}

/**
 * A new chapter after another one and all chapters below that, at the same depth, named after its file. Null
 * if the other's line holds more.
 */
export function insertChapterAfter(source: string, offset: number, value: string): TextEdit | null {
  let line = lineAt(source, offset);
  const own = CHAPTER.exec(line.text)?.[1];
  if (own === undefined) return null;
  for (let next = line; next.end < source.length;) {
    next = lineAt(source, next.end);
    if (next.text.trim() === '') continue;
    if (columnOf(next.text) <= columnOf(own) || !/^[ \t]*[-*+][ \t]/.test(next.text)) break;
    line = next;
  }
  const lineBreak = lineBreakOf(source);
  const text = `${own}[${titleOf(value)}](${value})`;
  const isEnded = source.slice(0, line.end).endsWith('\n');
  return { start: line.end, end: line.end, text: isEnded ? text + lineBreak : lineBreak + text };
}

function columnOf(text: string): number {
  return /^[ \t]*/.exec(text)![0].replaceAll('\t', '    ').length;
}

function titleOf(value: string): string {
  const path = withoutPageExtension(decoded(value)).replace(/\/(?:index|readme)$/i, '');
  const words = basename(path)
    .replace(/[-_[\]]+/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function decoded(value: string): string {
  return value.replaceAll('%20', ' ');
}
