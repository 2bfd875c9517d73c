import { markup, type Content, type Html } from '../html.ts';
import type { DrawnPage, PageHeading } from './draw.ts';
import { withinDocs, type PageEntry, type PageGroup } from './library.ts';

/** A page with the navigation, its table of contents, and links to the next pages. */
export function docsPage(page: DrawnPage, entry: PageEntry, groups: readonly PageGroup[], prefix: string): Html {
  const order = groups.flatMap(({ pages }) => pages);
  const at = order.findIndex(({ path }) => path === entry.path);
  const group = groups.find(({ pages }) => pages.some(({ path }) => path === entry.path));
  return body(
    groups,
    entry,
    prefix,
    markup`<article>
<p class="group-name">${group?.name}</p>
<h1>${entry.title}</h1>
<p class="lead">${entry.description}</p>
${page.body}
</article>
<nav class="turn" aria-label="Previous and next">
${turn(order[at - 1], 'Previous', prefix)}
${turn(order[at + 1], 'Next', prefix)}
</nav>
<p class="source"><a href="${markdownOf(entry, prefix)}">This page as Markdown</a></p>`,
    onThisPage(page.headings),
  );
}

/** For an address without a page. @param address below the docs */
export function missingPage(address: string, groups: readonly PageGroup[], prefix: string): Html {
  return body(
    groups,
    null,
    prefix,
    markup`<article><h1>There is no such page</h1>
<p class="lead">These docs have no page <code>${address}</code>. It may have been renamed.</p>
<p>Search for it with <kbd>/</kbd>, choose a page of the list, or begin with <a href="${prefix}">${groups[0]?.pages[0]?.title}</a>.
<a href="${prefix}/llms.txt">llms.txt</a> lists all pages.</p></article>`,
    null,
  );
}

export function markdownOf(entry: PageEntry, prefix: string): string {
  return `${prefix}/${entry.path === '' ? 'index' : entry.path}.md`;
}

function body(
  groups: readonly PageGroup[],
  entry: PageEntry | null,
  prefix: string,
  content: Content,
  aside: Content,
): Html {
  return markup`<div class="columns">
<nav id="docs.pages" class="pages" aria-label="Pages">${groups.map(
    ({ name, pages }) => markup`
<h2>${name}</h2>
<ul>${pages.map(
      (page) => markup`
<li><a href="${withinDocs(`/${page.path}`, prefix)}"${page.path === entry?.path && markup` aria-current="page"`}>${page.title}</a></li>`,
    )}</ul>`,
  )}
</nav>
<main id="docs.content" tabindex="-1">
${content}
</main>
${aside}
</div>`;
}

function onThisPage(headings: readonly PageHeading[]): Content {
  const shown = headings.filter(({ depth }) => depth <= 3);
  if (shown.length < 2) return null;
  return markup`<nav class="on-page" aria-label="On this page"><h2>On this page</h2>
<ul>${shown.map(({ depth, id, text }) => markup`<li${depth === 3 && markup` class="deeper"`}><a href="#${id}">${text}</a></li>\n`)}</ul></nav>`;
}

function turn(entry: PageEntry | undefined, word: string, prefix: string): Content {
  if (!entry) return null;
  return markup`<a class="${word.toLowerCase()}" href="${withinDocs(`/${entry.path}`, prefix)}"><span>${word}</span> ${entry.title}</a>`;
}
