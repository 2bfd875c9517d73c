import type { Heading as HeadingNode, Nodes, Parents } from 'mdast';
import type { MdxJsxAttribute, MdxJsxFlowElement, MdxJsxTextElement } from 'mdast-util-mdx';
import { commentRanges } from './comment-ranges.ts';
import { readFrontMatter } from './front-matter.ts';
import { readJsonFrontMatter } from './json-front-matter.ts';
import { readTomlFrontMatter } from './toml-front-matter.ts';
import { isForeignPage, isOwnModule } from './module-names.ts';
import { headingIds, type NamedHeading } from './name-headings.ts';
import { plainText } from './heading-text.ts';
import { codeElements, scanHtml, type HtmlTag } from './html-scan.ts';
import { componentAnchors, isLinkAttribute, PROSE_ATTRIBUTES } from './markup-attributes.ts';
import { mergedOpaque } from './opaque-ranges.ts';
import type { Dialect } from './page-dialect.ts';
import { idsInScript } from './script-ids.ts';
import { StyleReader } from './style-reader.ts';
import { undefinedLabels, type UndefinedLabel } from './undefined-labels.ts';
import type { MaskedPage } from '../syntax/masked-page.ts';
import type { TextLines } from './text-lines.ts';
import type { Heading, Range, PageLink, Opaque, PageFacts } from './page-facts.ts';
import { UsedComponents } from './used-components.ts';

type JsxElement = MdxJsxFlowElement | MdxJsxTextElement;

function isTemplate(line: string, named: string): boolean {
  const trimmed = line.trim();
  return trimmed.toLowerCase().startsWith(named) && /^\s*\{[{%]/.test(trimmed.slice(named.length));
}

/** Gathers the facts of one page from its parsed tree. Use it once. */
export class FactReader {
  readonly #text: string;
  readonly #headingIds: Map<number, string>;
  readonly #lines: TextLines;
  readonly #mark: number;
  readonly #dialect: Dialect;
  readonly #headings: NamedHeading[] = [];
  readonly #takenIds: readonly string[];
  readonly #labels: UndefinedLabel[] = [];
  readonly #opaque: Opaque[] = [];
  readonly #anchors = new Set<string>();
  readonly #usedDefinitions = new Set<string>();
  readonly #components = new UsedComponents();
  readonly #style: StyleReader;
  #hasComponents = false;
  #mayDefineLabels: boolean;
  /** Names that the page imports, and from where. */
  readonly #imported = new Map<string, string>();
  readonly #withoutText = new Set<string>();
  readonly #shown: Iterable<string>;
  /** Headings outside Markdown. */
  readonly #given: readonly Heading[];
  readonly #facts: PageFacts = {
    frontMatter: null,
    title: null,
    headings: [],
    anchors: [],
    hasMoreAnchors: false,
    links: [],
    references: [],
    undefinedLabels: [],
    opaque: [],
    problems: [],
  };

  constructor(page: MaskedPage, dialect: Dialect, lines: TextLines, mark: number) {
    const { text, ids, anchors, takenIds, hasMoreAnchors, comments, includes, references = [], shown } = page;
    this.#text = text;
    this.#headingIds = ids;
    this.#dialect = dialect;
    this.#takenIds = takenIds;
    this.#lines = lines;
    this.#mark = mark;
    this.#facts.hasMoreAnchors = hasMoreAnchors;
    this.#style = new StyleReader(text, lines, mark);
    if (hasMoreAnchors) this.#style.unknownAnywhere();
    this.#mayDefineLabels = includes.some(mayDefineLabels);
    for (const anchor of anchors) this.#anchors.add(anchor);
    if (page.json !== undefined)
      this.#frontMatter(readJsonFrontMatter, page.json, { start: 0, end: page.json.length, first: 1 });
    for (const [start, end] of comments) this.#hide('comment', start, end);
    for (const { target, start, end, syntax = 'include' } of includes) {
      this.#link('import', syntax, target, start, end);
      if (syntax === 'include') this.#style.unknown(start);
    }
    for (const { target, start, end, kind = 'link', role, isAddress, isEntry } of references) {
      const link = this.#link(kind, 'include', target, start, end);
      if (role) link.role = role;
      if (isAddress) link.asIs = true;
      if (isEntry) link.isEntry = true;
    }
    for (const { label, start } of page.undefinedLabels ?? []) this.#labels.push({ label, start, end: start });
    this.#given = (page.headings ?? []).map(({ start, end, ...heading }) => {
      const [from, to] = [start + mark, end + mark];
      return { ...heading, line: lines.lineAt(from), start: from, end: to };
    });
    this.#shown = shown ?? [];
  }

  problem(kind: 'syntax' | 'front-matter', message: string, line: number, column = 1): void {
    this.#facts.problems.push({ kind, message, line, column });
  }

  hideComments(): void {
    for (const [start, end] of commentRanges(this.#text, true)) this.#hide('comment', start, end);
  }

  /** Depth first with an explicit stack: a page may nest deeper than calls can. */
  visit(root: Nodes): void {
    this.#visitAll(root);
    this.#nameHeadings(root);
    this.#style.finish(this.#facts, this.#headings);
    this.#facts.headings.push(...this.#given);
  }

  #visitAll(root: Nodes): void {
    const waiting: Nodes[] = [root];
    const inLink = new Set<Nodes>();
    while (waiting.length > 0) {
      const node = waiting.pop()!;
      if (!this.#enter(node) || !('children' in node)) continue;
      this.#markHtmlCode(node);
      // A link's text can hold no further link, and so no reference.
      if (isLink(node) || inLink.has(node)) for (const child of node.children) inLink.add(child);
      else this.#labels.push(...undefinedLabels(node, this.#text));
      for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i]!);
    }
  }

  finish(): PageFacts {
    const facts = this.#facts;
    if (!facts.frontMatter) this.#checkUnclosedFrontMatter();
    facts.title = facts.frontMatter?.fields['title'] ?? facts.headings.find(({ depth }) => depth === 1)?.text ?? null;
    facts.anchors = [...this.#anchors];
    if (facts.headings.length === 0 && this.#hasComponents) facts.hasMoreAnchors = true;
    if ([...this.#withoutText].some((name) => this.#dialect.mayShowHeadings?.(name))) facts.hasMoreAnchors = true;
    facts.opaque = mergedOpaque(this.#opaque);
    for (const link of facts.links) {
      // The first definition of a label counts.
      if (link.definition !== undefined && !this.#usedDefinitions.delete(link.definition)) link.isUnused = true;
    }
    const components = this.#components.undeclared();
    if (components.length > 0) facts.components = components;
    const shown = [...this.#withoutText].flatMap((name) => this.#imported.get(name) ?? []);
    const modules = new Set([...(this.#dialect.looksIntoComponents ? shown : []), ...this.#shown]);
    if (modules.size > 0) facts.shownModules = [...modules];
    // Included texts may define them.
    if (!this.#mayDefineLabels) {
      facts.undefinedLabels = this.#labels
        .filter(({ label }) => !this.#isMade(label))
        .map(({ label, start }) => ({
          label,
          ...this.#lines.placeOf(start + this.#mark),
        }));
    }
    facts.links = facts.links.toSorted((a, b) => a.start - b.start);
    return facts;
  }

  /** Whether a template makes the address of a label, as in `[a]: {% link b.md %}`. */
  #isMade(label: string): boolean {
    const named = `[${label}]:`.toLowerCase();
    return this.#text.includes('{') && this.#text.split('\n').some((line) => isTemplate(line, named));
  }

  /** Whether to visit the node's children. */
  #enter(node: Nodes): boolean {
    const [start, end] = rangeOf(node);
    switch (node.type) {
      case 'yaml':
        this.#frontMatter(readFrontMatter, node.value, { start, end, first: 2 });
        return false;
      case 'toml':
        this.#frontMatter(readTomlFrontMatter, node.value, { start, end, first: 2 });
        return false;
      case 'code':
      case 'inlineCode':
        this.#hide('code', start, end);
        return false;
      case 'html':
        this.#html(start, end);
        return false;
      case 'heading':
        this.#heading(node, start, end);
        return true;
      case 'link':
      case 'image':
      case 'definition':
        if (node.type === 'image') this.#style.markdownImage(node, start, end);
        this.#markdownLink(node, start, end);
        return true;
      case 'blockquote':
        this.#style.quotation(end);
        return true;
      case 'imageReference':
        this.#style.markdownImage(node, start, end);
        this.#usedDefinitions.add(node.identifier);
        return true;
      case 'linkReference':
        this.#usedDefinitions.add(node.identifier);
        this.#reference(node, start, end);
        return true;
      case 'mdxjsEsm':
        this.#esm(node, start, end);
        return false;
      case 'mdxFlowExpression':
      case 'mdxTextExpression':
        this.#scriptIds(node.data?.estree, true);
        if (node.type === 'mdxFlowExpression' && !isOnlyComment(node)) this.#style.unknown(start);
        this.#hide(isOnlyComment(node) ? 'comment' : 'markup', start, end);
        return false;
      case 'mdxJsxFlowElement':
      case 'mdxJsxTextElement':
        return this.#jsx(node, start, end);
      default:
        return true;
    }
  }

  /** @param place the position of the attribute, and the line in which its value begins */
  #frontMatter(read: typeof readFrontMatter, value: string, place: { start: number; end: number; first: 1 | 2 }): void {
    const { start, end, first } = place;
    const valueStart = first === 1 ? start : this.#text.indexOf('\n', start) + 1;
    const { fields, flags, others, prose, problem } = read(value, valueStart, first);
    this.#facts.frontMatter = {
      fields,
      ...(Object.keys(flags).length > 0 && { flags }),
      ...(others.length > 0 && { others }),
      start: start + this.#mark,
      end: end + this.#mark,
    };
    if (problem) {
      this.problem('front-matter', `The front matter is not valid: ${problem.message}`, problem.line, problem.column);
    }
    this.#hideAround('markup', start, end, prose);
  }

  #checkUnclosedFrontMatter(): void {
    const opening = /^---[ \t]*\r?\n(?:[ \t]*\r?\n)*[A-Za-z_][\w-]*:(?:[ \t]|\r?\n)/.exec(this.#text);
    if (opening) this.problem('front-matter', 'The front matter has no closing --- line.', 1);
  }

  #heading(node: HeadingNode, start: number, end: number): void {
    const own = this.#headingIds.get(this.#text.lastIndexOf('\n', start - 1) + 1);
    const text = plainText(node).trim();
    const [from, to] = [start + this.#mark, end + this.#mark];
    const line = this.#lines.lineAt(from);
    this.#headings.push({ node, own });
    const heading: Heading = { depth: node.depth, text, slug: '', line, start: from, end: to };
    if (this.#style.isQuoted(start)) heading.isQuoted = true;
    this.#facts.headings.push(heading);
  }

  /** After reading the page, because ids may depend on those of the whole page. */
  #nameHeadings(root: Nodes): void {
    const page = { root, text: this.#text, headings: this.#headings, takenIds: this.#takenIds };
    const { ids, anchors, hasMore, twice } = headingIds(page, this.#dialect);
    for (const anchor of anchors) this.#anchors.add(anchor);
    if (hasMore) this.#facts.hasMoreAnchors = true;
    for (const [i, heading] of this.#facts.headings.entries()) heading.slug = ids[i]!;
    for (const i of twice) {
      const { line } = this.#facts.headings[i]!;
      this.problem('syntax', `the ID ${JSON.stringify(this.#headings[i]!.own)} is used by two headings`, line);
    }
  }

  #markdownLink(node: Extract<Nodes, { type: 'link' | 'image' | 'definition' }>, start: number, end: number): void {
    const destination = node.data?.destination;
    if (!destination) {
      if (node.type === 'link') this.#link('autolink', 'markdown', node.url, start, end);
      return;
    }
    const link = this.#link(node.type === 'image' ? 'image' : 'link', 'markdown', node.url, ...destination);
    if (node.type === 'definition') link.definition = node.identifier;
    if (this.#dialect.leavesTarget?.(this.#text.slice(end, end + 200))) link.asIs = true;
    if (node.type !== 'image') link.whole = [start + this.#mark, end + this.#mark];
    const text = node.type === 'link' ? this.#contentRange(node) : null;
    if (text) link.text = text;
  }

  #reference(node: Extract<Nodes, { type: 'linkReference' }>, start: number, end: number): void {
    const text = this.#contentRange(node);
    const whole: Range = [start + this.#mark, end + this.#mark];
    if (text) this.#facts.references.push({ definition: node.identifier, whole, text });
  }

  #contentRange({ children }: Parents): Range | null {
    const [first, last] = [children[0], children.at(-1)];
    return first && last ? [rangeOf(first)[0] + this.#mark, rangeOf(last)[1] + this.#mark] : null;
  }

  #link(kind: PageLink['kind'], syntax: PageLink['syntax'], target: string, start: number, end: number): PageLink {
    const at = start + this.#mark;
    const { line, column } = this.#lines.placeOf(at);
    const link: PageLink = { kind, syntax, target, start: at, end: end + this.#mark, line, column };
    this.#facts.links.push(link);
    return link;
  }

  #esm(node: Extract<Nodes, { type: 'mdxjsEsm' }>, start: number, end: number): void {
    this.#hide('markup', start, end);
    this.#components.declare(node.data?.estree?.body ?? []);
    this.#scriptIds(node.data?.estree, false);
    for (const statement of node.data?.estree?.body ?? []) {
      if (!('source' in statement) || typeof statement.source?.value !== 'string') continue;
      const { value, range: [from, to] = [] } = statement.source;
      if (statement.type === 'ImportDeclaration') {
        for (const { local } of statement.specifiers) this.#imported.set(local.name, value);
      }
      if (/\.mdx?$/.test(value)) this.#mayDefineLabels = true;
      if (isForeignPage(value)) this.#facts.hasMoreAnchors = true;
      if (!isOwnModule(value) || from === undefined || to === undefined) continue;
      this.#link('import', 'script', value, from + 1, to - 1);
    }
  }

  /** Ids of elements in expressions. @param isShown whether a computed id may be any */
  #scriptIds(program: unknown, isShown: boolean): void {
    const { ids, isOpen } = idsInScript(program);
    for (const id of ids) this.#anchors.add(id);
    if (isOpen && isShown) this.#facts.hasMoreAnchors = true;
  }

  #jsx(node: JsxElement, start: number, end: number): boolean {
    if (node.name === 'code' || node.name === 'pre') {
      for (const attribute of node.attributes) {
        if (attribute.type !== 'mdxJsxAttribute' || attribute.name !== 'id') continue;
        this.#elementAnchors(node.name, new Map([['id', this.#attributeValue(attribute)?.text ?? '']]));
      }
      this.#hide('code', start, end);
      return false;
    }
    const visible: Range[] = [];
    this.#components.use(node.name, this.#lines.placeOf(start + this.#mark));
    if (node.name !== null && node.children.length === 0) this.#withoutText.add(node.name.split('.')[0]!);
    let tagEnd = start + 1 + (node.name?.length ?? 0);
    const values = new Map<string, string>();
    for (const attribute of node.attributes) {
      tagEnd = rangeOf(attribute)[1];
      if (attribute.type !== 'mdxJsxAttribute') continue;
      const value = this.#attributeValue(attribute);
      // A computed value may be any id.
      if (!value && attribute.name === 'id' && typeof attribute.value === 'object') this.#facts.hasMoreAnchors = true;
      if (!value) continue;
      values.set(attribute.name, value.text);
      if (isLinkAttribute(attribute.name, value.text)) {
        const kind = isImageAttribute(attribute.name) ? 'image' : 'link';
        const link = this.#link(kind, value.quoted ? 'attribute' : 'script', value.text, ...value.range);
        if (/^[A-Z]/.test(node.name ?? '')) link.ofComponent = true;
        visible.push(value.range);
      } else if (value.quoted && PROSE_ATTRIBUTES.has(attribute.name)) visible.push(value.range);
    }
    this.#elementAnchors(node.name ?? '', values);
    this.#style.element(node.name ?? '', namesOf(node, values), { start, end });
    const close = this.#text.indexOf('>', tagEnd) + 1 || end;
    this.#hideAround('markup', start, Math.min(close, end), visible);
    if (close < end) this.#hide('markup', Math.max(close, this.#text.lastIndexOf('</', end)), end);
    return true;
  }

  /** The value of `name="text"`, of `name={"text"}`, or of `name={require("text").default}`. */
  #attributeValue(attribute: MdxJsxAttribute): { text: string; range: Range; quoted: boolean } | null {
    const [start, end] = rangeOf(attribute);
    const source = this.#text.slice(start, end);
    if (typeof attribute.value === 'string') {
      const from = source.search(/["']/);
      return { text: attribute.value, range: [start + from + 1, end - 1], quoted: true };
    }
    const literal =
      /^[^\s=]+\s*=\s*\{\s*(?:useBaseUrl\(\s*(?=.\/))?(["'`])((?:(?!\1)[^\\$\n])*)\1\s*\)?\s*\}$/.exec(source) ??
      /^[^\s=]+\s*=\s*\{\s*require\(\s*(["'`])((?:\.{1,2}|@site)\/(?:(?!\1)[^\\$\n])*)\1\s*\)\s*(?:\.\s*default\s*)?\}$/.exec(
        source,
      );
    if (!literal) return null;
    const from = start + source.indexOf(literal[1]!) + 1;
    return { text: literal[2]!, range: [from, from + literal[2]!.length], quoted: false };
  }

  #elementAnchors(name: string, values: ReadonlyMap<string, string>): void {
    const { components } = this.#dialect;
    const id = values.get('id') ?? (name === 'a' ? values.get('name') : undefined);
    if (id && components?.takesId(name) !== false) this.#anchors.add(id);
    if (!/^[A-Z]/.test(name) || components?.isKnown(name)) return;
    this.#hasComponents = true;
    for (const anchor of componentAnchors(values)) this.#anchors.add(anchor);
  }

  #html(start: number, end: number): void {
    const { tags, comments } = scanHtml(this.#text.slice(start, end), start);
    for (const [from, to] of comments) this.#hide('comment', from, to);
    for (const tag of tags) this.#htmlTag(tag);
    const code = codeElements(tags);
    this.#style.html(tags, code);
    for (const [from, to] of code) this.#hide('code', from, Math.min(to, end));
  }

  #htmlTag(tag: HtmlTag): void {
    const visible: Range[] = [];
    const values = new Map<string, string>();
    for (const { name, value, start, end } of tag.attributes) {
      // Braces in HTML are MDX 1 syntax.
      if (value.startsWith('{')) continue;
      values.set(name, value);
      if (isLinkAttribute(name, value)) {
        const link = this.#link(isImageAttribute(name) ? 'image' : 'link', 'attribute', value, start, end);
        if (/^[A-Z]|-/.test(tag.name)) link.ofComponent = true;
        visible.push([start, end]);
      } else if (PROSE_ATTRIBUTES.has(name)) visible.push([start, end]);
    }
    this.#elementAnchors(tag.name, values);
    this.#hideAround('markup', tag.start, tag.end, visible);
  }

  /** In Markdown, `<code>` and its text are siblings: everything between the tags is code. */
  #markHtmlCode(parent: Parents): void {
    let open: { name: string; start: number } | null = null;
    for (const child of parent.children) {
      if (child.type !== 'html') continue;
      const [start, end] = rangeOf(child);
      const tag = /^<(\/?)(code|pre|kbd|samp)\b/i.exec(child.value);
      if (!tag) continue;
      if (!tag[1]) open ??= { name: tag[2]!.toLowerCase(), start };
      else if (open?.name === tag[2]!.toLowerCase()) {
        this.#hide('code', open.start, end);
        open = null;
      }
    }
  }

  #hide(kind: Opaque['kind'], start: number, end: number): void {
    if (end > start) this.#opaque.push({ kind, start: start + this.#mark, end: end + this.#mark });
  }

  #hideAround(kind: Opaque['kind'], start: number, end: number, visible: readonly Range[]): void {
    let from = start;
    for (const [visibleStart, visibleEnd] of visible) {
      this.#hide(kind, from, visibleStart);
      from = visibleEnd;
    }
    this.#hide(kind, from, end);
  }
}

function isLink({ type }: Nodes): boolean {
  return type === 'link' || type === 'linkReference';
}

function rangeOf(node: { position?: { start: { offset?: number }; end: { offset?: number } } }): Range {
  return [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0];
}

/** Text that is put into the page, not code. */
function mayDefineLabels({ target, isCode }: { target: string; isCode?: boolean }): boolean {
  const extension = /\.(\w+)(?:[?#].*)?$/.exec(target)?.[1];
  return !isCode && /^(?:mdx?|markdown|mkd|txt|inc|html?)?$/i.test(extension ?? '');
}

function isImageAttribute(name: string): boolean {
  return name !== 'href' && name !== 'to';
}

function isOnlyComment(node: Extract<Nodes, { type: 'mdxFlowExpression' | 'mdxTextExpression' }>): boolean {
  const program = node.data?.estree;
  return program?.body.length === 0 && (program.comments?.length ?? 0) > 0;
}

/** An element's attributes, with the values that are written out; null if more may come from an object. */
function namesOf(
  { attributes }: JsxElement,
  values: ReadonlyMap<string, string>,
): Map<string, string | undefined> | null {
  const names = new Map<string, string | undefined>();
  for (const attribute of attributes) {
    if (attribute.type !== 'mdxJsxAttribute') return null;
    names.set(attribute.name, values.get(attribute.name));
  }
  return names;
}
