import { toctreeReferences } from '../generators/sphinx-documents.ts';
import type { MaskedPage } from './masked-page.ts';
import { MAX_LINE, unmasked } from './masked-page.ts';
import { docutilsId, HOLDS_CODE, HOLDS_TEXT, namedIn, ROLES } from './myst-syntax.ts';
import { RstInline, type RstSpan } from './rst-inline.ts';

/** Directives of Sphinx's domains: their descriptions have ids, and text below them. */
const DESCRIBES =
  /^(?:[a-z]+:)?(?:function|class|method|classmethod|staticmethod|attribute|property|data|exception|decorator|decoratormethod|module|macro|struct|union|enum|enumerator|type|var|member|alias|directive|role|option|program|cmdoption|envvar|confval|setting|describe|object)$|^auto[a-z]+$/;
/** Directives that make ids outside the text, or include some. */
const MAKES_IDS = /^(?:include|raw|glossary|bibliography)$/;
/** Directives whose argument is text. */
const TEXT_ARGUMENT =
  /^(?:note|warning|tip|important|attention|caution|danger|error|hint|seealso|admonition|todo|topic|sidebar|rubric|centered|version(?:added|changed|removed)|deprecated|replace|list-table|table|dropdown|details|card|grid-item-card|tab|tab-item)$/;
const DIRECTIVE =
  /^([ \t]*)\.\.[ \t]+(?:\|([^|\n]{1,200})\|[ \t]+)?([\w][\w:.+-]{0,60}?)[ \t]?::(?:[ \t]+(.*?))?[ \t]*\r?$/;
const TARGET =
  /^([ \t]*)\.\.[ \t]+_(?:`([^`\n]{1,200})`|((?:[^:\n\\]|\\.|:(?!\s|$)){1,200})):(?:[ \t]+(.*?))?[ \t]*\r?$/;
const FOOTNOTE = /^([ \t]*)\.\.[ \t]+\[([^\]\n]{1,100})\](?:[ \t]|\r?$)/;
const COMMENT = /^([ \t]*)\.\.(?:[ \t]|\r?$)/;
const OPTION = /^([ \t]*):([\w-]{1,40}):(?:[ \t]+(.*?))?[ \t]*\r?$/;
const LIST_MARK =
  /^[ \t]*(?:(?:[-*+•]|(?:\d{1,4}|[a-zA-Z]|#|[ivxlcdmIVXLCDM]{1,8})[.)]|\((?:\d{1,4}|[a-zA-Z]|#)\))[ \t]+)+/;
const UNDERLINE = /^([=\-`:'"~^_*+#<>.!$%&(),/;?@[\]\\{|}])\1+[ \t]*\r?$/;
const TABLE_BORDER = /^[ \t]*=+(?:[ \t]+=+)+[ \t]*\r?$/;
/** Characters that may quote a literal block that is not indented. */
const QUOTES = /^[!-/:-@[-`{-~]/;

type Title = NonNullable<MaskedPage['headings']>[number];

/**
 * The names in a reStructuredText page: documents, labels and files in roles and directives, addresses, and
 * its own targets. Literal blocks, comments, and unknown directives are left out.
 * https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html
 */
export function maskRst(text: string): MaskedPage {
  return new RstReader(text).read();
}

/**
 * As docutils compares the names of targets, but without punctuation: what a title shows is not always known.
 */
function nameKey(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

class RstReader {
  readonly #page: MaskedPage;
  readonly #text: string;
  readonly #references: NonNullable<MaskedPage['references']> = [];
  readonly #titles: Title[] = [];
  readonly #adornments: string[] = [];
  readonly #names = new Set<string>();
  readonly #named: { name: string; start: number }[] = [];
  readonly #lines: string[];
  /** Spaces before each line; -1 for blank lines. */
  readonly #indents: number[];
  readonly #starts: number[] = [];
  /** Something may define names that the text does not show. */
  #isOpen = false;

  constructor(text: string) {
    this.#text = text;
    // Nothing of it is Markdown.
    this.#page = { ...unmasked('') };
    this.#lines = text.split('\n').map((line) => (line.length > MAX_LINE ? '' : line));
    this.#indents = this.#lines.map((line) => (line.trim() === '' ? -1 : indentOf(line)));
    let start = 0;
    for (const line of text.split('\n')) {
      this.#starts.push(start);
      start += line.length + 1;
    }
  }

  read(): MaskedPage {
    const { length } = this.#lines;
    for (let i = 0; i < length;) i = this.#block(i);
    if (this.#isOpen) this.#page.hasMoreAnchors = true;
    // A name without letters, or a repeated one, gets a number that counts all such names of a page.
    for (let i = 1; i <= Math.min(this.#titles.length + 20, 500); i++) this.#page.anchors.push(`id${i}`);
    const missing = this.#isOpen ? [] : this.#named.filter(({ name }) => !this.#names.has(nameKey(name)));
    return {
      ...this.#page,
      references: [...this.#references, ...toctreeReferences(this.#text, false)],
      headings: this.#titles,
      undefinedLabels: missing.map(({ name, start }) => ({ label: name, start })),
    };
  }

  /** Reads what begins at a line. @returns the line after it */
  #block(i: number): number {
    const line = this.#lines[i]!;
    if (line.trim() === '') return i + 1;
    if (/^[ \t]*\.\.(?:[ \t]|\r?$)/.test(line)) return this.#explicit(i);
    if (/^[ \t]*__[ \t]+\S/.test(line)) return this.#anonymous(i);
    if (TABLE_BORDER.test(line)) return this.#table(i);
    const title = this.#title(i);
    if (title !== null) return title;
    const mark = LIST_MARK.exec(line)?.[0] ?? '';
    if (mark === '' || line.slice(mark.length).trim() === '') return this.#paragraph(i);
    // What a list item begins with is read as if it were indented.
    this.#lines[i] = ' '.repeat(mark.length) + line.slice(mark.length);
    this.#indents[i] = mark.length;
    return this.#block(i);
  }

  #explicit(i: number): number {
    const line = this.#lines[i]!;
    const indent = indentOf(line);
    const directive = DIRECTIVE.exec(line);
    if (directive) return this.#directive(i, directive);
    const target = TARGET.exec(line);
    if (target) return this.#target(i, target);
    const footnote = FOOTNOTE.exec(line);
    if (footnote) {
      this.#name(footnote[2]!);
      this.#page.hasMoreAnchors = true;
      return this.#paragraph(i, footnote[0].length);
    }
    if (!COMMENT.test(line)) return this.#paragraph(i);
    // Without text, lines after a blank one do not belong to it.
    const isEmpty = /^[ \t]*\.\.[ \t]*\r?$/.test(line) && (this.#lines[i + 1] ?? '').trim() === '';
    const end = isEmpty ? i + 1 : this.#blockEnd(i + 1, indent);
    this.#page.comments.push([this.#starts[i]! + indent, this.#endOf(end - 1)]);
    return end;
  }

  #target(i: number, [line, , quoted, plain, value]: RegExpExecArray): number {
    const name = quoted ?? plain!.replace(/\\(.)/g, '$1');
    if (name !== '_') this.#name(name);
    if (value) this.#address(value, this.#starts[i]! + line.lastIndexOf(value));
    return i + 1;
  }

  /** `__ target` */
  #anonymous(i: number): number {
    const line = this.#lines[i]!;
    const value = line.trim().replace(/^__[ \t]+/, '');
    this.#address(value, this.#starts[i]! + line.lastIndexOf(value));
    return i + 1;
  }

  /** An address of the web, or the name of another target. */
  #address(value: string, start: number): void {
    const name = /^(?:`([^`]{1,200})`|([^\s`]{1,200}))_$/.exec(value);
    if (name && !value.endsWith('\\_')) {
      const inside = name[1] ?? name[2]!;
      this.#named.push({ name: inside, start: start + value.indexOf(inside) });
    } else if (!/[\s`\\|]/.test(value)) {
      this.#references.push({ target: value, start, end: start + value.length, isAddress: true });
    }
  }

  #directive(i: number, [line, spaces, , name, rest = '']: RegExpExecArray): number {
    const indent = spaces!.length;
    const end = this.#blockEnd(i + 1, indent);
    const at = this.#starts[i]! + line.lastIndexOf(rest);
    if (name === 'contents') this.#name(rest || 'contents');
    const isKnown =
      HOLDS_TEXT.test(name!) ||
      HOLDS_CODE.test(name!) ||
      DESCRIBES.test(name!) ||
      MORE_TEXT.test(name!) ||
      IS_FIELD.test(name!);
    // An extension may define targets, and have text with some.
    if (!isKnown) this.#isOpen = true;
    if (DESCRIBES.test(name!) || MAKES_IDS.test(name!)) this.#page.hasMoreAnchors = true;
    let body = i + 1;
    if (rest !== '' && TEXT_ARGUMENT.test(name!)) {
      while (body < end && this.#lines[body]!.trim() !== '' && !OPTION.test(this.#lines[body]!)) body++;
      this.#inline([rest, ...this.#lines.slice(i + 1, body)].join('\n'), at);
    } else if (rest !== '') this.#argument(name!, rest, at);
    // Signatures, and options, until there is a blank line.
    while (body < end && this.#lines[body]!.trim() !== '') {
      const option = OPTION.exec(this.#lines[body]!);
      if (option) this.#option(name!, option, this.#starts[body]!);
      else if (!DESCRIBES.test(name!)) break;
      body++;
    }
    if (!HOLDS_TEXT.test(name!) && !DESCRIBES.test(name!) && !MORE_TEXT.test(name!)) return end;
    for (let j = body; j < end;) j = this.#block(j);
    return end;
  }

  #argument(name: string, value: string, start: number): void {
    const place = { target: value, start, end: start + value.length };
    if (/^(?:image|figure)$/.test(name)) this.#references.push({ ...place, kind: 'image', role: 'file' });
    else if (name === 'literalinclude') this.#references.push({ ...place, role: 'file' });
    else if (name === 'include') {
      this.#isOpen = true;
      // `<isonum.txt>` is a file of docutils.
      if (!value.startsWith('<')) this.#page.includes.push(place);
    }
  }

  #option(directive: string, [line, , key, value]: RegExpExecArray, at: number): void {
    if (!value) return;
    const start = at + line.lastIndexOf(value);
    if (key === 'name') this.#name(value);
    if (key === 'file' && /^(?:csv-table|raw)$/.test(directive))
      this.#references.push({ target: value, start, end: start + value.length, role: 'file' });
    if (key === 'target' && /^(?:image|figure)$/.test(directive)) this.#address(value, start);
  }

  /** A title has a line of signs below it, and may have the same above. */
  #title(i: number): number | null {
    const isOverlined = UNDERLINE.test(this.#lines[i]!);
    const at = isOverlined ? i + 1 : i;
    const [text = '', below = ''] = [this.#lines[at], this.#lines[at + 1]];
    const mark = UNDERLINE.exec(below)?.[1];
    if (text.trim() === '' || mark === undefined || UNDERLINE.test(text)) return null;
    if (isOverlined ? this.#lines[i]![0] !== mark : /^[ \t]/.test(text)) return null;
    if (below.trim().length < Math.min(4, text.trim().length)) return null;
    const style = isOverlined ? mark + mark : mark;
    if (!this.#adornments.includes(style)) this.#adornments.push(style);
    const start = this.#starts[at]! + indentOf(text);
    const shown = shownText(text.trim());
    const depth = Math.min(6, this.#adornments.indexOf(style) + 1);
    this.#titles.push({ depth, text: shown, slug: docutilsId(shown), start, end: this.#endOf(at + 1) });
    this.#name(shown);
    this.#inline(text.trim(), start);
    return at + 2;
  }

  /** Lines up to a blank one, or to one with another indentation. @param skip length of the text's prefix */
  #paragraph(i: number, skip = 0): number {
    const first = this.#lines[i]!;
    const isCells = /^[ \t]*[|+]/.test(first);
    let end = i + 1;
    while (end < this.#lines.length) {
      const line = this.#lines[end]!;
      if (line.trim() === '' || /^[ \t]*\.\.(?:[ \t]|\r?$)/.test(line) || LIST_MARK.test(line)) break;
      if (OPTION.test(line) || /^[ \t]*[|+]/.test(line) !== isCells) break;
      if (end > i + 1 && indentOf(line) !== indentOf(this.#lines[end - 1]!)) break;
      end++;
    }
    if (/^[ \t]*>>> /.test(first)) {
      while (end < this.#lines.length && this.#lines[end]!.trim() !== '') end++;
      return end;
    }
    if (isCells) for (let j = i; j < end; j++) this.#inline(this.#lines[j]!, this.#starts[j]!);
    else {
      const text = this.#lines.slice(i, end).join('\n');
      this.#inline(text.slice(skip), this.#starts[i]! + skip);
    }
    const last = this.#lines[end - 1]!;
    if (isCells || !/(?<!\\)::[ \t]*\r?$/.test(last)) return end;
    return this.#literal(end, indentOf(last));
  }

  /** The literal block after `::`, indented or quoted. */
  #literal(i: number, indent: number): number {
    let next = i;
    while (next < this.#lines.length && this.#lines[next]!.trim() === '') next++;
    const line = this.#lines[next] ?? '';
    if (next === i || line === '') return i;
    if (indentOf(line) > indent) return this.#blockEnd(next, indent);
    const quote = indentOf(line) === indent ? QUOTES.exec(line.trimStart())?.[0] : undefined;
    if (quote === undefined) return i;
    while (next < this.#lines.length && this.#lines[next]!.trimStart().startsWith(quote)) next++;
    return next;
  }

  /** Cells of a row may continue in the next: each line is read separately. */
  #table(i: number): number {
    let end = i + 1;
    for (let borders = 1; end < this.#lines.length; end++) {
      const line = this.#lines[end]!;
      if (TABLE_BORDER.test(line)) {
        borders++;
        if ((this.#lines[end + 1] ?? '').trim() === '') return end + 1;
      } else if (line.trim() !== '') this.#inline(line, this.#starts[end]!);
      if (borders === 1 && line.trim() === '') return end;
    }
    return end;
  }

  #inline(text: string, start: number): void {
    if (!/[`_]/.test(text)) return;
    for (const span of new RstInline(text)) this.#span(span, start);
  }

  #span({ kind, content, at, role }: RstSpan, start: number): void {
    const from = start + at;
    if (kind === 'target') this.#name(content);
    else if (kind === 'role') {
      const known = ROLES[role];
      const named = known === undefined ? null : namedIn(content);
      if (!known || !named) return;
      const place = { start: from + named.start, end: from + named.end };
      this.#references.push({ target: named.target.replace(/\s+/g, ' '), ...place, role: known });
    } else if (kind === 'reference') {
      const embedded = /^([^]*?)\s*<([^<>]{1,1000})>$/.exec(content);
      if (!embedded) {
        this.#named.push({ name: content.replace(/\\(.)/g, '$1').replace(/\s+/g, ' '), start: from });
        return;
      }
      const [, shown, value] = embedded;
      if (shown !== '') this.#name(shown!);
      this.#address(value!.trim(), from + content.lastIndexOf(value!));
    }
  }

  #name(name: string): void {
    this.#names.add(nameKey(name));
    this.#page.anchors.push(name, docutilsId(name));
  }

  /** The first line after those that are indented more than `indent`. */
  #blockEnd(from: number, indent: number): number {
    let end = from;
    for (let i = from; i < this.#lines.length; i++) {
      const own = this.#indents[i]!;
      if (own === -1) continue;
      if (own <= indent) break;
      end = i + 1;
    }
    return end;
  }

  #endOf(line: number): number {
    return this.#starts[line]! + (this.#lines[line] ?? '').trimEnd().length;
  }
}

/** Other directives that are read, or that make nothing with a name. */
const MORE_TEXT = /^(?:replace|hlist|acks|ifconfig|header|footer)$/;
const IS_FIELD =
  /^(?:unicode|date|py:currentmodule|default-domain|sectnum|section-numbering|title|target-notes|moduleauthor|tabularcolumns|productionlist|todolist)$/;

/** A title without its marks; for a role, its shown text. */
function shownText(title: string): string {
  return title
    .replace(/:[\w:+.-]{1,60}:`([^`<]{0,300}?)(?:\s*<[^`]{0,300}>)?`/g, '$1')
    .replace(/[`*|]|_(?=\s|$)/g, '')
    .replace(/\\(.)/g, '$1')
    .trim();
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
