import type { Nodes } from 'mdast';
import { dirname, join } from 'node:path/posix';
import { DIALECTS, type PageDialect } from '../read/page-dialect.ts';
import { parseMarkdown } from '../read/markdown-tree.ts';
import { frontMatterEffects } from './data-effects.ts';
import { EffectCollector } from './effects.ts';
import { htmlEffects } from './html-effects.ts';
import { MdxEffects } from './mdx-effects.ts';
import { templateEffects, vueTextEffects, type TemplateLanguage } from './template-effects.ts';

export interface PageReading {
  path: string;
  dialect: PageDialect;
  template: TemplateLanguage;
}

/**
 * Front matter that gray-matter, used by most generators, runs:
 * https://github.com/jonschlinkert/gray-matter#optionsengines
 */
const CODE_MATTER = /^\uFEFF?---[ \t]*(?!(?:ya?ml|json|toml)\b)([A-Za-z][\w-]*)[ \t]*\r?\n/;
/**
 * Fences that a build or a browser runs: live code, markdown-exec, notebooks' cells, and directives that take
 * in or run.
 */
const LIVE_META = /(?:^|\s)(?:live\b|exec\s*=|playground\b)/i;
const LIVE_LANG =
  /^\{(?!\.|#|(?:note|tip|hint|info|important|warning|danger|caution|attention|error|seealso|admonition|dropdown|details|figure|image|table|list-table|csv-table|math|code|code-block|tab-set|tab-item|grid|card|toctree|contents|glossary|versionadded|versionchanged|deprecated|epigraph|margin|sidebar|topic|mermaid|only|index|rubric|centered|div)\b)/i;

/** What a page does when its site is built and when it is read. */
export function pageEffects(text: string, { path, dialect: name, template }: PageReading, into: EffectCollector): void {
  const dialect = DIALECTS[name];
  const plain = text.replace(/^\uFEFF/, '');
  const [, language] = CODE_MATTER.exec(text) ?? [];
  if (language !== undefined) into.code('code in its front matter', plain.slice(0, 5_000));
  const masked = dialect.mask(plain);
  new PageWalk(masked.text, path, template, into, withVueNames(masked.text, plain)).read(dialect.parser, true);
  // Hugo fills in its calls before Markdown is read, and the masked page does not have them.
  if (template === 'go') templateEffects(plain, template, into);
  // What the site generator removes from the page, such as a title after `:::`, is shown elsewhere.
  for (const part of blanked(plain, masked.text)) {
    if (part.includes('<!--')) commentEffects(part, { path, dialect: name, template }, into);
    else new PageWalk(part, path, template, into).read(dialect.parser, false);
  }
  includes(plain, path, into);
  if (name.startsWith('mkdocs')) for (const line of plain.matchAll(/\{:?[^{}\n]{0,500}\bon[a-z]+\s*=[^{}\n]{0,500}\}/gi)) into.code('an event handler', line[0]); // oxfmt-ignore
}

/** The masked text with the names of attributes that its mask replaced: `@click`, `#slot`, `:[name]`. */
function withVueNames(masked: string, plain: string): string {
  if (masked.length !== plain.length) return masked;
  return masked.replace(/_/g, (char, index: number) => (/[@#[\]]/.test(plain[index]!) ? plain[index]! : char));
}

/**
 * To the site generator, an apparent comment may be part of something else. A comment names no servers, and
 * its content does not count as the page's: the same outside it is new.
 */
function commentEffects(part: string, { path, dialect, template }: PageReading, into: EffectCollector): void {
  const inside = new EffectCollector();
  new PageWalk(part.replace(/<!--|-->/g, ' '), path, template, inside).read(DIALECTS[dialect].parser, false);
  for (const [key, { kind }] of inside.effects.code) into.code(kind, key, `comment ${key}`);
  for (const host of inside.effects.loads) into.code('an expression', host, `comment ${host}`);
}

/** Reads a Markdown page as MDX. Invalid MDX was already read otherwise. */
export function readAsMdx(text: string, { path, template }: PageReading, into: EffectCollector): void {
  new PageWalk(text.replace(/^\uFEFF/, ''), path, template, into).read('mdx', false);
}

class PageWalk {
  readonly #text: string;
  /** The same with the names of attributes as the browser gets them. */
  readonly #written: string;
  readonly #template: TemplateLanguage;
  readonly #into: EffectCollector;
  readonly #mdx: MdxEffects;
  readonly #path: string;
  /** The page's own HTML in the order of the browser. */
  readonly #html: string[] = [];
  readonly #code: [start: number, end: number][] = [];
  readonly #definitions = new Map<string, string>();

  constructor(text: string, path: string, template: TemplateLanguage, into: EffectCollector, written = text) {
    this.#text = text;
    this.#written = written;
    this.#path = path;
    this.#template = template;
    this.#into = into;
    this.#mdx = new MdxEffects(into, path, text);
  }

  read(format: 'markdown' | 'mdx', whole: boolean): void {
    const { root, problem } = parseMarkdown(this.#text, format);
    if (problem && whole) this.#into.unread('could not be parsed the way its site generator parses it');
    const nodes = [...below(root)];
    for (const node of nodes) {
      if (node.type === 'definition') this.#definitions.set(node.identifier, node.url);
      if (node.type === 'mdxjsEsm') this.#mdx.statements(node.data?.estree);
    }
    for (const node of nodes) this.#enter(node);
    htmlEffects(this.#html.join(''), this.#into, this.#template === 'vue');
    if (this.#template === 'vue') vueTextEffects(this.#withoutCode(), this.#into);
    else if (this.#template !== null && this.#template !== 'go' && whole) {
      templateEffects(this.#template === 'jinja' ? this.#withoutCode() : this.#text, this.#template, this.#into);
    }
  }

  #enter(node: Nodes): void {
    switch (node.type) {
      case 'yaml':
      case 'toml':
        frontMatterEffects(node.value, node.type, this.#path, this.#into);
        break;
      case 'link':
      case 'definition':
        this.#into.address(node.url, 'link');
        break;
      case 'image':
        this.#into.address(node.url, 'image');
        break;
      case 'imageReference':
        this.#into.address(this.#definitions.get(node.identifier) ?? '', 'image');
        break;
      case 'html':
        this.#html.push(this.#sourceOf(node) === this.#writtenAs(node) ? node.value : this.#writtenAs(node));
        break;
      case 'text':
        this.#into.text(node.value);
        // As written: other parsers than this one read `<svg/onload=x>` and `<b @click="x">` in Markdown as
        // HTML.
        this.#html.push(this.#writtenAs(node).replaceAll('\\<', '&lt;'));
        break;
      case 'inlineCode':
        this.#into.text(node.value);
        this.#noteCode(node);
        break;
      case 'code':
        this.#into.text(node.value);
        this.#noteCode(node);
        if (LIVE_LANG.test(node.lang ?? '') || LIVE_META.test(node.meta ?? '')) {
          this.#into.code('live code', `${node.lang ?? ''} ${node.meta ?? ''}\n${node.value}`);
        }
        // Other readers may read code that is only indented as a paragraph.
        if (!node.lang && !/^\s*(?:`{3}|~{3})/.test(this.#sourceOf(node))) htmlEffects(node.value, this.#into);
        break;
      case 'mdxFlowExpression':
      case 'mdxTextExpression':
        this.#mdx.expression(node.data?.estree, node.value);
        break;
      case 'mdxJsxFlowElement':
      case 'mdxJsxTextElement':
        this.#mdx.element(node);
        break;
      case 'paragraph':
      case 'heading':
        this.#html.push('\n<p>');
        break;
      default:
    }
  }

  #noteCode(node: Nodes): void {
    this.#code.push([node.position?.start.offset ?? 0, node.position?.end.offset ?? 0]);
  }

  #sourceOf(node: Nodes, text = this.#text): string {
    return text.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);
  }

  #writtenAs(node: Nodes): string {
    return this.#sourceOf(node, this.#written);
  }

  #withoutCode(): string {
    let [text, from] = ['', 0];
    for (const [start, end] of this.#code) {
      text += this.#text.slice(from, start);
      from = Math.max(from, end);
    }
    return text + this.#text.slice(from);
  }
}

/** Depth first, in the order of the text, with an explicit stack. */
function* below(root: Nodes): Generator<Nodes> {
  const waiting: Nodes[] = [root];
  while (waiting.length > 0) {
    const node = waiting.pop()!;
    yield node;
    if ('children' in node) for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i]!);
  }
}

/** The parts of the page that its masked text lacks. */
function blanked(plain: string, masked: string): string[] {
  if (plain === masked) return [];
  const parts: string[] = [];
  const [lines, others] = [plain.split('\n'), masked.split('\n')];
  let open: string[] = [];
  for (const [i, line] of lines.entries()) {
    const other = others[i] ?? '';
    let part = '';
    if (line !== other) for (let c = 0; c < line.length; c++) part += line[c] === other[c] ? ' ' : line[c];
    if (part.trim() !== '') open.push(part.trim().replace(/^(?::{2,}|!!!|\?\?\?\+?|={3}[!+]*)\s*[\w-]*/, ''));
    else if (open.length > 0) {
      parts.push(open.join('\n'));
      open = [];
    }
  }
  return open.length > 0 ? [...parts, open.join('\n')] : parts;
}

const TAKEN_IN = [
  /^[ \t]*<<<[ \t]+([^\s{[]{1,500})/gm,
  /<!--\s{0,20}@include:\s{0,20}([^\s#{>]{1,500})/g,
  /^[ \t]*;?-{1,}8<-{1,}[ \t]+(?:"([^"\n]{1,500})"|'([^'\n]{1,500})')/gm,
  /^[ \t]*\{[*!][ \t]*([^\s}]{1,500})/gm,
  /\{\{\s{0,20}#(?:include|rustdoc_include|playground|playpen)\s{1,20}([^\s}]{1,500})/g,
  /```(?:\w{0,20}[ \t]+)?(?:[^`\n]{0,200}[ \t])?file=([^\s`]{1,500})/g,
];
const SNIPPET_BLOCK = /^[ \t]*-{1,}8<-{1,}[ \t]*\r?\n([\s\S]{1,5000}?)^[ \t]*-{1,}8<-{1,}[ \t]*\r?$/gm;

/** Included files. Those in a folder from which pages already include files are not new. */
function includes(text: string, path: string, into: EffectCollector): void {
  if (!/<<<|@include|8<-|\{[*!]|file=|\{\{\s{0,20}#/.test(text)) return;
  const targets = TAKEN_IN.flatMap((pattern) => [...text.matchAll(pattern)].map(([, a, b]) => a ?? b ?? ''));
  for (const [, block] of text.matchAll(SNIPPET_BLOCK))
    targets.push(...block!.split(/\r?\n/).map((line) => line.trim()));
  for (const target of targets) {
    if (target === '') continue;
    const isServer = /^[a-z]+:[\\/]|^[\\/]{2}/i.test(target);
    if (isServer) into.address(target, 'load');
    const file = target.replace(/[:#{][\w,:-]*\}?$/, '');
    const isOdd = isServer || /(?:^|\/)\.[^./]|^\/|^~/.test(file) || !/\.\w+$/.test(file);
    const place = file.startsWith('.') ? join(dirname(path), dirname(file)) : dirname(file);
    into.code('an included file', isOdd ? file : dirname(file), isOdd ? file : place);
  }
}
