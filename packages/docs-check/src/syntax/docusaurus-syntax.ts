import { isForeignPage, isOwnModule } from '../read/module-names.ts';
import {
  blank,
  blankMark,
  FENCE,
  maskHeadingId,
  maskLines,
  MAX_LINE,
  unmasked,
  type MaskedPage,
} from './masked-page.ts';

/**
 * `{#id}`, and since 3.10 the same as a comment of MDX, whose first word counts:
 * https://docusaurus.io/docs/markdown-features/toc#heading-ids
 */
const HEADING_ID =
  /\{(?:#([^{}]{1,200})|[ \t]{0,20}\/\*[ \t]{0,20}#([^\s{}*]{1,200})(?:[ \t][^{}*]{0,200})?\*\/[ \t]{0,20})\}[ \t]*#*[ \t]*\r?$/;
/** Of `@docusaurus/theme-classic` and `@docusaurus/core`: they make no ids of their attributes. */
const COMPONENTS = new Set(
  'Tabs TabItem Details Admonition CodeBlock DocCardList DocCard Head Link Translate BrowserOnly Redirect TOCInline ThemedImage Image IdealImage Highlight Highlighter DocsCard DocsCards React.Fragment'.split(
    ' ',
  ),
);
/** `:::note[Title]`, `:::`, `::leaf{…}`: https://docusaurus.io/docs/markdown-features/admonitions */
const DIRECTIVE = /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?(:{3,}.*|::[a-z].*)$/i;

export function isDocusaurusComponent(name: string): boolean {
  return COMPONENTS.has(name);
}

/**
 * Docusaurus' changes to a page before MDX parses it: ids of headings, admonitions, HTML comments and
 * `mdx-code-block` fences (https://docusaurus.io/docs/migration/v3#common-mdx-problems).
 */
export function maskDocusaurus(text: string): MaskedPage {
  const page = unmasked(text);
  let current = text;
  if (text.includes('mdx-code-block')) current = unwrapCodeBlocks(text);
  if (current.includes('<!--')) current = maskComments(current, page.comments);
  if (current.includes(':::')) current = endFences(current);
  page.text = maskLines(current, (line, start, next) => {
    const heading = line.includes('{') ? maskHeadingId(line, next, HEADING_ID) : null;
    if (heading?.id) page.ids.set(start, heading.id);
    if (heading) return heading.line;
    const directive = line.includes('::') ? DIRECTIVE.exec(line)?.[1] : undefined;
    return directive === undefined ? null : line.slice(0, line.length - directive.length) + blankMark(directive);
  });
  return page;
}

/**
 * Blanks out the code of fences that are still open where their container ends: remark-directive ends a
 * container at its `:::`, whatever is open in it, and code has nothing to find.
 */
function endFences(text: string): string {
  const lines = text.split('\n');
  /** Colons of the containers that are open, the outermost first. */
  let open: number[] = [];
  let fence: { mark: string; line: number; depth: number } | null = null;
  for (const [i, line] of lines.entries()) {
    const [, colons, name = ''] = /^[ \t>]*(:{3,})(.*)$/.exec(line) ?? [];
    const closes = colons !== undefined && name.trim() === '' ? open.findIndex((size) => size <= colons.length) : -1;
    const mark = FENCE.exec(line)?.[1];
    if (closes !== -1 && (!fence || closes < fence.depth)) {
      open = open.slice(0, closes);
      if (fence) for (let at = fence.line; at < i; at++) lines[at] = blank(lines[at]!);
      fence = null;
    } else if (fence) {
      if (mark?.startsWith(fence.mark) && line.trim() === mark) fence = null;
    } else if (mark !== undefined) fence = { mark, line: i, depth: open.length };
    else if (colons !== undefined && name.trim() !== '') open.push(colons.length);
  }
  return lines.join('\n');
}

/** Imports of an MDX 1 page: lines that begin with `import` or `export`, up to an empty one. */
const MODULE = /^(?:import|export)[ \t][^\n]*(?:\n(?![ \t]*\r?$)[^\n]*)*/gm;
const SOURCE = /\bfrom[ \t]*(['"])([^'"\n]{1,500})\1/g;

/** The same for MDX 1 of Docusaurus 2, whose pages are parsed as Markdown: their imports are still known. */
export function maskDocusaurus2(text: string): MaskedPage {
  const page = maskDocusaurus(text);
  const outside = maskLines(page.text, () => null, undefined, blank);
  for (const { 0: statement, index } of outside.matchAll(MODULE)) {
    for (const { 0: whole, 2: target = '', index: at } of statement.matchAll(SOURCE)) {
      if (isForeignPage(target)) page.hasMoreAnchors = true;
      if (!isOwnModule(target)) continue;
      const start = index + at + whole.indexOf(target);
      page.includes.push({ target, start, end: start + target.length, syntax: 'script' });
    }
    page.text = page.text.slice(0, index) + blank(statement) + page.text.slice(index + statement.length);
  }
  return page;
}

/**
 * The content of a fence named `mdx-code-block` is not code:
 * https://docusaurus.io/docs/i18n/crowdin#mdx-solutions
 */
function unwrapCodeBlocks(text: string): string {
  let fence: string | null = null;
  const lines = text.split('\n').map((line) => {
    const [, ticks, name] = /^[ \t]*(`{3,})([\w-]*)[ \t]*\r?$/.exec(line) ?? [];
    const isStart = fence === null && name === 'mdx-code-block';
    if (!isStart && !(fence !== null && ticks === fence && name === '')) return line;
    fence = isStart ? ticks! : null;
    return blank(line);
  });
  return lines.join('\n');
}

/** Blanks out HTML comments, which Docusaurus removes from MDX, but not those in code. */
function maskComments(text: string, found: [number, number][]): string {
  const inCode = new Uint8Array(text.length);
  // Text outside the callback is fenced.
  inCode.fill(1);
  maskLines(text, (line, start) => {
    inCode.fill(0, start, start + line.length + 1);
    for (const code of line.matchAll(/(?<!`)(`+)(?!`)/g)) {
      const close = line.indexOf(code[1]!, code.index + code[1]!.length);
      if (close !== -1 && inCode[start + code.index] === 0) inCode.fill(1, start + code.index, start + close);
      if (line.length > MAX_LINE) break;
    }
    return null;
  });
  let result = '';
  let from = 0;
  for (let at = text.indexOf('<!--'); at !== -1; at = text.indexOf('<!--', Math.max(at + 4, from))) {
    const end = inCode[at] === 1 ? -1 : text.indexOf('-->', at + 4);
    if (inCode[at] === 1) continue;
    if (end === -1) break;
    found.push([at, end + 3]);
    result += text.slice(from, at) + blank(text.slice(at, end + 3));
    from = end + 3;
  }
  return result + text.slice(from);
}
