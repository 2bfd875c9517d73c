import { toctreeReferences } from '../generators/sphinx-documents.ts';
import type { Heading, Nodes, Root } from 'mdast';
import type { LinkRole } from '../read/page-facts.ts';
import { NumberedIds } from '../read/heading-slug.ts';
import { plainText } from '../read/heading-text.ts';
import type { PageIds } from './mintlify-ids.ts';
import { blank, maskHeadingId, MAX_LINE, unmasked, type MaskedPage } from './masked-page.ts';

/** Directives whose content is Markdown, which is read as part of the page. */
export const HOLDS_TEXT =
  /^(?:note|warning|tip|important|attention|caution|danger|error|hint|seealso|admonition|version(?:added|changed|removed)|deprecated|todo|topic|sidebar|epigraph|highlights|pull-quote|dropdown|details|grid|grid-item|grid-item-card|card|card-carousel|tab-set|tab-item|tabs?|group-tab|figure|list-table|table|div|container|margin|aside|only|collapse|toggle|rst-class|class|centered|compound|glossary|exercise|solution|prf:[\w-]+|rubric|role|tags?)$/;
/** Directives with other content that make no ids. */
export const HOLDS_CODE =
  /^(?:code|code-block|code-cell|sourcecode|literalinclude|toctree|math|raw|mermaid|highlight|image|include|parsed-literal|doctest|test(?:code|output|setup|cleanup)|graphviz|digraph|graph|plantuml|contents|prompt|csv-table|meta|autosummary|ipython|jupyter-execute|plot|tikz|bibliography|youtube|vimeo|video|iframe|html_meta|button-link|button-ref|index|tableofcontents|sectionauthor|codeauthor|default-role|currentmodule|currentlibrary)$/;

/** The fence of a directive or of code: its mark, and the rest of the line. */
const OPENING = /^([ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*)(`{3,}|~{3,}|:{3,})[ \t]*(?:\{([^{}\s]{1,80})\})?(.*)$/;
const OPTION = /^[ \t]*:([\w-]{1,40}):[ \t]*(.*?)[ \t]*\r?$/;
/** https://myst-parser.readthedocs.io/en/latest/syntax/cross-referencing.html#creating-explicit-targets */
const LABEL = /^[ \t>]*\(([^()\r\n]{1,200})\)=[ \t]*\r?$/;
/** https://myst-parser.readthedocs.io/en/latest/syntax/optional.html#attributes */
const ATTRIBUTES = /\{(?=[^{}\n]{0,200}#)[#.\w][^{}\n]{0,200}\}/g;
const HEADING_ATTRIBUTES = /\{[^{}\n]*?#([^\s{}]{1,200})[^{}\n]*\}[ \t]*\r?$/;

/** Roles whose names are checked; others, such as `term`, are not. */
export const ROLES: Readonly<Record<string, LinkRole>> = {
  doc: 'doc',
  'std:doc': 'doc',
  ref: 'ref',
  'std:ref': 'ref',
  numref: 'numref',
  'std:numref': 'numref',
  any: 'any',
  download: 'file',
};

/** Longer ones are not names. */
const MAX_CONTENT = 1_000;

interface OpenDirective {
  mark: string;
  name: string | null;
  isText: boolean;
  /** The line may still be one of its options. */
  inOptions: boolean;
  /** `---` opened a block of options. */
  inBlock: boolean;
  /** The position of its `:link:`, until `:link-type:` shows what it names. */
  link: { target: string; start: number; end: number } | null;
}

/**
 * myst-parser's syntax that Markdown does not know: directives in fences, roles, labels, comments and
 * attributes. Directives with text become their text; for others, their targets are kept.
 */
export function maskMyst(text: string): MaskedPage {
  const page = unmasked(text);
  const references: NonNullable<MaskedPage['references']> = [];
  const lines = text.split('\n');
  const prose: string[] = [];
  const open: OpenDirective[] = [];
  let start = 0;
  for (const [i, line] of lines.entries()) {
    const [shown, isProse] = line.length > MAX_LINE ? [line, false] : read(line, start, lines[i + 1] ?? '');
    lines[i] = shown;
    prose.push(isProse ? shown : blank(line));
    start += line.length + 1;
  }
  page.text = lines.join('\n');
  references.push(...rolesIn(prose.join('\n')), ...toctreeReferences(text, true));
  return { ...page, references };

  function read(line: string, at: number, next: string): [line: string, isProse: boolean] {
    const current = open.at(-1);
    const fence = OPENING.exec(line);
    if (current && fence && isEnd(fence, current)) {
      open.pop();
      return current.isText || current.mark.startsWith(':') ? [blank(line), false] : [line, false];
    }
    if (current?.inOptions && current.name !== null) {
      const isOption = option(current, line, at);
      if (isOption) return current.isText || current.mark.startsWith(':') ? [blank(line), false] : [line, false];
    }
    if (current && !current.isText) {
      if (current.name !== null && isUnknown(current.name)) page.hasMoreAnchors = true;
      return current.mark.startsWith(':') ? [blank(line), false] : [line, false];
    }
    if (fence) return opening(line, at, fence);
    return proseLine(line, at, next);
  }

  function opening(line: string, at: number, [whole, before, mark, name, rest]: RegExpExecArray): [string, boolean] {
    const isColon = mark!.startsWith(':');
    if (name === undefined && (isColon || (mark!.startsWith('`') && rest!.includes('`')))) {
      return [isColon ? blank(line) : line, !isColon];
    }
    const isText = name !== undefined && HOLDS_TEXT.test(name);
    open.push({ mark: mark!, name: name ?? null, isText, inOptions: name !== undefined, inBlock: false, link: null });
    if (name === undefined) return [line, false];
    const argument = rest!.trim();
    const from = at + before!.length + whole.slice(before!.length).indexOf(`{${name}}`) + name.length + 2;
    const place = {
      target: argument,
      start: from + rest!.indexOf(argument),
      end: from + rest!.indexOf(argument) + argument.length,
    };
    if (argument !== '') names(name, place);
    return isText || isColon ? [blank(line), false] : [line, false];
  }

  function names(name: string, place: { target: string; start: number; end: number }): void {
    if (/^(?:image|figure)$/.test(name)) references.push({ ...place, kind: 'image', role: 'file' });
    else if (name === 'literalinclude') references.push({ ...place, role: 'file' });
    else if (name === 'include') page.includes.push(place);
  }

  /** Whether a line is an option of a directive, or opens or ends a block of them. */
  function option(directive: OpenDirective, line: string, at: number): boolean {
    if (/^[ \t]*---[ \t]*\r?$/.test(line)) {
      directive.inBlock = !directive.inBlock;
      if (!directive.inBlock) directive.inOptions = false;
      return true;
    }
    const found = directive.inBlock ? /^[ \t]*([\w-]{1,40}):[ \t]*(.*?)[ \t]*\r?$/.exec(line) : OPTION.exec(line);
    if (!found) {
      if (!directive.inBlock) directive.inOptions = false;
      return directive.inBlock;
    }
    const [, key, value] = found;
    const from = at + line.lastIndexOf(value!);
    const place = { target: value!, start: from, end: from + value!.length };
    if ((key === 'name' || key === 'label') && value !== '') page.anchors.push(...labelIds(value!));
    if (key === 'file' && value !== '' && directive.name === 'csv-table') references.push({ ...place, role: 'file' });
    if (key === 'link' && value !== '') directive.link = place;
    if (key === 'link-type' && directive.link && ROLES[value!] !== undefined) {
      references.push({ ...directive.link, role: ROLES[value!]! });
    }
    return true;
  }

  function proseLine(line: string, at: number, next: string): [string, boolean] {
    if (/^[ \t]{0,3}%/.test(line)) return [blank(line), false];
    const label = line.includes(')=') ? LABEL.exec(line)?.[1] : undefined;
    if (label !== undefined) {
      page.anchors.push(...labelIds(label));
      return [blank(line), false];
    }
    // The output of a role or a substitution is part of the id.
    if (/^[ \t>]*#{1,6}[ \t].*(?:\{[\w:+-]+\}`|\{\{)/.test(line)) page.hasMoreAnchors = true;
    if (!line.includes('#') || !line.includes('{')) return [line, true];
    const heading = maskHeadingId(line, next, HEADING_ATTRIBUTES);
    if (heading?.id) page.ids.set(at, heading.id);
    if (heading) return [heading.line, true];
    const shown = line.replace(ATTRIBUTES, (attributes) => {
      for (const [, id] of attributes.matchAll(/#([^\s{}]{1,200})/g)) page.anchors.push(...labelIds(id!));
      return blank(attributes);
    });
    return [shown, true];
  }
}

function isEnd([, , mark, name, rest]: RegExpExecArray, { mark: opened }: OpenDirective): boolean {
  return name === undefined && rest!.trim() === '' && mark!.startsWith(opened);
}

/** Its output may have ids, as descriptions of programs do. */
function isUnknown(name: string): boolean {
  return !HOLDS_TEXT.test(name) && !HOLDS_CODE.test(name);
}

/** `{doc}`, `{ref}` and other roles in the text of a page, outside inline code. */
function rolesIn(prose: string): NonNullable<MaskedPage['references']> {
  const found: NonNullable<MaskedPage['references']> = [];
  const shown = prose.replace(/<!--[^]*?(?:-->|$)/g, blank);
  for (const { 0: block, index } of shown.matchAll(/^[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)*/gm)) {
    if (!block.includes('`')) continue;
    for (const { name, content, start } of codeSpans(block)) {
      const role = ROLES[name];
      const named = role === undefined ? null : namedIn(content);
      if (!role || !named) continue;
      const at = index + start;
      found.push({ target: named.target.replace(/\s+/g, ' '), start: at + named.start, end: at + named.end, role });
    }
  }
  return found;
}

/** The text between equal runs of backticks, and the role before it: empty without one. */
function codeSpans(block: string): { name: string; content: string; start: number }[] {
  const runs = [...block.matchAll(/`+/g)].filter(({ index }) => block[index - 1] !== '\\');
  const byLength = Map.groupBy(runs.keys(), (i) => runs[i]![0].length);
  const found: { name: string; content: string; start: number }[] = [];
  for (let i = 0; i < runs.length; i++) {
    const { 0: run, index } = runs[i]!;
    const others = byLength.get(run.length)!;
    while (others.length > 0 && others[0]! <= i) others.shift();
    const end = others[0];
    if (end === undefined) continue;
    const start = index + run.length;
    const name = /\{([\w:+.-]{1,60})\}$/.exec(block.slice(Math.max(0, index - 64), index))?.[1] ?? '';
    found.push({ name, content: block.slice(start, runs[end]!.index), start });
    i = end;
  }
  return found;
}

/** `text <target>`, or the target alone; null for computed values, and for literal ones after `!`. */
export function namedIn(content: string): { target: string; start: number; end: number } | null {
  if (content.length > MAX_CONTENT) return null;
  const explicit = /^[^]*?\s*<([^<>]+)>\s*$/.exec(content);
  const target = (explicit?.[1] ?? content).trim();
  if (target === '' || /^!|[{}|]|^[a-z][a-z\d+.-]*:\/\//i.test(target)) return null;
  const start = content.lastIndexOf(target);
  return { target: target.replace(/^~/, ''), start, end: start + target.length };
}

/** A label as links name it, and its docutils id. */
function labelIds(label: string): string[] {
  return [label.trim(), docutilsId(label)];
}

/**
 * `make_id` of docutils 0.22: letters and digits of ASCII, and dashes.
 * https://docutils.sourceforge.io/docs/ref/rst/directives.html#identifier-normalization
 */
export function docutilsId(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ß', 'sz')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('đ', 'd')
    .replaceAll('ı', 'i')
    .normalize('NFKD')
    .replace(/[^\p{ASCII}]/gu, '')
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^[-\d]+|-+$/g, '');
}

/** As `github_slugify` of myst-parser. */
function mystSlug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(' ', '-')
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '');
}

/**
 * Ids of headings: those of docutils for all, and slugs for headings up to the depth of
 * `myst_heading_anchors`.
 */
export function mystIds(depth: number): (root: Root, ownIdOf: (heading: Heading) => string | undefined) => PageIds {
  return (root, ownIdOf) => {
    const headings = new Map<Heading, string>();
    const anchors = new Set<string>();
    const slugs = new NumberedIds();
    const taken = new Set<string>();
    let others = 0;
    for (const heading of headingsIn(root)) {
      const id = docutilsId(plainText(heading));
      // A name without letters, or a repeated one, gets a number that counts all such names of a page.
      if (id === '' || taken.has(id)) for (let i = 0; i < 20; i++) anchors.add(`id${++others}`);
      taken.add(id);
      if (id !== '') anchors.add(id);
      const own = ownIdOf(heading);
      if (own !== undefined) for (const one of labelIds(own)) anchors.add(one);
      const slug = heading.depth <= depth ? slugs.next(mystSlug(plainText(heading))) : id;
      headings.set(heading, own ?? slug);
      anchors.add(slug);
    }
    anchors.delete('');
    return { headings, anchors, hasMore: false };
  };
}

function* headingsIn(root: Root): Generator<Heading> {
  const waiting: Nodes[] = [root];
  while (waiting.length > 0) {
    const node = waiting.pop()!;
    if (node.type === 'heading') yield node;
    else if ('children' in node) for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i]!);
  }
}
