import type { Heading } from 'mdast';
import { jsonFrontMatterEnd } from '../read/json-front-matter.ts';
import { NumberedIds, type Slugger } from '../read/heading-slug.ts';
import { blank, maskHeadingId, maskLines, MAX_LINE, unmasked, type MaskedPage } from './masked-page.ts';

const ATTRIBUTE = String.raw`(?:[#.][\w:.-]{1,200}|[\w:-]{1,100}=(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'|[^\s"'{}]{1,300}))`;
/**
 * `{#id .class key="value"}` at the end of a heading:
 * https://gohugo.io/content-management/markdown-attributes/
 */
const HEADING_ATTRIBUTES = new RegExp(
  String.raw`\{(?=[^{}\n]*?(?:#([\w:.-]{1,200})|\bid=["']?([\w:.-]{1,200}))[^{}\n]*\}|[^{}\n]*\})[ \t]*${ATTRIBUTE}(?:[ \t,]+${ATTRIBUTE}){0,20}[ \t]*\}[ \t]*\r?$`,
);
const BLOCK_ATTRIBUTES = new RegExp(
  `^[ \\t>]*\\{[ \\t]*${ATTRIBUTE}(?:[ \\t,]+${ATTRIBUTE}){0,20}[ \\t]*\\}[ \\t]*\\r?$`,
);
const BLOCK_ID = /(?:#([\w:.-]{1,200})|\bid=["']?([\w:.-]{1,200}))/;

/**
 * The line after the term of a definition list, which has an id if the site enables it:
 * `autoDefinitionTermID`.
 */
const DEFINITION = /^ {0,3}:[ \t]+\S/;

/** Longer ones hold data. */
const MAX_SHORTCODE = 4_000;
const MAX_SHORTCODES = 20_000;

/** Between the two ends of these is text of the page. */
const HOLDS_TEXT =
  /^(?:accordion|alert|admonition|blocks\/[\w-]+|button|callout|cards?|card-pane|cardpane|caution|columns?|danger|details|expand(?:able)?|hint|imgproc|important|info|note|notice|pageinfo|panel|quote|steps?|success|tabs?|tabpane|tip|warning|warn)$/i;

interface Shortcode {
  name: string;
  parameters: string;
  start: number;
  end: number;
  /** The start of its parameters. */
  at: number;
  isClose: boolean;
  /** `{{% %}}`: its text is Markdown. */
  isMarkdown: boolean;
}

/**
 * Hugo's changes to a page before Markdown is parsed: shortcodes, even in code blocks, are replaced; `ref`
 * and `relref` become links. The content of a shortcode that may be no text is left out.
 */
export function maskHugo(source: string): MaskedPage {
  const end = jsonFrontMatterEnd(source);
  if (end === null) return maskContent(source);
  return { ...maskContent(blank(source.slice(0, end)) + source.slice(end)), json: source.slice(0, end) };
}

function maskContent(text: string): MaskedPage {
  const page = unmasked(text);
  const shortcodes = shortcodesIn(text);
  const references: NonNullable<MaskedPage['references']> = [];
  const shown = new Set<string>();
  let masked = text;
  if (shortcodes.length > 0) {
    const hidden: [number, number][] = [];
    const closers = new Map<string, number[]>();
    for (const { name, isClose, start } of shortcodes) {
      if (isClose) closers.set(name, [...(closers.get(name) ?? []), start]);
    }
    for (const shortcode of shortcodes) {
      const { name, start, end, isClose } = shortcode;
      hidden.push([start, end]);
      if (isClose) continue;
      const target = /^(?:rel)?ref$/.test(name) ? referenceOf(shortcode) : null;
      if (target) references.push(target);
      shown.add(`shortcode:${name}`);
      const close = closers.get(name)?.find((one) => one >= end);
      if (close === undefined || shortcode.isMarkdown || HOLDS_TEXT.test(name)) continue;
      hidden.push([end, close]);
      if (/^[ \t>]*#/m.test(text.slice(end, close))) page.hasMoreAnchors = true;
    }
    masked = withoutRanges(text, hidden, shortcodes);
    // Their output there is part of the id.
    const inHeading = (at: number) => /^[ \t>]*#{1,6}[ \t]/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));
    if (shortcodes.some(({ start }) => inHeading(start))) page.hasMoreAnchors = true;
  }
  let paragraph = '';
  page.text = maskLines(masked, (line, start, next) => {
    if (line.length > MAX_LINE) return null;
    const isMeaning = DEFINITION.test(line);
    if (isMeaning && paragraph !== '') page.anchors.push(...termIds(paragraph));
    if (line.trim() !== '') paragraph = isMeaning ? '' : line;
    if (!line.includes('{')) return null;
    const heading = maskHeadingId(line, next, HEADING_ATTRIBUTES);
    if (heading?.id) page.ids.set(start, heading.id);
    if (heading) return heading.line;
    if (!BLOCK_ATTRIBUTES.test(line)) return null;
    const [, id, quoted] = BLOCK_ID.exec(line) ?? [];
    if (id ?? quoted) page.anchors.push((id ?? quoted)!);
    return blank(line);
  });
  return { ...page, references, shown };
}

/**
 * The target of `{{< ref "page.md#id" >}}`; null if it names a page of another language or form, or its
 * name is computed.
 */
function referenceOf({ parameters, at }: Shortcode): { target: string; start: number; end: number } | null {
  if (/\b(?:lang|outputFormat)[ \t]*=/i.test(parameters)) return null;
  const found = /^\s*(?:path\s*=\s*)?(?:"([^"\n]*)"|`([^`\n]*)`|([^\s"'`=]+))\s*$/.exec(parameters);
  const target = found?.[1] ?? found?.[2] ?? found?.[3];
  if (target === undefined || target === '' || /[{}$]/.test(target)) return null;
  const start = at + parameters.lastIndexOf(target);
  return { target, start, end: start + target.length };
}

function shortcodesIn(text: string): Shortcode[] {
  const found: Shortcode[] = [];
  const opening = /\{\{([<%])\s*(?!\s|\/\*)(\/?)\s*([\w./-]{1,100})/g;
  for (let match = opening.exec(text); match !== null && found.length < MAX_SHORTCODES; match = opening.exec(text)) {
    const [whole, mark, slash, name] = match;
    const at = match.index + whole.length;
    const end = endOf(text, at, mark === '<' ? '>}}' : '%}}');
    if (end === -1) continue;
    found.push({
      name: name!.replace(/\/$/, ''),
      parameters: text.slice(at, end),
      start: match.index,
      end: end + 3,
      at,
      isClose: slash !== '',
      isMarkdown: mark === '%',
    });
    opening.lastIndex = end + 3;
  }
  return found;
}

/** The end of a shortcode, outside quotes. */
function endOf(text: string, from: number, closing: string): number {
  let quote = '';
  for (let i = from; i < Math.min(text.length, from + MAX_SHORTCODE); i++) {
    const c = text[i]!;
    if (quote !== '') {
      if (c === '\\' && quote === '"') i++;
      else if (c === quote) quote = '';
    } else if (c === '"' || c === '`') quote = c;
    else if (text.startsWith(closing, i)) return i;
  }
  return -1;
}

/**
 * Shortcodes on lines of their own are blanked out; within a line, the build inserts something that is no
 * blank.
 */
function withoutRanges(text: string, hidden: readonly [number, number][], shortcodes: readonly Shortcode[]): string {
  const inLine = new Set(shortcodes.filter(({ start, end }) => !isAlone(text, start, end)).map(({ start }) => start));
  const parts: string[] = [];
  let at = 0;
  for (const [start, end] of hidden.toSorted((a, b) => a[0] - b[0])) {
    if (end <= at) continue;
    const from = Math.max(at, start);
    const written = text.slice(from, end);
    const isWord = inLine.has(start) && from === start;
    parts.push(text.slice(at, from), isWord ? `{{${written.slice(2, -2).replace(/[^\r\n]/g, '_')}}}` : blank(written));
    at = end;
  }
  return parts.join('') + text.slice(at);
}

function isAlone(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(text.lastIndexOf('\n', start - 1) + 1, start - MAX_LINE), start);
  const next = text.indexOf('\n', end);
  return (before + text.slice(end, next === -1 ? end + MAX_LINE : next)).trim() === '';
}

/** As `sanitizeAnchorName` and `Generate` of Hugo 0.140; `heading` if nothing is left. */
export function hugoSlugger(isAscii: boolean): () => Slugger {
  return () => {
    const ids = new NumberedIds();
    return (text, own) => (own === undefined ? ids.next(hugoSlug(text, isAscii) || 'heading') : ids.keep(own));
  };
}

function hugoSlug(text: string, isAscii: boolean): string {
  const plain = isAscii ? text.normalize('NFD').replace(/\p{Mn}|[^\u0020-\u007f]/gu, '') : text;
  return plain
    .trim()
    .replace(/ /g, '-')
    .replace(/[^\p{L}\p{Nd}_-]/gu, '')
    .toLowerCase();
}

/** Alone, and numbered if a heading or a term before has the same. */
function termIds(term: string): string[] {
  const id = hugoSlug(term, false);
  return [id, `${id}-1`, `${id}-2`];
}

/** As Goldmark gives it to Hugo: the last line of a heading as it is written, markup included. */
export function hugoText({ position }: Heading, source: string): string {
  const written = source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);
  if (/^[ \t]*#/.test(written)) return written.replace(/^[ \t]*#{1,6}/, '').replace(/[ \t]+#+[ \t]*$/, '');
  return (
    written
      .split('\n')
      .at(-2)
      ?.replace(/^[ \t>]+/, '') ?? written
  );
}
