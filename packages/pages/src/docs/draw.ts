import type { List, Nodes, Parents, Root, Table } from 'mdast';
import type { MdxJsxFlowElement, MdxJsxTextElement } from 'mdast-util-mdx';
import { markup, type Content, type Html } from '../html.ts';
import { attributeOf, headingIds, textOf } from './page-text.ts';
import { createRequire } from 'node:module';
import type { ElementContent, RootContent } from 'hast';
import type * as Lowlight from 'lowlight';

let loaded: ReturnType<typeof Lowlight.createLowlight> | undefined;
const NAMES: Record<string, string> = {
  js: 'JavaScript',
  ts: 'TypeScript',
  html: 'HTML',
  json: 'JSON',
  yaml: 'YAML',
  go: 'Go',
};

/** A block of code: colored if its language is known, with room for the button that copies it. */
function codeBlock(text: string, language: string | null, title: string | null): Html {
  const lowlight = (loaded ??= load());
  const label = title ?? (language === null ? 'Code' : (NAMES[language] ?? language));
  return markup`<div class="code"><div class="code-head"><span>${label}</span></div>
<pre tabindex="0"><code>${language !== null && lowlight.registered(language) ? lowlight.highlight(language, text).children.map(colored) : text}</code></pre></div>
`;
}

/** Its grammars are 194 files, which no server needs before its docs are read. */
function load(): NonNullable<typeof loaded> {
  const { common, createLowlight } = createRequire(import.meta.url)('lowlight') as typeof Lowlight;
  return createLowlight(common);
}

function colored(node: RootContent | ElementContent): Content {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return null;
  const names = node.properties.className;
  return markup`<span class="${Array.isArray(names) ? names.join(' ') : ''}">${node.children.map(colored)}</span>`;
}

export interface PageHeading {
  depth: number;
  id: string;
  text: string;
}

export interface DrawnPage {
  body: Html;
  headings: PageHeading[];
}

type Component = MdxJsxFlowElement | MdxJsxTextElement;

const CALLOUTS: Record<string, string> = {
  Note: 'Note',
  Warning: 'Warning',
  Tip: 'Tip',
  Info: 'Info',
  Check: 'Good to know',
};

/**
 * Renders a page as escaped HTML; unknown elements leave their content.
 * @param linkTo the address of a link or image
 */
export function draw(root: Root, linkTo: (target: string) => string): DrawnPage {
  const drawing = new Drawing(linkTo);
  return { body: markup`${drawing.all(root)}`, headings: drawing.headings };
}

class Drawing {
  readonly headings: PageHeading[] = [];
  readonly #idOf = headingIds();
  readonly #linkTo: (target: string) => string;
  #tabs = 0;

  constructor(linkTo: (target: string) => string) {
    this.#linkTo = linkTo;
  }

  all(parent: Parents): Content[] {
    return parent.children.map((child) => this.one(child));
  }

  // oxlint-disable-next-line complexity -- one line for each kind of node
  one(node: Nodes): Content {
    switch (node.type) {
      case 'text':
        return node.value;
      case 'paragraph':
        return isComponentsOnly(node) ? this.all(node) : markup`<p>${this.all(node)}</p>\n`;
      case 'heading':
        return this.#heading(Math.max(2, node.depth), node);
      case 'inlineCode':
        return markup`<code>${node.value}</code>`;
      case 'code':
        return codeBlock(node.value, node.lang ?? null, node.meta ?? null);
      case 'strong':
        return markup`<strong>${this.all(node)}</strong>`;
      case 'emphasis':
        return markup`<em>${this.all(node)}</em>`;
      case 'delete':
        return markup`<del>${this.all(node)}</del>`;
      case 'break':
        return markup`<br>`;
      case 'thematicBreak':
        return markup`<hr>\n`;
      case 'blockquote':
        return markup`<blockquote>${this.all(node)}</blockquote>\n`;
      case 'link':
        return markup`<a href="${this.#linkTo(node.url)}">${this.all(node)}</a>`;
      case 'image':
        return this.#image(node.url, node.alt ?? '');
      case 'list':
        return this.#list(node);
      case 'listItem':
        return markup`<li>${node.children.map((child) => (child.type === 'paragraph' && !node.spread ? this.all(child) : this.one(child)))}</li>\n`;
      case 'table':
        return this.#table(node);
      case 'mdxJsxFlowElement':
      case 'mdxJsxTextElement':
        return this.#component(node);
      default:
        return 'children' in node ? this.all(node) : null;
    }
  }

  /** `x-light.png` has a picture for dark screens beside it, `x-dark.png`. */
  #image(url: string, alt: string): Html {
    const image = markup`<img src="${this.#linkTo(url)}" alt="${alt}" loading="lazy">`;
    if (!url.endsWith('-light.png')) return image;
    const dark = this.#linkTo(url.replace(/-light\.png$/, '-dark.png'));
    return markup`<picture><source srcset="${dark}" media="(prefers-color-scheme: dark)">${image}</picture>`;
  }

  #heading(depth: number, node: Parents): Html {
    const text = textOf(node);
    const id = this.#idOf(text);
    this.headings.push({ depth, id, text });
    const content = markup`${this.all(node)} <a class="anchor" href="#${id}" aria-label="Link to “${text}”">#</a>`;
    if (depth === 2) return markup`<h2 id="${id}">${content}</h2>\n`;
    return depth === 3 ? markup`<h3 id="${id}">${content}</h3>\n` : markup`<h4 id="${id}">${content}</h4>\n`;
  }

  #list(node: List): Html {
    if (!node.ordered) return markup`<ul>${this.all(node)}</ul>\n`;
    return markup`<ol${(node.start ?? 1) !== 1 && markup` start="${node.start}"`}>${this.all(node)}</ol>\n`;
  }

  #table(node: Table): Html {
    const [head, ...rows] = node.children;
    return markup`<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>
<thead><tr>${head?.children.map((cell) => markup`<th scope="col">${this.all(cell)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => markup`<tr>${row.children.map((cell) => markup`<td>${this.all(cell)}</td>`)}</tr>\n`)}</tbody>
</table></div>\n`;
  }

  // oxlint-disable-next-line complexity -- one line for each component
  #component(node: Component): Content {
    const name = node.name ?? '';
    const title = attributeOf(node, 'title') ?? '';
    const callout = CALLOUTS[name];
    if (callout)
      return markup`<div class="callout ${name.toLowerCase()}" role="note"><p class="callout-title">${callout}</p>${this.#blocks(node)}</div>\n`;
    switch (name) {
      case 'a':
        return markup`<a id="${attributeOf(node, 'id')}"></a>${this.all(node)}`;
      case 'Steps':
        return markup`<ol class="steps">${this.all(node)}</ol>\n`;
      case 'Step':
        return markup`<li id="${this.#idOf(title)}"><p class="step-title">${title}</p>${this.#blocks(node)}</li>\n`;
      case 'Accordion':
        return markup`<details class="accordion" id="${this.#idOf(title)}"><summary>${title}</summary><div>${this.#blocks(node)}</div></details>\n`;
      case 'CardGroup':
        return markup`<div class="cards">${this.all(node)}</div>\n`;
      case 'Card':
        return markup`<a class="card" href="${this.#linkTo(attributeOf(node, 'href') ?? '#')}"><strong>${title}</strong>${this.#blocks(node)}</a>\n`;
      case 'Tabs':
        return this.#tabList(
          node.children.map((tab) => ({
            title: attributeOf(tab, 'title') ?? 'Tab',
            body: 'children' in tab && this.all(tab),
          })),
        );
      case 'CodeGroup':
        return this.#tabList(
          node.children.map((code) => ({
            title: (code.type === 'code' && (code.meta ?? code.lang)) || 'Code',
            body: this.one(code),
          })),
        );
      default:
        return this.all(node);
    }
  }

  /** Text directly inside a component is a paragraph, too. */
  #blocks(node: Component): Content {
    const isInline =
      node.type === 'mdxJsxTextElement' || node.children.every((child) => child.type === ('text' as string));
    return isInline ? markup`<p>${this.all(node)}</p>` : this.all(node);
  }

  /** Without scripts, the tabs are listed one below the other, each with its title. */
  #tabList(tabs: { title: string; body: Content }[]): Html {
    const group = ++this.#tabs;
    return markup`<div class="tabs">${tabs.map(
      ({ title, body }, i) => markup`
<div class="tab" id="docs.tab-${group}-${i + 1}" data-title="${title}"><p class="tab-title">${title}</p>
${body}</div>`,
    )}
</div>\n`;
  }
}

/** A component on its own line is parsed as a paragraph with nothing else in it. */
function isComponentsOnly(paragraph: Parents): boolean {
  const rest = paragraph.children.filter((child) => child.type !== 'text' || child.value.trim() !== '');
  return rest.length > 0 && rest.every((child) => child.type === 'mdxJsxTextElement' && child.name !== 'a');
}
