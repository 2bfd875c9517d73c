import type { Heading, PageFacts } from '@docent/docs-check/read/page-facts';
import { applyTextEdits, type TextEdit } from '@docent/docs-check/read/text-edits';
import { canonical } from '@docent/base/canonical';
import { lineEnd, lineStart } from './line-bounds.ts';
import { literalPattern } from './literal-pattern.ts';

/** Headings with this text; without one, those that match except for case, marks and spaces. */
export function headingsNamed({ headings }: Pick<PageFacts, 'headings'>, name: string): Heading[] {
  const exact = headings.filter(({ text }) => canonical(text.trim()) === canonical(name.trim()));
  const wanted = bare(name);
  return exact.length > 0 ? exact : headings.filter(({ text }) => bare(text) === wanted);
}

function bare(text: string): string {
  return canonical(text)
    .toLowerCase()
    .replace(/[`*_"'“”‘’]/g, '')
    .replace(/^#+\s*|[\s:.!?]+$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The heading with another text; an explicit id stays. Null if it is written in a special form. */
export function renamedHeading(page: string, { start, end }: Heading, text: string): TextEdit | null {
  const from = lineStart(page, start);
  const written = page.slice(start, end).trimEnd();
  const atx = /^(#{1,6}[ \t]+)(?:.*?)((?:[ \t]+#+)?(?:[ \t]*(?:\{[ \t]*[#.][^}]*\}|\{\/\*.*?\*\/\}))?)$/.exec(written);
  if (atx) return { start, end: start + written.length, text: atx[1]! + text + atx[2]! };
  const setext = /^(.+?)(\r?\n[ \t]*)([=-]+)$/s.exec(written);
  if (!setext || from !== start) return null;
  const underline = setext[3]![0]!.repeat(Math.max(3, text.length));
  return { start, end: start + written.length, text: text + setext[2]! + underline };
}

/** From a heading to the next one of the same or a higher level, or to the end. */
export function sectionOf(page: string, { headings }: Pick<PageFacts, 'headings'>, heading: Heading): [number, number] {
  const next = headings.find(({ start, depth }) => start > heading.start && depth <= heading.depth);
  return [lineStart(page, heading.start), next ? lineStart(page, next.start) : page.length];
}

/** The page without a part that begins and ends with lines: no blank lines are left at its end. */
export function withoutLines(page: string, edits: readonly TextEdit[], [start, end]: [number, number]): string {
  const rest = applyTextEdits(page, [...edits, { start, end, text: '' }]);
  if (end < page.length) return rest;
  const lineBreak = /\r\n\s*$/.test(page) ? '\r\n' : '\n';
  return rest.trimEnd() === '' ? '' : rest.trimEnd() + lineBreak;
}

/**
 * Where a text is outside code, markup and front matter. Spaces and line breaks within a paragraph are equal.
 * A sentence includes its full stop.
 */
export function passagesOf(page: string, { opaque, frontMatter }: PageFacts, text: string): [number, number][] {
  const words = text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  const expression = new RegExp(words.map(literalPattern).join('(?:[ \\t]+|[ \\t]*\\r?\\n[ \\t>]*(?=[^\\s>]))'), 'gu');
  const found: [number, number][] = [];
  for (const match of page.matchAll(expression)) {
    const [start, end] = [match.index, match.index + match[0].length];
    const isInside = opaque.some((part) => start < part.end && end > part.start && !isWithin(part, start, end));
    if (isInside || (frontMatter && start < frontMatter.end)) continue;
    found.push([
      start,
      end + (startsSentence(page, start) ? (/^[.!?](?=\s|$)/.exec(page.slice(end, end + 2))?.[0].length ?? 0) : 0),
    ]);
  }
  return found;
}

/** Code and tags in the middle of a passage are a part of it. */
function isWithin(part: { start: number; end: number }, start: number, end: number): boolean {
  return part.start >= start && part.end <= end;
}

function startsSentence(page: string, at: number): boolean {
  const before = page.slice(Math.max(0, at - 80), at);
  return (
    /(?:^|\n[ \t]*|[.!?:][ \t]+|^[ \t]*[-*+>] )$/.test(before) || /(?:^|\n)[ \t]*(?:[-*+>]|\d+[.)])[ \t]+$/.test(before)
  );
}

/** Removes a passage with the space beside it, and a line or list item that becomes empty. */
export function removal(page: string, [start, end]: [number, number]): TextEdit {
  const [from, to] = [lineStart(page, start), lineEnd(page, end)];
  const [before, behind] = [page.slice(from, start), page.slice(end, to).replace(/\r$/, '')];
  if (/^[ \t]*(?:(?:[-*+>]|\d+[.)])[ \t]+)?$/.test(before) && behind.trim() === '') {
    const isBlankBefore = from === 0 || /\n[ \t]*\r?\n$/.test(page.slice(0, from));
    const after = /^\r?\n(?:[ \t]*\r?\n)?/.exec(page.slice(end + behind.length)) ?? [''];
    const one = /^\r?\n/.exec(page.slice(end + behind.length))?.[0].length ?? 0;
    if (end + behind.length + one >= page.length && isBlankBefore) {
      return { start: page.slice(0, from).trimEnd().length, end: page.length, text: page.endsWith('\n') ? '\n' : '' };
    }
    return { start: from, end: end + behind.length + (isBlankBefore ? after[0].length : one), text: '' };
  }
  if (/^[ \t]/.test(behind) && (before.trim() === '' || /[ \t]$/.test(before))) {
    return { start, end: end + /^[ \t]+/.exec(behind)![0].length, text: '' };
  }
  const trailing =
    behind.trim() === '' || /^[ \t]*[,.;:!?)]/.test(behind) ? (/[ \t]+$/.exec(before)?.[0].length ?? 0) : 0;
  return { start: start - trailing, end, text: '' };
}
