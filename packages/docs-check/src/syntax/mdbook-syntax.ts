import type { Heading, Nodes } from 'mdast';
import { NumberedIds, type Slugger } from '../read/heading-slug.ts';
import { blank, maskHeadingId, maskLines, MAX_LINE, unmasked, type MaskedPage } from './masked-page.ts';

/**
 * `{#id .class key=value}` at the end of a heading, whose last id counts: `ENABLE_HEADING_ATTRIBUTES` of
 * pulldown-cmark.
 */
const HEADING_ATTRIBUTES =
  /\\?\{(?:(?:[^{}\n]*[ \t])?#([^\s{}]{1,200})(?![^{}\n]*[ \t]#)[^{}\n]*|[^{}\n]*)\}[ \t]*\r?$/;
/** https://rust-lang.github.io/mdBook/format/mdbook.html; a backslash before it shows it as it is written. */
const HELPER = /\\\{\{#.*\}\}|\{\{\s*#(\w+)\s+([^}\n]+)\}\}/g;
const TAKES_IN = new Set(['include', 'rustdoc_include', 'playground', 'playpen']);
const FOOTNOTE = /^[ \t>]{0,20}\[\^([^\]\s]{1,100})\]:/;
/** The line after the term of a definition list. */
const DEFINITION = /^ {0,3}:[ \t]+\S/;

/**
 * mdBook's changes to a chapter before Markdown is parsed: files are included, and lines at its top are no
 * front matter, but a rule. Terms of definition lists and footnotes get ids.
 */
export function maskMdbook(text: string): MaskedPage {
  const page = unmasked(text);
  const current = text.replace(/^---(?=[ \t]*\r?\n)/, '***').replace(/^\+\+\+(?=[ \t]*\r?\n)/, blank);
  let paragraph = '';
  page.text = maskLines(
    current,
    (line, start, next) => {
      if (line.length > MAX_LINE) return null;
      const shown = line.includes('{{') ? takeIn(line, start, true) : line;
      if (DEFINITION.test(line) && paragraph !== '') page.anchors.push(termId(paragraph));
      if (line.trim() !== '') paragraph = DEFINITION.test(line) ? '' : line;
      const footnote = line.includes('[^') ? FOOTNOTE.exec(line)?.[1] : undefined;
      // Until mdBook 0.4 the label itself was the id.
      if (footnote !== undefined) page.anchors.push(`footnote-${footnote}`, `fr-${footnote}-1`, footnote);
      const heading = shown.includes('{') ? maskHeadingId(shown, next, HEADING_ATTRIBUTES) : null;
      if (heading?.id) page.ids.set(start, heading.id);
      // Without typographic punctuation, which was off by default until 0.4, dashes stay.
      if (!heading?.id && shown.includes('--') && /^[ \t>]*#{1,6}[ \t]/.test(shown)) page.anchors.push(termId(shown));
      return heading?.line ?? (shown === line ? null : shown);
    },
    undefined,
    (line, start) => {
      if (line.includes('{{')) takeIn(line, start, false);
      return line;
    },
  );
  return page;

  function takeIn(line: string, start: number, isText: boolean): string {
    return line.replace(HELPER, (whole: string, name: string | undefined, rest: string | undefined, at: number) => {
      const argument = name === undefined ? undefined : /^\s*(\S+)/.exec(rest!)?.[1];
      if (name === undefined || argument === undefined) return whole;
      if (name === 'title') return blank(whole);
      if (!TAKES_IN.has(name)) return whole;
      const target = name.startsWith('play') ? argument : argument.replace(/:.*$/s, '');
      if (target === '') return whole;
      const from = start + at + whole.indexOf(argument, whole.indexOf(name) + name.length);
      page.includes.push({ target, start: from, end: from + target.length, isCode: !isText });
      // For HTML, only the file shows the ids.
      if (isText && /\.html?$/i.test(target)) page.hasMoreAnchors = true;
      return blank(whole);
    });
  }
}

/** Roughly, without the signs of Markdown: it only adds ids that are let through. */
function termId(line: string): string {
  return mdbookSlug(
    line
      .replace(/^[ \t>]*(?:#{1,6}[ \t])?/, '')
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[*`]/g, ''),
  );
}

/** As mdBook's `id_from_content`. */
function mdbookSlug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{Alphabetic}\p{N}_\p{White_Space}-]/gu, '')
    .replace(/\p{White_Space}/gu, '-');
}

/**
 * As mdBook's `unique_id`: an id that is taken gets `-1`, `-2`; those that headings give themselves are not
 * counted.
 */
export function mdbookSlugger(): Slugger {
  const ids = new NumberedIds();
  return (text, own) => own ?? ids.next(mdbookSlug(text));
}

/**
 * As `text_in_node` of mdBook, with typographic punctuation: consecutive dashes become one character, which
 * ids omit; footnotes have numbers.
 */
export function mdbookText(heading: Heading): string {
  let footnotes = 0;
  const textOf = (node: Nodes): string => {
    if (node.type === 'text') return node.value.replace(/-{2,}/g, '');
    if (node.type === 'inlineCode') return node.value;
    if (node.type === 'footnoteReference') return String(++footnotes);
    return 'children' in node ? node.children.map(textOf).join('') : '';
  };
  return textOf(heading);
}
