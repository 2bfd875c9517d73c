import type { Heading as HeadingNode, Nodes } from 'mdast';
import type { HtmlTag } from './html-scan.ts';
import type { ElementHeading, Heading, SilentImage } from './page-facts.ts';
import type { TextLines } from './text-lines.ts';

/** The most images named per page. */
const MAX_IMAGES = 200;

/** Generators' components without headings of their own. */
const WITHOUT_HEADINGS = new Set(
  [
    'Admonition Badge Callout CardGroup Check CodeBlock CodeGroup Column Columns Danger Frame Head Highlight Icon Info Link',
    'Note Tip Tooltip Warning',
  ].flatMap((names) => names.split(' ')),
);

/**
 * Attributes that give an HTML image an alternative text, or state that it needs none; in HTML, JSX or Vue
 * bindings.
 */
const WORDS = /\s(?:(?::|v-bind:)?(?:alt|aria-label|aria-labelledby|aria-hidden|title|role)(?=[\s=/>])|v-bind\s*=)/i;

interface Found {
  headings: Heading[];
  elementHeadings?: ElementHeading[];
  silentImages?: SilentImage[];
  mayShowMore?: true;
}

/**
 * Collects a page's facts for style rules: the order of its headings, and images without alternative text.
 * Offsets are those of the text.
 */
export class StyleReader {
  readonly #text: string;
  readonly #placeOf: (offset: number) => { line: number; column: number };
  readonly #images: SilentImage[] = [];
  readonly #elements: (ElementHeading & { start: number })[] = [];
  /** Positions of anything that may show headings. */
  readonly #unknown: number[] = [];
  #isUnknown = false;
  #quotedUntil = 0;

  /** @param mark the difference between an offset in the text and one in the file */
  constructor(text: string, lines: TextLines, mark: number) {
    this.#text = text;
    this.#placeOf = (offset) => lines.placeOf(offset + mark);
  }

  /** Something makes headings in unknown places. */
  unknownAnywhere(): void {
    this.#isUnknown = true;
  }

  /** Something that the page takes in, or that only a build shows. */
  unknown(start: number): void {
    this.#unknown.push(start);
  }

  quotation(end: number): void {
    this.#quotedUntil = Math.max(this.#quotedUntil, end);
  }

  isQuoted(start: number): boolean {
    return start < this.#quotedUntil;
  }

  markdownImage(node: Extract<Nodes, { type: 'image' | 'imageReference' }>, start: number, end: number): void {
    if ((node.alt ?? '').trim() !== '') return;
    // https://python-markdown.github.io/extensions/attr_list/
    if (this.#text[end] === '{' && /^\{[^}\n]*\b(?:alt|title)\s*=/.test(this.#text.slice(end, end + 500))) return;
    this.#image(node.type === 'image' ? node.url : '', start);
  }

  /** @param attributes names, and the value if it is written out; null if a spread may bring any */
  element(
    name: string,
    attributes: ReadonlyMap<string, string | undefined> | null,
    { start, end }: { start: number; end: number },
  ): void {
    const depth = /^h([1-6])$/i.exec(name)?.[1];
    if (depth !== undefined) this.#heading(Number(depth), start);
    // The content of one tab does not follow that of another.
    else if (mayHaveHeadings(name)) this.#unknown.push(start, end);
    if (name !== 'img' || attributes === null) return;
    const written = [...attributes.keys()].map((attribute) => ` ${attribute}=`).join('');
    if (!WORDS.test(written)) this.#image(attributes.get('src') ?? '', start);
  }

  /** @param code the contents of elements for code */
  html(tags: readonly HtmlTag[], code: readonly (readonly [number, number])[]): void {
    for (const { name, kind, start, end, attributes } of tags) {
      if (code.some(([from, to]) => from < start && start < to)) continue;
      if (kind === 'close') {
        if (mayHaveHeadings(name)) this.#unknown.push(start);
        continue;
      }
      const source = this.#text.slice(start, end);
      const depth = /^h([1-6])$/i.exec(name)?.[1];
      // One of several that a page shows only one of.
      if (depth !== undefined && !/\sv-(?:if|else|show)/.test(source)) this.#heading(Number(depth), start);
      else if (mayHaveHeadings(name)) this.#unknown.push(start);
      if (name.toLowerCase() !== 'img' || WORDS.test(source)) continue;
      this.#image(attributes.find((attribute) => attribute.name === 'src')?.value ?? '', start);
    }
  }

  /** Adds the results to the facts. @param nodes the headings' own, in the order of `facts.headings` */
  finish(facts: Found, nodes: readonly { node: HeadingNode }[]): void {
    const starts = nodes.map(({ node }) => node.position?.start.offset ?? 0);
    const all = [
      ...facts.headings.map((heading, i) => ({ heading: heading as Heading | ElementHeading, start: starts[i] ?? 0 })),
      ...this.#elements.map((heading) => ({ heading, start: heading.start })),
    ].toSorted((a, b) => a.start - b.start);
    const unknown = this.#unknown.toSorted((a, b) => a - b);
    let next = 0;
    for (const { heading, start } of all) {
      let isAfter = this.#isUnknown;
      for (; next < unknown.length && unknown[next]! < start; next++) isAfter = true;
      if (isAfter) heading.afterUnknown = true;
    }
    if (this.#elements.length > 0)
      facts.elementHeadings = this.#elements.map(({ start: _start, ...heading }) => heading);
    if (this.#images.length > 0) facts.silentImages = this.#images;
    if (unknown.length > 0 || this.#isUnknown) facts.mayShowMore = true;
  }

  #heading(depth: number, start: number): void {
    if (!this.isQuoted(start)) this.#elements.push({ depth, ...this.#placeOf(start), start });
  }

  #image(target: string, start: number): void {
    if (this.#images.length < MAX_IMAGES) this.#images.push({ target: target.slice(0, 300), ...this.#placeOf(start) });
  }
}

/** Components and custom elements: only their code shows their content. */
function mayHaveHeadings(name: string): boolean {
  return /^[A-Z]|[-.]/.test(name) && !WITHOUT_HEADINGS.has(name);
}
