import { Parser } from 'htmlparser2';

/** Not text that a reader sees, or not of the page itself. */
const DROPPED = new Set(
  'script style noscript template svg math iframe object embed audio video canvas form button select nav footer head'.split(
    ' ',
  ),
);
const BLOCKS = new Set(
  'p div section article main header aside figure figcaption details summary dl dt dd address table thead tbody tr ul ol blockquote pre'.split(
    ' ',
  ),
);
const HEADING = /^h([1-6])$/;
/** Characters of the result. The links of a page can be longer than the page. */
const MAX_LENGTH = 1_048_576;
const MAX_INDENT = 10;
/** Open elements. The parser's time grows with their square. */
const MAX_DEPTH = 1_000;

/** Ends the parser. */
class TooDeep extends Error {}

/**
 * The text of a web page as Markdown: headings, lists, code, tables and links. If the page has a `main`
 * element, only that. Never throws, takes linear time, and returns at most 1 MB.
 */
export function htmlToMarkdown(html: string, base: string): string {
  const writer = new MarkdownWriter(base);
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth += 1;
        if (depth > MAX_DEPTH) throw new TooDeep();
        writer.open(name, attributes);
      },
      ontext: (text) => writer.text(text),
      onclosetag: (name) => {
        depth -= 1;
        writer.close(name);
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  try {
    parser.write(html);
    parser.end();
  } catch (err) {
    if (!(err instanceof TooDeep)) throw err;
    return `${writer.end()}\n\n(The rest of the page is nested too deeply.)`;
  }
  return writer.end();
}

class MarkdownWriter {
  readonly #base: string;
  readonly #parts: string[] = [];
  /** Open elements that are dropped, with everything in them. */
  readonly #dropped: string[] = [];
  /** Open lists: the next number, or null for bullets. */
  readonly #lists: (number | null)[] = [];
  readonly #links: (string | null)[] = [];
  #length = 0;
  #pre = 0;
  /** The part with the fence of the open code block. */
  #fence = -1;
  #quotes = 0;
  /** Line breaks that are due before the next text. */
  #breaks = 0;
  #hasText = false;
  #lastIsSpace = true;
  #cells = 0;
  #isFirstRow = false;
  /** Where the `main` element is in the parts. */
  #main: { from: number; to: number } | null = null;
  #mainDepth = 0;

  constructor(base: string) {
    this.#base = base;
  }

  open(name: string, attributes: Record<string, string>): void {
    if (this.#dropped.length > 0 || DROPPED.has(name) || isHidden(attributes)) {
      if (!VOID.has(name)) this.#dropped.push(name);
      return;
    }
    const heading = HEADING.exec(name);
    if (heading || BLOCKS.has(name)) this.#break(2);
    if (heading) this.#write(`${'#'.repeat(Number(heading[1]))} `);
    switch (name) {
      case 'main':
        if (this.#mainDepth++ === 0) this.#main ??= { from: this.#parts.length, to: -1 };
        break;
      case 'br':
        this.#break(1);
        break;
      case 'hr':
        this.#break(2);
        this.#write('---');
        this.#break(2);
        break;
      case 'ul':
      case 'ol':
        if (this.#lists.length > 0) this.#breaks = Math.min(this.#breaks, 1);
        this.#lists.push(name === 'ol' ? 1 : null);
        break;
      case 'li':
        this.#item();
        break;
      case 'pre':
        if (this.#pre++ === 0) {
          this.#write(fence(languageOf(attributes)));
          this.#fence = this.#parts.length - 1;
        }
        break;
      case 'code':
        if (this.#pre === 0) this.#write('`');
        else this.#nameLanguage(languageOf(attributes));
        break;
      case 'strong':
      case 'b':
        this.#write('**');
        break;
      case 'blockquote':
        this.#quotes += 1;
        break;
      case 'table':
        this.#isFirstRow = true;
        break;
      case 'tr':
        if (!this.#isFirstRow) this.#breaks = Math.min(this.#breaks, 1);
        this.#cells = 0;
        break;
      case 'td':
      case 'th':
        this.#write(this.#cells++ === 0 ? '| ' : ' | ');
        break;
      case 'a':
        this.#links.push(this.#hrefOf(attributes.href));
        if (this.#links.at(-1)) this.#write('[');
        break;
      case 'img':
        if (attributes.alt?.trim()) this.text(`(image: ${attributes.alt.trim()})`);
        break;
      default:
    }
  }

  text(text: string): void {
    if (this.#dropped.length > 0) return;
    if (this.#pre > 0) return this.#write(text);
    const line = text.replaceAll(/\s+/g, ' ');
    const shown = this.#lastIsSpace || this.#breaks > 0 ? line.trimStart() : line;
    if (shown !== '') this.#write(shown);
  }

  close(name: string): void {
    if (this.#dropped.length > 0) {
      if (this.#dropped.at(-1) === name) this.#dropped.pop();
      return;
    }
    switch (name) {
      case 'main':
        if (this.#main && --this.#mainDepth === 0 && this.#main.to === -1) this.#main.to = this.#parts.length;
        break;
      case 'ul':
      case 'ol':
        this.#lists.pop();
        if (this.#lists.length > 0) return this.#break(1);
        break;
      case 'pre':
        if (this.#pre > 0 && --this.#pre === 0) this.#write('\n```');
        break;
      case 'code':
        if (this.#pre === 0) this.#write('`');
        break;
      case 'strong':
      case 'b':
        this.#write('**');
        break;
      case 'blockquote':
        this.#quotes = Math.max(0, this.#quotes - 1);
        break;
      case 'tr':
        this.#row();
        return;
      case 'a': {
        const href = this.#links.pop();
        if (href) this.#write(`](${href})`);
        break;
      }
      default:
    }
    if (BLOCKS.has(name) || HEADING.test(name)) this.#break(2);
  }

  end(): string {
    const { from = 0, to = -1 } = this.#main ?? {};
    const parts = this.#main ? this.#parts.slice(from, to === -1 ? undefined : to) : this.#parts;
    return parts
      .join('')
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim();
  }

  /** The language of code is often on an element inside of `pre`. */
  #nameLanguage(language: string): void {
    if (language === '' || this.#fence !== this.#parts.length - 1) return;
    this.#parts[this.#fence] = this.#parts[this.#fence]!.replace(fence(''), fence(language));
  }

  #item(): void {
    this.#break(1);
    const depth = Math.min(this.#lists.length, MAX_INDENT);
    const number = this.#lists.at(-1) ?? null;
    if (number !== null) this.#lists[this.#lists.length - 1] = number + 1;
    this.#write(`${'  '.repeat(Math.max(0, depth - 1))}${number === null ? '-' : `${number}.`} `);
  }

  #row(): void {
    if (this.#cells > 0) {
      this.#write(' |');
      if (this.#isFirstRow) this.#write(`\n|${' --- |'.repeat(Math.min(this.#cells, 100))}`);
      this.#isFirstRow = false;
    }
    this.#break(1);
  }

  #break(lines: number): void {
    if (this.#hasText && this.#pre === 0) this.#breaks = Math.max(this.#breaks, lines);
  }

  #write(text: string): void {
    if (this.#length > MAX_LENGTH) return;
    const before = '\n'.repeat(this.#breaks) + ((this.#breaks > 0 || !this.#hasText) && this.#quotes > 0 ? '> ' : '');
    const part = before + text;
    this.#breaks = 0;
    this.#hasText = true;
    this.#lastIsSpace = /\s$/.test(text);
    this.#length += part.length;
    this.#parts.push(part);
  }

  #hrefOf(href: string | undefined): string | null {
    if (href === undefined || !URL.canParse(href, this.#base)) return null;
    const { protocol, href: whole } = new URL(href, this.#base);
    return protocol === 'https:' || protocol === 'http:' ? whole.replaceAll('(', '%28').replaceAll(')', '%29') : null;
  }
}

const fence = (language: string) => `\`\`\`${language}\n`;

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/** Invisible content is useless to the model. */
function isHidden(attributes: Record<string, string>): boolean {
  return (
    'hidden' in attributes ||
    attributes['aria-hidden'] === 'true' ||
    /(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0)/i.test(attributes.style ?? '')
  );
}

function languageOf({ class: name = '', 'data-language': language = '' }: Record<string, string>): string {
  return /^[\w+#-]{1,30}$/.exec(language)?.[0] ?? /\blanguage-([\w+#-]{1,30})/.exec(name)?.[1] ?? '';
}
